"""Models whose files are in one zip, which packages hold in parts."""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.small_models import (
    CONFIG,
    FILES,
    WEIGHTS,
    WHOLE,
    content_of,
    wheel,
)
from uhhrag.errors import ModelError
from uhhrag.models import local, wheels
from uhhrag.models.catalogue import Model, Packages, Use
from uhhrag.models.pull import pull

pytestmark = pytest.mark.usefixtures("nothing_outside", "index")

ZIPPED = Model(
    "zipped",
    Use.VERIFIER,
    "MIT",
    FILES,
    packages=Packages(
        tuple(f"zip-part-{n:03}==1.0" for n in (1, 2, 3)),
        "zip_part_{part:03}/in/tiny.zip.{part:03}",
        archive="tiny/{path}",
    ),
)


def parts_of(folder: Path, archive: bytes) -> None:
    """Three wheels that hold an archive in parts."""
    size = -(-len(archive) // 3)
    for n in (1, 2, 3):
        part = archive[size * (n - 1) : size * n]
        wheel(folder, f"zip_part_{n:03}", {f"zip_part_{n:03}/in/tiny.zip.{n:03}": part})


def zip_of(members: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


IN_ZIP = {f"tiny/{name}": content for name, content in WHOLE.items()}
HOSTILE = {"../evil": b"1", "/abs": b"2", "tiny/../../evil": b"3", "tiny/other.py": b"raise"}


def test_files_in_a_zip_of_parts_are_taken_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts_of(tmp_path / "index", zip_of(HOSTILE | IN_ZIP))
    where = pull(ZIPPED, under=tmp_path / "models", say=lambda _: None)
    assert content_of(where) == WHOLE
    left = {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file()}
    assert not any("evil" in name or "joined" in name or "abs" in name for name in left)
    assert {name for name in left if name.startswith("models/")} == {
        *(f"models/zipped/{name}" for name in (*WHOLE, local.RECORD)),
        "models/.zipped.lock",
    }


@pytest.mark.parametrize("stopped", ["_download", "_extract"])
def test_an_interrupted_pull_of_a_zip_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stopped: str
) -> None:
    parts_of(tmp_path / "index", zip_of(IN_ZIP))
    download, calls = wheels._download, []

    def counting(requirement: str, into: Path) -> Path:
        calls.append(requirement)
        if stopped == "_download" and calls.count("zip-part-003==1.0") == 1 == len(calls) - 2:
            raise KeyboardInterrupt
        return download(requirement, into)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(wheels, "_download", counting)
        if stopped == "_extract":
            patch.setattr(wheels, "new_file", interrupted)
        with pytest.raises(KeyboardInterrupt):
            pull(ZIPPED, say=lambda _: None)
    assert local.state(ZIPPED) is local.ModelState.MISSING
    monkeypatch.setattr(wheels, "_download", counting)
    assert content_of(pull(ZIPPED, say=lambda _: None)) == WHOLE
    again = ["zip-part-003==1.0"] if stopped == "_download" else []
    assert calls == [f"zip-part-{n:03}==1.0" for n in (1, 2, 3)] + again


@pytest.mark.parametrize(
    ("archive", "reason"),
    [
        (zip_of(IN_ZIP)[:-40], "the joined archive is damaged"),
        (b"no zip at all", "the joined archive is damaged"),
        (zip_of({"tiny/model.bin": WEIGHTS}), "has no file tiny/sub/config.json"),
        (
            zip_of(IN_ZIP | {"tiny/model.bin": bytes(50_000_000)}),
            "tiny/model.bin in the joined archive has 50,000,000 bytes, not 10,240",
        ),
        (zip_of(IN_ZIP | {"tiny/sub/config.json": b'{"a": 2}'}), "hashes to .* as the table says"),
    ],
)
def test_a_zip_of_parts_with_something_else_in_it_is_refused_and_pulled_anew(
    tmp_path: Path, archive: bytes, reason: str
) -> None:
    parts_of(tmp_path / "index", archive)
    with pytest.raises(ModelError, match=reason) as caught:
        pull(ZIPPED, say=lambda _: None)
    assert "\n" not in str(caught.value)
    assert local.state(ZIPPED) is local.ModelState.MISSING
    parts_of(tmp_path / "index", zip_of(IN_ZIP))
    assert content_of(pull(ZIPPED, say=lambda _: None)) == WHOLE


def test_a_zip_of_parts_needs_room_for_itself_and_for_what_is_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts_of(tmp_path / "index", zip_of(IN_ZIP))
    room = len(CONFIG + WEIGHTS) * 3 // 2
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(room, 0, room))  # type: ignore[attr-defined]
    with pytest.raises(ModelError, match="of room"):
        pull(ZIPPED, say=lambda _: None)
