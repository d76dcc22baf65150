"""A run folder: begun, gone on with, refused to another run."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.support.paths import ROOT
from tests.support.run_folders import OTHER, opened, refusal
from tests.support.small_run import CLAIMS, HEADER, results, run_all
from uhhrag.errors import RunError
from uhhrag.evidence.unusable import REPLACED
from uhhrag.folders import kind_of
from uhhrag.formats.submission import read_predictions
from uhhrag.records import Label
from uhhrag.runs.run_folder import open_run, read_header, runs_apart
from uhhrag.runs.trace import append, as_line, read_trace
from uhhrag.views import html_pages
from uhhrag.views.run_view import read_run_view
from uhhrag.views.verdict_text import summary


def test_a_run_with_other_settings_is_refused_and_both_values_are_named(folder):
    before = results(folder)
    said = refusal(folder, OTHER)
    assert "(top:3; now top:7)" in said
    assert "--overwrite" in said
    assert results(folder) == before


def test_a_run_of_other_source_is_refused_with_the_reason(tmp_path):
    code = [{**HEADER, "signature": f"approach:small|code:{n}"} for n in (1, 2)]
    opened(tmp_path, code[0])
    assert "(code:1; now code:2; uhhrag's own source has changed since)" in refusal(
        tmp_path, code[1]
    )
    opened(tmp_path / "b", code[1])
    assert runs_apart(tmp_path, tmp_path / "b") == "uhhrag's own source 1 / 2"


def test_the_repair_of_a_run_is_by_the_command_that_made_it(tmp_path):
    opened(tmp_path)
    assert kind_of(tmp_path).repair.startswith(f"uhhrag predict … --out {tmp_path} --repair")
    (tmp_path / "documents.json").write_text("{}")
    assert kind_of(tmp_path).repair == "the same uhhrag check again"


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_run_is_not_written_into_an_index(tmp_path, overwrite):
    """What checks the folder would take it for a run from then on."""
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(RunError, match="is an index; give a folder of its own by --out"):
        opened(tmp_path, overwrite=overwrite)
    assert not (tmp_path / "run.json").exists()


def test_a_setting_that_only_one_of_two_runs_has_is_named(folder):
    longer = {**HEADER, "signature": HEADER["signature"] + "|seed:1"}
    assert "(no seed; now seed:1)" in refusal(folder, longer)


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        ("answers:window", "", "(answers:window; now answers:sentence)"),
        ("", "answers:window", "(answers:sentence; now answers:window)"),
        ("top:3|abstain-below:0.6", "top:4", "(top:3, abstain-below:0.6; now top:4, abstain-"),
        ("voter:verifier@1", "", "(voter:verifier@1; now voter:llm)"),
        ("options:hits=3", "", "(options:hits=3; now no options)"),
    ],
)
def test_a_default_that_a_signature_leaves_out_is_named(tmp_path, before, now, said):
    opened(tmp_path, {**HEADER, "signature": "|".join(filter(None, ("approach:small", before)))})
    later = {**HEADER, "signature": "|".join(filter(None, ("approach:small", now)))}
    assert said in refusal(tmp_path, later)


def test_a_run_goes_on_with_more_claims_of_its_index_but_not_with_another_index(tmp_path):
    opened(tmp_path / "run", {**HEADER, "passages": {"0": "aa", "1": "bb"}})
    opened(tmp_path / "run", {**HEADER, "passages": {"1": "bb", "2": "cc"}})
    assert read_header(tmp_path / "run")["passages"] == {"0": "aa", "1": "bb", "2": "cc"}
    said = refusal(tmp_path / "run", {**HEADER, "passages": {"2": "dd"}})
    assert "holds claim 2 with another text, other documents or another index; give" in said


def test_overwrite_loses_the_earlier_run(folder):
    made = ("article.json", "documents.json", "report.html", "rerank.trec", "trec.sha256")
    for name in (*made, "desk.sqlite"):
        (folder / name).touch()
    run = opened(folder, OTHER, overwrite=True)
    assert run.done == {}
    assert read_header(folder)["signature"] == OTHER["signature"]
    assert results(folder) == (b"", b"[]\n")
    assert not (folder / "timings.jsonl").exists()
    assert [name for name in (*made, "desk.sqlite") if (folder / name).exists()] == ["desk.sqlite"]


def test_a_page_of_the_users_own_is_not_written_over(tmp_path):
    (tmp_path / "report.html").write_text("mine")
    assert "has report.html but no run.json" in refusal(tmp_path)
    assert (tmp_path / "report.html").read_text() == "mine"


def test_the_counts_of_a_run_fit_a_terminal(tmp_path):
    run = opened(tmp_path)
    for number, label in enumerate(Label):
        record = {"claim_id": number, "claim": "A.", "label": label, "evidence": [], "votes": []}
        append(run.trace, as_line(record))
    told = summary(read_run_view(tmp_path), tmp_path)
    assert "4 claims decided: Supported 1, Refuted 1" in told
    assert max(map(len, told.splitlines()[:-1])) <= 80


def test_a_run_that_is_read_again_counts_the_questions_that_could_not_be_asked(tmp_path):
    run = opened(tmp_path)
    assert "unusable" not in summary(read_run_view(tmp_path), tmp_path)
    for number, notes in enumerate((["4 of 5 " + REPLACED], ["1 of 5 " + REPLACED], [])):
        record = {"claim_id": number, "claim": "A.", "label": "Refuted", "evidence": []}
        append(run.trace, as_line(record | {"votes": [], "notes": notes}))
    told = summary(read_run_view(tmp_path), tmp_path)
    assert f" 5 of 10 {REPLACED} " in " ".join(told.split())
    assert max(map(len, told.splitlines()[:-1])) <= 80
    assert f"5 of 10 {REPLACED}." in html_pages.report(read_run_view(tmp_path))


def test_a_file_is_not_called_a_damaged_run(folder):
    with pytest.raises(RunError, match=r"is not a run folder: it has no run.json"):
        read_header(folder / "predictions.json")


def test_a_run_goes_on_with_the_claims_that_are_not_decided(folder):
    assert set(opened(folder).done) == {0, 1, 2, 3}
    assert list(run_all(folder)) == []


def test_a_claim_that_failed_is_not_decided(folder):
    failed = {"claim_id": 2, "claim": CLAIMS[2].text, "error": "no room"}
    append(folder / "trace.jsonl", as_line(failed))
    assert set(opened(folder).done) == {0, 1, 3}
    assert [p.id for p in read_predictions(folder)] == [0, 1, 3]


@pytest.mark.slow
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
