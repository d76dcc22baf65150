"""A run folder that cannot be written, and a damaged header."""

from __future__ import annotations

import errno
import os

import orjson
import pytest

from tests.support.run_folders import OTHER, flipped, opened, refusal
from tests.support.small_run import HEADER, results, run_all
from uhhrag.errors import RunError
from uhhrag.runs.run_folder import open_run, read_header
from uhhrag.runs.trace import append, as_line
from uhhrag.system import atomic

pytestmark = pytest.mark.slow


def _full(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_ends_the_run_with_one_line_and_what_is_done_stays(tmp_path, monkeypatch):
    going = run_all(tmp_path / "run")
    next(going)
    monkeypatch.setattr("uhhrag.runs.predict.append", _full)
    with pytest.raises(RunError, match=r"cannot be written \(No space left on device\)"):
        next(going)
    monkeypatch.undo()
    assert set(opened(tmp_path / "run").done) == {0}


def test_a_disk_too_full_to_begin_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(atomic, "write_file", _full)
    assert "No space left on device" in refusal(tmp_path / "run")


def test_a_disk_too_full_for_the_submission_is_named(folder, monkeypatch):
    write = atomic.write_file

    def full(file, content):
        if file.name == "predictions.json":
            _full()
        write(file, content)

    monkeypatch.setattr(atomic, "write_file", full)
    (folder / "predictions.json").unlink()
    with pytest.raises(RunError, match=r"cannot be written \(No space left on device\)"):
        opened(folder)


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path):
    (tmp_path / "run").write_text("")
    assert f"{tmp_path / 'run'} cannot be written" in refusal(tmp_path / "run")


@pytest.mark.parametrize("name", ["predictions.json", "trace.jsonl"])
def test_files_of_another_origin_are_not_lost(tmp_path, name):
    (tmp_path / name).write_text("mine")
    said = refusal(tmp_path)
    assert f"{name}" in said
    assert (tmp_path / name).read_text() == "mine"
    opened(tmp_path, overwrite=True)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}", b'{"signature": 1}', b"\xff"])
def test_a_damaged_header_is_named_and_made_anew_from_the_trace(folder, content):
    before = results(folder)
    (folder / "run.json").write_bytes(content)
    assert "run.json is damaged" in refusal(folder)
    assert set(opened(folder, repair=True).done) == {0, 1, 2, 3}
    assert read_header(folder).items() >= HEADER.items()
    assert results(folder) == before


def test_a_damaged_header_is_not_made_anew_for_a_trace_of_another_run(folder):
    (folder / "run.json").write_bytes(b"")
    before = results(folder)
    with pytest.raises(RunError, match=r"its trace is of a run with other settings"):
        opened(folder, OTHER, repair=True)
    assert results(folder) == before


def test_a_header_made_anew_knows_the_passages_of_the_claims_that_are_decided(tmp_path):
    first = {**HEADER, "passages": {"0": "aa"}}
    with open_run(tmp_path, first, overwrite=False, repair=False) as run:
        decided = {"claim_id": 0, "claim": "", "label": "Refuted", "evidence": [], "votes": []}
        record = {**decided, **run.origin(0)}
        append(run.trace, as_line(record))
    (tmp_path / "run.json").write_bytes(b"")
    with pytest.raises(RunError, match="holds claim 0 with another text"):
        opened(tmp_path, {**HEADER, "passages": {"0": "bb"}}, repair=True)
    opened(tmp_path, {**HEADER, "passages": {"0": "aa", "1": "cc"}}, repair=True)
    assert read_header(tmp_path)["passages"] == {"0": "aa", "1": "cc"}


def test_a_folder_that_holds_no_run_is_named(tmp_path):
    with pytest.raises(RunError, match=r"not a run folder: it has no run\.json"):
        read_header(tmp_path)


def test_the_header_is_kept_whole(folder):
    assert read_header(folder) == HEADER
    assert orjson.loads((folder / "run.json").read_bytes()).items() > HEADER.items()


def test_a_changed_bit_anywhere_in_the_header_is_found(folder):
    before = (folder / "run.json").read_bytes()
    for place in range(len(before)):
        (folder / "run.json").write_bytes(flipped(before, place, place % 8))
        assert "run.json is damaged" in refusal(folder)
