"""`--voter both --rule learned`: a verifier votes, and a language model reads it all."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import pytest

from uhhrag import defaults
from uhhrag.prompts.templates import load_prompts
from uhhrag.records import Label
from uhhrag.rules import learned_files
from uhhrag.rules.learned import FEATURES, READINGS, LearnedVerdict
from uhhrag.rules.reading_head import STEP, ReaderHead, encoded
from uhhrag.runs.run_folder import read_header
from uhhrag.runs.trace import read_lines, read_trace, verdict_in
from uhhrag.system.checksums import sha256
from uhhrag.workflows.method import choose

NAMES = FEATURES + READINGS
WIDTH = 64
ZERO = (0.0,) * len(NAMES)


def fitted(**changes: object) -> LearnedVerdict:
    """A verdict that is what the reading makes most likely: always Conflicting."""
    head = ReaderHead(
        model="f" * 64,
        template=load_prompts()(STEP).hash,
        labels=tuple(Label),
        weights=(encoded([0.0] * WIDTH),) * 4,
        bias=(0.0, 0.0, 0.0, 3.0),
    )
    rows = [tuple(5.0 * (name == reading) for name in NAMES) for reading in READINGS]
    values = {
        "field": "news",
        "voter": "both",
        "features": NAMES,
        "labels": tuple(Label),
        "mean": ZERO,
        "deviation": (1.0,) * len(NAMES),
        "weights": tuple(rows),
        "bias": (0.0,) * 4,
        "emphasis": (1.0,) * 4,
        "fitted_on": "nothing",
        "reader": head,
    }
    return LearnedVerdict(**{**values, **changes})


@pytest.fixture
def learned(tmp_path):
    (tmp_path / "learned.json").write_text(json.dumps([asdict(fitted())]))
    return tmp_path / "learned.json"


@pytest.fixture
def options(verifier, learned):
    by = ("--voter", "both", "--rule", "learned", "--questions", "template")
    return *by, "--verifier", verifier, "--learned", learned


def test_the_verdict_weighs_the_reading_and_the_trace_shows_it(predict, options, llm, tmp_path):
    code, _, warned = predict(*options)
    assert code == 0, warned
    signature = read_header(tmp_path / "run")["signature"]
    assert "|voter:both@" in signature
    assert "|llm:stand-in@ffffffff" in signature
    records = list(read_trace(tmp_path / "run" / "trace.jsonl"))
    for record in records:
        assert record["label"] == "Conflicting Evidence/Cherrypicking"
        assert record["reading"]["Conflicting Evidence/Cherrypicking"] == pytest.approx(
            0.87, abs=0.01
        )
        assert sum(record["reading"].values()) == pytest.approx(1)
        assert len(record["votes"]) == 10  # the verifier's, one on each piece
        assert verdict_in(record).reading[Label.CONFLICTING] == pytest.approx(0.87, abs=0.01)
    asked = {
        line["claim_id"]: line["seconds"] for line in read_lines(tmp_path / "run/timings.jsonl")
    }
    assert all("reader" in seconds and "verifier" in seconds for seconds in asked.values())


def test_a_reader_of_another_model_or_prompt_is_refused(predict, options, learned, tmp_path):
    (entry,) = json.loads(learned.read_text())
    for key, message in (("model", "another language model"), ("template", "another prompt")):
        changed = {**entry, "reader": {**entry["reader"], key: "0" * 64}}
        learned.write_text(json.dumps([changed]))
        code, _, warned = predict(*options)
        assert code == 2
        assert f"was fitted to {message}" in warned
        assert "take --voter verifier" in warned


@pytest.mark.parametrize(("sure_of", "label"), [(0, "Supported"), (1, "Refuted")])
def test_by_majority_the_reading_counts_in_every_vote(
    predict, verifier, llm, tmp_path, monkeypatch, sure_of, label
):
    bias = tuple(9.0 * (place == sure_of) for place in range(4))
    head = replace(fitted().reader, bias=bias)
    monkeypatch.setattr(learned_files, "find", lambda *_: fitted(reader=head))
    by = ("--voter", "both", "--questions", "template", "--verifier", verifier)
    code, _, warned = predict(*by)
    assert code == 0, warned
    signature = read_header(tmp_path / "run")["signature"]
    assert f"|reader:{sha256(repr(head))[:8]}|" in signature
    for record in read_trace(tmp_path / "run" / "trace.jsonl"):
        assert record["reading"][label] > 0.99
        assert {vote["label"] for vote in record["votes"]} == {label}
        assert record["label"] == label


def test_by_majority_a_model_without_a_reader_votes_by_letters(predict, verifier, llm, tmp_path):
    code, _, warned = predict("--voter", "both", "--verifier", verifier)
    assert code == 0, warned
    assert "|reader:" not in read_header(tmp_path / "run")["signature"]
    assert all("reading" not in r for r in read_trace(tmp_path / "run" / "trace.jsonl"))


def test_auto_is_both_for_the_model_that_has_a_reader():
    assert choose({}).settings.voter == "both"
    assert choose({"verifier": "v"}).settings.voter == "verifier"
    assert choose({"lora": "a.gguf"}).settings.voter == "llm"
    assert choose({"rule": "learned"}).settings.voter == "both"
    assert choose({"rule": "learned"}).settings.needs_llm
    assert choose({"rule": "learned", "questions": "template"}).settings.needs_llm
    own = str(learned_files.SHIPPED)
    for other in ({"llm": "another"}, {"learned": own}, {"lora": "a.gguf"}):
        settings = choose({"rule": "learned", **other}).settings
        assert settings.voter == "verifier"
    own = choose({"rule": "learned", "llm": defaults.LLM}).for_documents().settings
    assert own.voter == "verifier"
