"""Where the reference data stand; tests that need them are skipped where they are absent."""

from __future__ import annotations

import gc
import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support.disk import Disk, small_disk
from tests.support.paths import ROOT
from tests.support.skips import judged
from uhhrag.system import ray_cluster

# Not for this process; and the system's Python may have a module of that name already.
collect_ignore = ["guard/sitecustomize.py"]

# A busy machine is no fault of a test: what takes too long ends by pytest's own timeout. The draws
# are the same each time, so that a clone passes or fails as CI did; `scripts/test --all` draws
# anew and more, by --hypothesis-profile=new.
_ANY_PACE = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("fixed", derandomize=True, max_examples=50, **_ANY_PACE)
settings.register_profile("new", print_blob=True, max_examples=300, **_ANY_PACE)
settings.load_profile("fixed")


ALONE = ("cluster", "model", "browser")
"""Marks of tests of which one worker runs all; a test of several goes by the first: those of a
cluster kill workers of any."""

# A processor with AMX multiplies as others do: one process cannot do both, and tests load several
# embedders in one.
os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_BF16")
# A thread that waits for another leaves its core to the other tests; the default is to spin.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
# Ray reads these once, when it is loaded, and a library may load it before a test of --ray does.
os.environ.update(ray_cluster._CLOSED)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Under `pytest -n 2 --dist loadgroup`, the tests of a file run on one worker, since they share
    what is made for it; so do all that run real models, a browser or a cluster, which two at once
    would only slow down. With `--no-loadscope-reorder` those begin first, since they take longest.
    """
    for item in items:
        group = _alone(item) or item.nodeid.partition("::")[0]
        item.add_marker(pytest.mark.xdist_group(group))
        if getattr(config.option, "loadgroup", False) and hasattr(item, "_id"):
            # As pytest-xdist 3.8 does for a pytest before 9.2; since then it groups nothing.
            item._id = type(item._id).parse(f"{item.nodeid}@{group}")
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: not _alone(item))


def _alone(item: pytest.Item) -> str:
    return next(filter(item.get_closest_marker, ALONE), "")


def pytest_collection_finish() -> None:
    """What is loaded by now stays to the end: the garbage collector need not look at it again."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return judged((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return judged((yield))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The reference data: the folder UHHRAG_SHARED names, else `shared` beside the checkout."""
    beside = ROOT.parent / "shared"
    folder = Path(os.environ.get("UHHRAG_SHARED", beside))
    if not folder.is_dir():
        pytest.skip(f"no reference data at {folder}; set UHHRAG_SHARED to run this test")
    return folder


@pytest.fixture(scope="module")
def nltk_loaded() -> None:
    """NLTK knows where its data are; the test is skipped where there are none."""
    from tests.support.doubles import load_nltk_data

    load_nltk_data()


@pytest.fixture
def disk(tmp_path) -> Iterator[Disk]:
    """A small file system; the test is skipped where none may be mounted."""
    with small_disk(tmp_path / "disk") as found:
        yield found


@pytest.fixture(scope="module")
def stand_ins():
    """The models of this process are stand-ins, see `tests.support.standins`."""
    from tests.support.doubles import load_nltk_data
    from tests.support.standins import put_in_place

    load_nltk_data()
    from uhhrag.backends import sentence_transformer
    from uhhrag.backends.llamacpp import model as llamacpp

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sentence_transformer, "load", sentence_transformer.load)
        patch.setattr(llamacpp, "load", llamacpp.load)
        put_in_place(0)
        yield


@pytest.fixture(scope="module")
def made(stand_ins, tmp_path_factory):
    """A sound index and a sound run, with rankings and kept replies."""
    from tests.support.standins import Commands

    folder = tmp_path_factory.mktemp("sound")
    commands = Commands(folder, folder / "models")
    assert commands.build() == 0
    assert commands.predict("--trec") == 0
    return commands
