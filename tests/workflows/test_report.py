"""What `report` says of a run that is not whole, and of gold that is another file's."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import uhhrag
from tests.support.command import call
from tests.support.nltk_data import nltk_data_folder
from uhhrag.backends.fakes import hashing_embedder, scripted_llm
from uhhrag.runs.trace import as_line

SAMPLE = Path(__file__).resolve().parents[2] / "data"


@pytest.fixture
def part(tmp_path) -> Path:
    """A run that was asked for three claims and has a verdict on one."""
    embedder = uhhrag.Loaded(hashing_embedder(), "words")
    llm = uhhrag.Loaded(scripted_llm({"ask_about": ["Was it?"], "vote_constrained": ["A"]}), "A")
    uhhrag.index(SAMPLE, tmp_path / "index", limit=3, embedder=embedder)
    run, given = tmp_path / "run", {"embedder": embedder, "llm": llm}
    uhhrag.predict(tmp_path / "index", run, **given)
    first, *_ = (run / "trace.jsonl").read_bytes().splitlines(keepends=True)
    (run / "trace.jsonl").write_bytes(first)
    uhhrag.predict(tmp_path / "index", run, claim=0, **given)  # writes the other files anew
    return run


def test_a_report_says_how_many_claims_have_no_verdict_yet(part):
    code, out, said = call("report", part)
    assert (code, said) == (0, f"{part}: no verdict yet on 2 of 3 claims\n")
    assert out.startswith("1 claim, ")
    assert " KB → " in out
    page = (part / "report.html").read_text(encoding="utf-8")
    assert "No verdict yet on 2 of 3 claims." in page


def test_a_report_has_the_scores_that_evaluate_has(part):
    nltk_data_folder()
    gold = SAMPLE / "claims.json"
    _, scores, _ = call("evaluate", part, "--gold", gold, "--json")
    assert call("report", part, "--gold", gold)[0] == 0
    page = (part / "report.html").read_text(encoding="utf-8")
    for measure in ("Q", "Q+A"):
        row = re.search(rf"<th[^>]*>{re.escape(measure)}</th>\s*<td[^>]*>([^<]+)<", page)
        assert row is not None
        assert row[1] == f"{json.loads(scores)[measure]:.3f}"


def test_a_run_without_the_end_of_its_trace_is_scored_by_the_trace(tmp_path):
    nltk_data_folder()
    embedder = uhhrag.Loaded(hashing_embedder(), "words")
    llm = uhhrag.Loaded(scripted_llm({"ask_about": ["Was it?"], "vote_constrained": ["A"]}), "A")
    uhhrag.index(SAMPLE, tmp_path / "index", limit=3, embedder=embedder)
    run = uhhrag.predict(tmp_path / "index", tmp_path / "run", embedder=embedder, llm=llm).folder
    asked = ("evaluate", run, "--gold", SAMPLE / "claims.json", "--json")
    _, whole, _ = call(*asked)
    (run / "trace.jsonl").write_bytes((run / "trace.jsonl").read_bytes()[:-300])
    code, cut, said = call(*asked)
    assert (code, f"{run / 'trace.jsonl'}: its last line is cut short" in said) == (0, True)
    counts = [
        (len(scores["pairing"]["missing"]), scores["confidence"]["claims"])
        for scores in map(json.loads, (whole, cut))
    ]
    assert counts == [(9, 3), (10, 2)]


def test_a_report_warns_of_gold_that_has_other_claims(part, tmp_path):
    nltk_data_folder()
    gold = json.loads((SAMPLE / "claims.json").read_text(encoding="utf-8"))
    gold[0]["claim"] = "Another claim."
    (tmp_path / "other.json").write_text(json.dumps(gold[:1]), encoding="utf-8")
    code, _, said = call("report", part, "--gold", tmp_path / "other.json")
    assert code == 0
    assert "claim text is not gold's: is it the right file?: 1 claim (0)" in said
    page = (part / "report.html").read_text(encoding="utf-8")
    assert "Against other.json, 1 claim<" in page
    assert "gold: " not in page
    assert "Gold label" not in page


def test_a_report_says_once_that_what_is_shown_as_unclear_is_scored_as_predicted(part):
    nltk_data_folder()
    (line,) = (part / "trace.jsonl").read_text(encoding="utf-8").splitlines()
    record = {name: value for name, value in json.loads(line).items() if name != "sha256"}
    for sure, told in ((0.6, 0), (0.4, 1)):
        for vote in record["votes"]:
            vote["probability"] = sure
        (part / "trace.jsonl").write_bytes(as_line(record | {"confidence": sure}))
        assert call("report", part, "--gold", SAMPLE / "claims.json")[0] == 0
        page = (part / "report.html").read_text(encoding="utf-8")
        assert page.count("shown as unclear, but scored as predicted: 1 claim.") == told
        assert call("report", part)[0] == 0
        assert "scored as predicted" not in (part / "report.html").read_text(encoding="utf-8")
