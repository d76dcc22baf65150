"""`--voter verifier` and `--rule learned`, by a verifier of random weights and no language
model."""

from __future__ import annotations

import hashlib
import json
import platform
import re
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

import uhhrag
from tests.support.paths import ROOT
from uhhrag import defaults
from uhhrag.backends.fakes import hashing_embedder
from uhhrag.config.choices import Questions
from uhhrag.records import Label
from uhhrag.rules.learned import FEATURES, LearnedVerdict
from uhhrag.runs.run_folder import read_header
from uhhrag.runs.trace import read_trace
from uhhrag.views.answer import show_answer
from uhhrag.wiring import llms
from uhhrag.wiring.verifiers import load_verifier
from uhhrag.workflows.method import choose

ZERO = (0.0,) * len(FEATURES)


@pytest.fixture
def learned(tmp_path):
    entry = LearnedVerdict(
        field="news",
        voter="verifier",
        features=FEATURES,
        labels=tuple(Label),
        mean=ZERO,
        deviation=(1.0,) * len(FEATURES),
        weights=(ZERO,) * 4,
        bias=(0.0, 2.0, 1.0, 0.0),
        emphasis=(1.0,) * 4,
        fitted_on="nothing",
    )
    (tmp_path / "learned.json").write_text(json.dumps([asdict(entry)]))
    return tmp_path / "learned.json"


@pytest.fixture
def without_llm(monkeypatch):
    def absent(*_: object) -> None:
        raise AssertionError("no language model is needed here")

    monkeypatch.setattr(llms, "load_llm", absent)


def test_the_verifier_votes_and_no_language_model_is_loaded(
    predict, verifier, without_llm, tmp_path
):
    options = ("--voter", "verifier", "--verifier", verifier, "--questions", "template")
    code, said, warned = predict(*options)
    assert code == 0, warned
    header, numbers = read_header(tmp_path / "run"), load_verifier(verifier).numbers
    assert re.search(rf"\|voter:verifier@\w{{8}}{numbers}\|", header["signature"])
    assert "|llm:" not in header["signature"]
    for record in read_trace(tmp_path / "run" / "trace.jsonl"):
        assert record["label"] == "Refuted"  # its bias is for that
        read = zip(record["evidence"], record["votes"], strict=True)
        assert {v["label"] for e, v in read if "?" not in e["answer"]} == {"Refuted"}
        assert len(record["votes"]) == 10
        assert {tuple(vote["options"]) for vote in record["votes"]} == {("A", "B", "C")}
    assert "20 votes: 20 constrained" in said


def test_a_learned_verdict_gives_probabilities_of_all_labels(
    predict, verifier, learned, without_llm, tmp_path
):
    options = ("--voter", "verifier", "--verifier", verifier, "--questions", "template")
    code, _, warned = predict(*options, "--rule", "learned", "--learned", learned)
    assert code == 0, warned
    assert "No calibration" not in warned
    assert "|learned:news@" in read_header(tmp_path / "run")["signature"]
    for record in read_trace(tmp_path / "run" / "trace.jsonl"):
        shares = record["probabilities"]
        assert list(shares) == [str(label) for label in Label]
        assert sum(shares.values()) == pytest.approx(1)
        assert record["label"] == max(shares, key=shares.__getitem__)
        assert record["confidence"] == max(shares.values())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--voter", "verifier", "--rule", "all"), "goes with: majority"),
        (("--voter", "llm", "--verifier", "v"), "--verifier v needs --voter verifier"),
        (("--voter", "both", "--rule", "all"), "--voter both reads one piece"),
        (("--voter", "verifier", "--decoding", "paper"), "leave --voter verifier out"),
        (("--rule", "majority", "--learned", "l"), "--learned l needs --rule learned"),
        (("--voter", "both", "--calibration", "c"), "is for votes of a language model alone"),
        (("--rule", "learned", "--calibration", "c"), "--calibration c is for votes of a"),
        (("--voter", "verifier", "--lora", "l", "--questions", "template"), "no language model is"),
        (("--examples", "e", "--questions", "template"), "--examples e: no model asks questions"),
        (("--file-dates",), "--file-dates is for --before; add it"),
        (("--overwrite", "--repair"), "--overwrite loses what --repair keeps"),
        (
            ("--voter", "llm", "--rule", "learned"),
            "reads the votes of a verifier; add",
        ),
    ],
)
def test_an_option_that_would_do_nothing_is_refused(predict, options, message):
    code, _, warned = predict(*options)
    assert code == 2
    assert message in warned


def test_a_field_without_a_learned_verdict_is_one_line(predict, verifier, learned):
    learned.write_text(learned.read_text().replace('"news"', '"documents"'))
    options = ("--voter", "verifier", "--verifier", verifier, "--rule", "learned")
    code, _, warned = predict(*options, "--learned", learned)
    assert code == 3
    assert "has no learned verdict of the field news over votes by verifier" in warned


def test_a_check_by_the_verifier_reads_items_of_lists_and_no_headings(
    verifier, without_llm, tmp_path
):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "minutes.md").write_text(
        "# Ostvik town council\n\n## Members of the council\n\n- Ola Berg for the north\n- Kari\n\n"
        "The mayor spoke.\n\nWho was absent?\n\nThe council does not own:\n\n- ferries\n"
    )
    result = uhhrag.check(
        "The mayor of Ostvik was born in Norway.",
        docs=tmp_path / "docs",
        embedder=uhhrag.Loaded(hashing_embedder(), "a fake"),
        voter="verifier",
        verifier=verifier,
        questions="template",
        nearest=0,
        granularity="sentence",
    )
    answers = {piece.answer for piece in result[0].evidence}
    assert answers == {"Ola Berg for the north", "The mayor spoke.", "ferries"}


@pytest.mark.parametrize(
    ("voter", "fitted", "warned"),
    [("verifier", True, False), ("verifier", False, True), ("both", True, True)],
)
def test_votes_of_a_verifier_that_its_training_calibrated_are_not_called_uncalibrated(
    predict, verifier, tmp_path, voter, fitted, warned
):
    if not fitted:
        settings = json.loads((verifier / "verifier.json").read_text())
        plain = {**settings, "scale": 1, "bias": [0, 0, 0]}
        (verifier / "verifier.json").write_text(json.dumps(plain))
    options = ("--voter", voter, "--verifier", verifier, "--rule", "majority")
    code, _, told = predict(*options, "--limit", 1)
    assert (code, "No calibration" in told) == (0, warned)
    source = read_header(tmp_path / "run")["calibration"]["source"]
    assert source == ("none" if warned else "claims held out of the verifier's training")


def test_both_voters_are_asked(predict, verifier, tmp_path):
    code, _, warned = predict("--voter", "both", "--verifier", verifier)
    assert code == 0, warned
    signature = read_header(tmp_path / "run")["signature"]
    assert "|voter:both@" in signature
    assert "|llm:stand-in" in signature


def test_a_model_that_nobody_measured_casts_its_own_votes_and_the_user_is_told(predict, tmp_path):
    code, _, warned = predict()
    assert code == 0
    assert "stand-in casts the votes; whether the verifier would vote better was not" in warned
    assert "voter" not in read_header(tmp_path / "run")["signature"]
    _, _, warned = predict("--voter", "llm", "--overwrite")
    assert "casts the votes" not in warned


def test_the_default_model_votes_together_with_the_verifier():
    assert choose({}).settings.voter == "both"
    assert choose({}).settings.rule == "majority"
    assert choose({"llm": "another"}).settings.voter == "llm"
    assert choose({"verdict": "learned", "llm": "another"}).settings.voter == "verifier"
    for of_the_llm in ({"decoding": "paper"}, {"verdict": "all"}, {"prompts": ROOT / "prompts"}):
        assert choose(of_the_llm).settings.voter == "llm"


def test_own_documents_get_a_learned_verdict_without_a_language_model():
    settings = choose({}).for_documents().settings
    assert (settings.rule, settings.voter, settings.questions) == (
        "learned",
        "verifier",
        Questions.TEMPLATE,
    )
    assert not settings.needs_llm
    assert settings.nearest == 0
    assert settings.granularity.together
    assert not settings.titled  # a passage begins with its headings
    sentences = choose({"granularity": "sentence"}).for_documents().settings
    assert sentences.titled
    assert not choose({}).settings.granularity
    asked = choose({"llm": "another", "nearest": 0.1}).for_documents().settings
    assert (asked.rule, asked.voter, asked.nearest) == ("majority", "llm", 0.1)
    assert asked.questions is Questions.MIXED
    pursuit = choose({"approach": "pursuit"}).for_documents().settings
    assert pursuit.questions is Questions.LLM


def test_a_check_names_no_model_and_says_when_it_is_unclear(
    verifier, learned, without_llm, tmp_path
):
    entry = json.loads(learned.read_text())[0]
    entry |= {"field": "documents", "bias": [0.2, 0.4, 0.1, 0.0]}
    learned.write_text(json.dumps([entry]))
    page = {"url": "https://a.example/minutes", "url2text": ["The council of Ostvik met."]}
    (tmp_path / "store.jsonl").write_text(json.dumps(page) + "\n")
    result = uhhrag.check(
        "The council of Ostvik met.",
        docs=tmp_path / "store.jsonl",
        embedder=uhhrag.Loaded(hashing_embedder(), "a fake"),
        verifier=verifier,
        learned=learned,
    )
    (answer,) = result.answers
    assert (answer["status"], answer["leans"]) == ("unclear", "Refuted")
    assert answer["label"] == "Not Enough Evidence"
    assert answer["confidence"] < defaults.UNCLEAR_BELOW
    assert show_answer(answer).splitlines()[2].startswith("Unclear, leans refuted")


def test_the_seconds_of_the_verifier_are_noted(predict, verifier, without_llm, tmp_path):
    options = ("--voter", "verifier", "--verifier", verifier, "--questions", "template")
    assert predict(*options)[0] == 0
    timings = (tmp_path / "run" / "timings.jsonl").read_text().splitlines()
    assert all(json.loads(line)["seconds"]["verifier"] > 0 for line in timings)


def test_a_run_names_its_verifier_by_hashes_that_can_be_made_again(
    predict, verifier, without_llm, tmp_path
):
    options = ("--voter", "verifier", "--verifier", verifier, "--questions", "template")
    assert predict(*options, "--shard", "1/4")[0] == 0
    header = read_header(tmp_path / "run")
    place = Path(verifier)
    files = header["verifier"][place.name]
    assert "adapter_model.safetensors" in files or "model.safetensors" in files
    for name, said in files.items():
        assert hashlib.sha256((place / name).read_bytes()).hexdigest() == said
    assert (header["settings"]["llm"], header["prompts"]["texts"]) == (None, {})
    assert (header["shards"], header["claims"], len(header["claims_file"])) == (["1/4"], 12, 64)
    assert header["python"] == f"{platform.python_version()}, numpy {np.__version__}"
