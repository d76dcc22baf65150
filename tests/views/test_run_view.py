from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.small_run import CLAIMS, run_all, with_llm
from uhhrag.errors import RunError
from uhhrag.formats.submission import read_predictions
from uhhrag.records import Label, Prompt
from uhhrag.runs import run_folder, trace
from uhhrag.runs.run_folder import predictions_in
from uhhrag.views.run_view import read_run_view

RECORD = {
    "claim_id": 3,
    "claim": "It rained.",
    "claim_date": None,
    "speaker": None,
    "label": "Refuted",
    "evidence": [
        {
            "question": "Did it?",
            "answer": "No.",
            "urls": [],
            "score": 0.5,
            "retrieval_score": 0.5,
            "reply": "",
        }
    ],
    "votes": [
        {
            "label": "Refuted",
            "origin": "read",
            "probability": None,
            "options": {},
            "reply": "no",
            "cut": False,
        }
    ],
    "prompts": "0",
}


def folder_with(path: Path, *records: dict, timings: bytes = b"") -> Path:
    path.mkdir(exist_ok=True)
    (path / "run.json").write_bytes(run_folder.header_as_bytes({"signature": "top:1|version:0"}))
    (path / "trace.jsonl").write_bytes(b"".join(map(trace.as_line, records)))
    (path / "timings.jsonl").write_bytes(timings)
    return path


def test_a_run_is_read_back_as_the_verdicts_it_was_written_from(tmp_path):
    verdicts = list(run_all(tmp_path / "run"))
    read = read_run_view(tmp_path / "run")
    assert [checked.verdict for checked in read.claims] == verdicts
    assert all(checked.seconds for checked in read.claims)
    assert sum(read.mix().values()) == len(CLAIMS)


def test_what_an_earlier_version_did_not_write_is_not_known(tmp_path):
    (checked,) = read_run_view(folder_with(tmp_path / "run", RECORD)).claims
    assert checked.verdict.evidence[0].context == ""
    assert checked.verdict.evidence[0].sources == ()
    assert checked.verdict.notes == ()
    assert checked.confidence is None
    assert checked.seconds == {}


def test_what_a_later_version_may_write_is_passed_over(tmp_path):
    source = {"url": "https://a.example", "title": "T", "shoe_size": 43}
    record = {**RECORD, "evidence": [{**RECORD["evidence"][0], "sources": [source]}], "more": 1}
    (checked,) = read_run_view(folder_with(tmp_path / "run", record)).claims
    assert checked.verdict.evidence[0].sources[0].title == "T"


def test_a_failed_claim_stands_among_the_others_with_its_error(tmp_path):
    def breaks(prompts: list[Prompt], ask: object) -> list:
        raise RuntimeError("out of paper")

    list(run_all(tmp_path / "run", method=with_llm(voter=breaks)))
    read = read_run_view(tmp_path / "run")
    assert read.failed == len(CLAIMS)
    assert "out of paper" in read.claims[0].error
    assert read.claims[0].verdict is None
    assert predictions_in(tmp_path / "run") == []


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("label", "Perhaps"),
        ("evidence", "none"),
        ("evidence", [{"question": 3}]),
        ("votes", [{"label": "Refuted"}]),
        ("claim", None),
        ("removed", ["date"]),
        ("notes", [1]),
        ("leaning", "Both"),
    ],
)
def test_a_record_that_predict_does_not_write_is_refused_in_one_line(tmp_path, key, value):
    folder = folder_with(tmp_path / "run", {**RECORD, key: value})
    with pytest.raises(RunError) as caught:
        read_run_view(folder)
    assert "\n" not in str(caught.value)
    assert "trace.jsonl" in str(caught.value)


def test_numbers_that_are_none_are_refused(tmp_path):
    item = {**RECORD["evidence"][0], "retrieval_score": "high"}
    with pytest.raises(RunError, match="line 1 is damaged"):
        read_run_view(folder_with(tmp_path / "run", {**RECORD, "evidence": [item]}))


def test_a_folder_without_a_run_is_named(tmp_path):
    with pytest.raises(RunError, match="is not a run folder"):
        read_run_view(tmp_path)


def test_time_is_that_of_the_last_try_and_a_torn_line_tells_none(tmp_path):
    lines = [
        {"claim_id": 3, "seconds": {"search": 9.0}},
        {"claim_id": 3, "seconds": {"search": 1.0, "vote": 3.0}},
        {"claim_id": 4, "seconds": "much"},
    ]
    raw = b"".join(map(trace.as_line, lines)) + b'{"claim_id": 3, "sec'
    read = read_run_view(folder_with(tmp_path / "run", RECORD, timings=raw))
    assert read.claims[0].seconds == {"search": 1.0, "vote": 3.0}
    assert read.stages() == {"vote": 3.0, "search": 1.0}


def test_stages_are_means_over_the_timed_claims(tmp_path):
    spent = [{"claim_id": i, "seconds": {"vote": s}} for i, s in ((3, 2.0), (4, 4.0))]
    timings = b"".join(map(trace.as_line, spent))
    records = [{**RECORD, "claim_id": number} for number in (3, 4, 5)]
    assert read_run_view(folder_with(tmp_path / "run", *records, timings=timings)).stages() == {
        "vote": 3.0
    }


def test_what_is_scored_is_what_the_submission_holds(tmp_path):
    list(run_all(tmp_path / "run"))
    said = predictions_in(tmp_path / "run")
    held = read_predictions(tmp_path / "run")
    assert [(p.id, p.label) for p in said] == [(p.id, p.label) for p in held]
    answers = [[(e.question, e.answer, e.urls) for e in p.evidence] for p in said]
    assert answers == [[(e.question, e.answer, e.urls) for e in p.evidence] for p in held]


def test_the_latest_line_of_a_claim_counts(tmp_path):
    again = {**RECORD, "label": "Supported"}
    read = read_run_view(folder_with(tmp_path / "run", RECORD, again))
    assert read.mix()[Label.SUPPORTED] == 1
    assert replace(read, claims=()).failed == 0
