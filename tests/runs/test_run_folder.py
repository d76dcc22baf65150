"""The run folder: one run and one process each, and no byte of it is believed unchecked."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.small_run import CLAIMS, HEADER, results, run_all
from uhhrag.errors import RunError
from uhhrag.formats.submission import read_predictions
from uhhrag.runs.run_folder import RunFolder, append, as_line, open_run, read_header, read_trace
from uhhrag.system import atomic

ROOT = Path(__file__).resolve().parents[2]
OTHER = {**HEADER, "signature": "approach:small|top:7|version:0"}


@pytest.fixture
def folder(tmp_path):
    """A finished run of four claims."""
    list(run_all(tmp_path / "run"))
    return tmp_path / "run"


def opened(folder: Path, header: dict = HEADER, *, overwrite=False, repair=False) -> RunFolder:
    with open_run(folder, header, overwrite=overwrite, repair=repair) as run:
        return run


def refusal(folder: Path, header: dict = HEADER) -> str:
    with pytest.raises(RunError) as caught:
        opened(folder, header)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_run_with_other_settings_is_refused_and_both_values_are_named(folder):
    before = results(folder)
    said = refusal(folder, OTHER)
    assert "(top:3; now top:7)" in said
    assert "--overwrite" in said
    assert results(folder) == before


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_run_is_not_written_into_an_index(tmp_path, overwrite):
    """What checks the folder would take it for a run from then on."""
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(RunError, match="is an index; give a folder of its own by --out"):
        opened(tmp_path, overwrite=overwrite)
    assert not (tmp_path / "run.json").exists()


def test_a_setting_that_only_one_of_two_runs_has_is_named(folder):
    longer = {**HEADER, "signature": HEADER["signature"] + "|seed:1"}
    assert "(nothing; now seed:1)" in refusal(folder, longer)


def test_a_run_goes_on_with_more_claims_of_its_index_but_not_with_another_index(tmp_path):
    opened(tmp_path / "run", {**HEADER, "passages": {"0": "aa", "1": "bb"}})
    opened(tmp_path / "run", {**HEADER, "passages": {"1": "bb", "2": "cc"}})
    assert read_header(tmp_path / "run")["passages"] == {"0": "aa", "1": "bb", "2": "cc"}
    said = refusal(tmp_path / "run", {**HEADER, "passages": {"2": "dd"}})
    assert "made from another index: claim 2 has other passages" in said


def test_overwrite_loses_the_earlier_run(folder):
    run = opened(folder, OTHER, overwrite=True)
    assert run.done == {}
    assert read_header(folder)["signature"] == OTHER["signature"]
    assert results(folder) == (b"", b"[]\n")
    assert not (folder / "timings.jsonl").exists()


def test_a_run_goes_on_with_the_claims_that_are_not_decided(folder):
    assert set(opened(folder).done) == {0, 1, 2, 3}
    assert list(run_all(folder)) == []


def test_a_claim_that_failed_is_not_decided(folder):
    failed = {"claim_id": 2, "claim": CLAIMS[2].text, "error": "no room"}
    append(folder / "trace.jsonl", as_line(failed))
    assert set(opened(folder).done) == {0, 1, 3}
    assert [p.id for p in read_predictions(folder)] == [0, 1, 3]


@pytest.mark.parametrize("kept", [1, 40, -2, -1])
def test_a_torn_last_line_is_passed_over_and_its_claim_decided_again(folder, kept):
    before = results(folder)
    *lines, last = before[0].splitlines(keepends=True)
    (folder / "trace.jsonl").write_bytes(b"".join([*lines, last[:kept]]))
    assert set(opened(folder).done) == {0, 1, 2}
    assert [claim.claim.id for claim in run_all(folder)] == [3]
    assert results(folder) == before


def flipped(content: bytes, place: int, bit: int = 0) -> bytes:
    return content[:place] + bytes([content[place] ^ 1 << bit]) + content[place + 1 :]


def test_a_changed_byte_is_named_with_its_line_and_repair_decides_only_that_claim(folder):
    before = results(folder)
    place = before[0].index(b"Amber Hill in July")
    (folder / "trace.jsonl").write_bytes(flipped(before[0], place))
    said = refusal(folder)
    assert f"{folder / 'trace.jsonl'} line 2 is damaged" in said
    assert "--repair" in said
    assert [verdict.claim.id for verdict in run_all(folder, repair=True)] == [1]
    assert results(folder) == before


def test_a_damaged_trace_is_left_as_it_is_until_repair_is_asked_for(folder):
    damaged = flipped(results(folder)[0], 10)
    (folder / "trace.jsonl").write_bytes(damaged)
    refusal(folder)
    assert (folder / "trace.jsonl").read_bytes() == damaged


@pytest.mark.parametrize("bit", [0, 5])
def test_every_changed_byte_of_a_line_is_found(folder, tmp_path, bit):
    line, after = results(folder)[0].splitlines(keepends=True)[:2]
    file = tmp_path / "trace.jsonl"
    unnoticed = []
    for place in range(len(line)):
        file.write_bytes(flipped(line, place, bit) + after)
        try:
            unnoticed.append((place, list(read_trace(file))))
        except RunError:
            continue
    assert unnoticed == []


numbers = st.floats(allow_nan=False, allow_infinity=False)


@given(st.dictionaries(st.text(), numbers | st.text() | st.integers(-9, 9)), st.data())
def test_no_damaged_line_is_ever_believed(tmp_path_factory, record, data):
    file = tmp_path_factory.mktemp("trace") / "trace.jsonl"
    record.pop("sha256", None)
    record |= {"claim_id": 0, "claim": "Rain.", "error": "struck"}
    line = as_line(record)
    file.write_bytes(line)
    assert list(read_trace(file)) == [record]
    place = data.draw(st.integers(0, len(line) - 2))
    file.write_bytes(flipped(line, place, data.draw(st.integers(0, 7))))
    with pytest.raises(RunError, match="damaged"):
        list(read_trace(file))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("claim_id", "0"),
        ("claim", None),
        ("label", "refuted"),
        ("evidence", {}),
        ("votes", [1]),
        ("run", None),
        ("passages", 1),
    ],
)
def test_a_line_of_another_shape_is_refused_though_its_hash_is_right(folder, field, value):
    file = folder / "trace.jsonl"
    record = {**next(read_trace(file)), field: value}
    file.write_bytes(as_line(record))
    with pytest.raises(RunError, match="line 1 is damaged"):
        list(read_trace(file))


def test_a_line_of_the_timings_is_no_line_of_the_trace(folder):
    file = folder / "trace.jsonl"
    file.write_bytes(as_line({"claim_id": 0, "seconds": {}}))
    with pytest.raises(RunError, match="line 1 is damaged"):
        list(read_trace(file))


def test_a_second_process_on_the_folder_stops_with_one_line(folder):
    program = (
        "import sys; from pathlib import Path; from uhhrag.runs.run_folder import open_run\n"
        "from uhhrag.errors import RunError\n"
        "header = {'signature': sys.argv[2], 'prompts': {'hash': ''}}\n"
        "try:\n"
        "    with open_run(Path(sys.argv[1]), header, overwrite=True, repair=True): pass\n"
        "except RunError as error: print(error)\n"
    )
    before = results(folder)
    with open_run(folder, HEADER, overwrite=False, repair=False):
        second = subprocess.run(
            [sys.executable, "-c", program, str(folder), HEADER["signature"]],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
    said = f"another process is working in {folder}; wait for it or give another --out\n"
    assert (second.stdout, second.stderr) == (said, "")
    assert results(folder) == before


def test_the_submission_is_in_the_order_of_the_claims_with_one_url_and_all_urls(tmp_path):
    list(run_all(tmp_path, claims=reversed(CLAIMS)))
    rows = json.loads((tmp_path / "predictions.json").read_text())
    assert [row["claim_id"] for row in rows] == [0, 1, 2, 3]
    assert [row["claim"] for row in rows] == [claim.text for claim in CLAIMS]
    items = [item for row in rows for item in row["evidence"]]
    for item in items:
        assert all(isinstance(item[key], str) for key in ("question", "answer", "url"))
        assert item["url"] == next(iter(item["urls"]), "")
    assert {len(item["urls"]) for item in items} == {0, 1, 2}


def test_the_submission_is_read_back_as_what_was_decided(tmp_path):
    verdicts = list(run_all(tmp_path))
    for verdict, read in zip(verdicts, read_predictions(tmp_path), strict=True):
        assert (read.id, read.claim, read.label) == (
            verdict.claim.id,
            verdict.claim.text,
            verdict.label,
        )
        shown = [(e.question, e.answer, e.urls) for e in verdict.evidence]
        assert [(e.question, e.answer, e.urls) for e in read.evidence] == shown


def test_the_trace_holds_scores_votes_replies_and_the_hash_of_the_prompts(folder):
    record = next(read_trace(folder / "trace.jsonl"))
    assert record["prompts"] == HEADER["prompts"]["hash"]
    assert (record["claim_date"], record["speaker"]) == ("31-10-2020", "The mayor")
    assert len(record["evidence"]) == len(record["votes"]) == 3
    assert {"score", "retrieval_score", "reply"} < set(record["evidence"][0])
    vote = record["votes"][0]
    assert vote["origin"] == "constrained"
    assert set(vote["options"]) == {"A", "B", "C"}
    assert vote["reply"] in "AB"


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
    with pytest.raises(RunError, match="claim 0 has other passages"):
        opened(tmp_path, {**HEADER, "passages": {"0": "bb"}}, repair=True)
    opened(tmp_path, {**HEADER, "passages": {"0": "aa", "1": "cc"}}, repair=True)
    assert read_header(tmp_path)["passages"] == {"0": "aa", "1": "cc"}


def test_a_folder_that_holds_no_run_is_named(tmp_path):
    with pytest.raises(RunError, match=r"no run folder: it has no run\.json"):
        read_header(tmp_path)


def test_the_header_is_kept_whole(folder):
    assert read_header(folder) == HEADER
    assert orjson.loads((folder / "run.json").read_bytes()).items() > HEADER.items()


def test_a_changed_bit_anywhere_in_the_header_is_found(folder):
    before = (folder / "run.json").read_bytes()
    for place in range(len(before)):
        (folder / "run.json").write_bytes(flipped(before, place, place % 8))
        assert "run.json is damaged" in refusal(folder)
