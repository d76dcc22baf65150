"""The related systems as commands: every approach and every rule, recipes, the scale of six.

Models are stand-ins that know one line for each step.
"""

from __future__ import annotations

import json
import re
import shutil
from itertools import cycle

import numpy as np
import pytest

from tests.support.command import call
from tests.support.doubles import FAKE, fake_embed, load_nltk_data
from tests.support.paths import SAMPLE
from uhhrag.approaches import APPROACHES
from uhhrag.backends import transformers_models
from uhhrag.backends.fakes import scripted_llm
from uhhrag.config.choices import Choices
from uhhrag.formats.submission import read_predictions
from uhhrag.protocols import Reranker
from uhhrag.rules.rules import RULES, Decoding, template_of
from uhhrag.runs.run_folder import read_header
from uhhrag.runs.trace import read_trace
from uhhrag.wiring import embedders, llms, rerankers
from uhhrag.wiring.machine import Loaded

pytestmark = pytest.mark.slow

ASKED = "Did water boil on the mountain?\nWhen was it measured there?"
SCRIPT = {
    "ask_about": [ASKED],
    "decompose": [ASKED],
    "question_set": [ASKED],
    "answer": ["It boils at 93 degrees."],
    "statement": ["Water boils at 93 degrees."],
    "entails_constrained": ["A"],
    "ask_first": ['["Does water boil on the mountain?'],
    "ask_next": ["[[False"],
    "best_document": ["Document 1"],
    "answer_document": ["It boils at 93 degrees."],
    "paraphrase": ['["Is it so that water boils there?", "Will water boil up there?"]'],
    "yes_no": ["Does water boil on the mountain?\nIs it so?"],
    "summarise": ["It boils at 93 degrees."],
    "vote_constrained": ["A", "B"],
    "vote_paper": ['{"label": "Supported"}'],
    "label_constrained": ["B"],
    "label_paper": ['{"label": "Refuted"}'],
    "pairs_constrained": ["B"],
    "pairs_paper": ["[[B]]"],
    "pairs_four_constrained": ["D"],
    "pairs_four_paper": ["[[D]]"],
    "justify": ["Justification: So it is.\nLabel: Refuted"],
    "grade_constrained": ["C"],
    "grade_paper": ["half true"],
}

LLM_RULES = [name for name, rule in RULES.items() if not rule.learned]
"""The learned verdict reads the votes of a verifier; see test_voter."""


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    """An index of the first claim of the sample."""
    load_nltk_data()
    folder = tmp_path_factory.mktemp("related-systems")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(embedders, "load_embedder", lambda *_: (fake_embed, FAKE))
        code, _, error = call("index", SAMPLE, "--out", folder / "index", "--limit", 1)
    assert not code, error
    return folder / "index"


@pytest.fixture
def uhhrag(monkeypatch):
    """Run a command with stand-ins for the models: exit code, output, errors."""
    llm = scripted_llm(SCRIPT)
    reranker = Reranker(lambda q, ts, /: np.ones(len(ts), np.float32), lambda t: 5, 512)
    monkeypatch.setattr(llms, "load_llm", lambda *_: (llm, "f" * 64))
    monkeypatch.setattr(embedders, "load_embedder", lambda *_: (fake_embed, FAKE))
    monkeypatch.setattr(rerankers, "load_reranker", lambda *_: Loaded(reranker, "r@0"))
    return call


@pytest.fixture
def predict(uhhrag, index, tmp_path):
    def run(*options: object) -> tuple[int, str, str]:
        return uhhrag("predict", "--index", index, "--out", tmp_path / "run", *options)

    return run


def traced(tmp_path):
    (record,) = read_trace(tmp_path / "run" / "trace.jsonl")
    return record


@pytest.mark.parametrize(("rule", "approach"), [*zip(LLM_RULES, cycle(APPROACHES), strict=False)])
def test_any_rule_goes_with_any_approach(predict, tmp_path, rule, approach):
    code, said, warned = predict("--approach", approach, "--rule", rule)
    assert code == 0, warned
    record = traced(tmp_path)
    assert record["evidence"]
    assert ("grade" in record) is (rule == "six-point")
    assert "1 claim decided" in said
    assert [p.id for p in read_predictions(tmp_path / "run")] == [0]


@pytest.mark.parametrize(
    ("approach", "rule"),
    [
        ("pursuit", "pairs"),
        ("pursuit", "pairs-four"),
        ("pursuit", "early-pairs"),
        ("entailed-qa", "justified"),
        ("entailed-qa", "justified-40"),
        ("summaries", "six-point"),
    ],
)
def test_a_verdict_that_cannot_be_read_is_not_enough_evidence(
    predict, tmp_path, monkeypatch, approach, rule
):
    verdicts = {template_of(RULES[rule], decoding) for decoding in Decoding}
    unread = {step: ["I would rather not say."] for step in verdicts}
    llm = scripted_llm({**SCRIPT, "ask_next": ["Nothing."], **unread})
    monkeypatch.setattr(llms, "load_llm", lambda *_: (llm, "f" * 64))
    code, _, warned = predict("--approach", approach, "--rule", rule, "--decoding", "paper")
    assert code == 0, warned
    record = traced(tmp_path)
    assert record["label"] == "Not Enough Evidence"
    assert {vote["origin"] for vote in record["votes"]} == {"defaulted"}
    assert record.get("grade") is None


@pytest.mark.parametrize("rule", [name for name in LLM_RULES if RULES[name].options])
def test_every_rule_can_be_read_from_text(predict, tmp_path, rule):
    code, _, warned = predict("--approach", "pursuit", "--rule", rule, "--decoding", "paper")
    assert code == 0, warned
    assert {vote["origin"] for vote in traced(tmp_path)["votes"]} <= {"read", "own"}


@pytest.mark.parametrize("approach", APPROACHES)
def test_without_a_rule_an_approach_has_its_papers(predict, tmp_path, approach):
    assert predict("--approach", approach)[0] == 0
    signature = read_header(tmp_path / "run")["signature"]
    assert f"verdict:{APPROACHES[approach].rule}|" in signature


@pytest.mark.parametrize("recipe", ["fzi-wim", "papelo", "chen"])
def test_a_recipe_is_the_approach_with_its_papers_settings(predict, tmp_path, recipe):
    code, _, warned = predict("--recipe", recipe)
    assert code == 0, warned
    assert traced(tmp_path)["evidence"]


def test_a_recipe_gives_way_to_what_is_asked_for(predict, tmp_path):
    code, _, warned = predict("--recipe", "uhh", "--llm", "mine", "--rule", "pairs")
    assert code == 0, warned
    assert "gte-base-en-v1.5 as its embedder" in warned
    header = read_header(tmp_path / "run")
    assert "verdict:pairs|top:10|" in header["signature"]
    assert "decoding:paper" in header["signature"]
    assert header["settings"]["llm"] == "mine"


@pytest.mark.parametrize("approach", [name for name in APPROACHES if APPROACHES[name].asks])
def test_an_approach_that_cannot_do_without_a_model_says_so(predict, approach):
    code, _, warned = predict("--approach", approach, "--questions", "template")
    assert code == 2
    assert "leave --questions template out" in warned


def test_a_rule_without_probabilities_cannot_be_calibrated(uhhrag, tmp_path):
    for rule in ("early", "justified", "six-point"):
        code, _, warned = uhhrag(
            "calibrate", tmp_path / "x", "--out", tmp_path / "o", "--rule", rule
        )
        assert code == 2
        assert f"--rule {rule} has no probabilities of labels" in warned


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder that stands for a model of the user's own, which calls everything half true."""
    made = tmp_path / "own"
    made.mkdir()
    (made / "config.json").write_text("{}")
    monkeypatch.setattr(
        transformers_models, "load_writer", lambda path: lambda texts, /: ["is it so up there"]
    )
    monkeypatch.setattr(
        transformers_models,
        "load_classifier",
        lambda path: lambda texts, /: [{"half-true": 1.0}] * len(texts),
    )
    return made


def test_a_writers_folder_asks_and_stands_with_its_hash_in_the_signature(predict, tmp_path, folder):
    code, _, warned = predict("--approach", "pursuit", "--set", f"first={folder}")
    assert code == 0, warned
    assert traced(tmp_path)["evidence"][0]["question"] == "is it so up there?"
    assert "options:first=own@" in read_header(tmp_path / "run")["signature"]


def test_a_classifiers_folder_gives_the_verdict_without_being_asked_twice(
    predict, tmp_path, folder
):
    code, said, warned = predict("--approach", "summaries", "--set", f"classifier={folder}")
    assert code == 0, warned
    assert "(half true)" in said
    record = traced(tmp_path)
    assert (record["grade"], [vote["origin"] for vote in record["votes"]]) == ("half true", ["own"])


def test_a_classifier_of_other_classes_is_refused_before_the_first_claim(
    predict, folder, monkeypatch
):
    monkeypatch.setattr(
        transformers_models, "load_classifier", lambda path: lambda texts, /: [{"LABEL_0": 1.0}]
    )
    code, _, warned = predict("--approach", "summaries", "--set", f"classifier={folder}")
    assert code == 5
    assert "its class 'LABEL_0' is neither a label nor a grade" in warned


def test_a_folder_that_is_none_is_refused_before_the_first_claim(predict, tmp_path):
    code, _, warned = predict("--approach", "pursuit", "--set", f"next={tmp_path / 'none'}")
    assert code == 5
    assert "is not a folder" in warned


def test_grades_are_measured_where_gold_is_on_the_scale_of_six(uhhrag, predict, tmp_path):
    assert predict("--approach", "summaries", "--rule", "six-point")[0] == 0
    gold = tmp_path / "gold.json"
    gold.write_text(json.dumps([{"claim": "c", "label": "mostly-true"}]))
    run = tmp_path / "run"
    code, said, warned = uhhrag("evaluate", run, "--gold", gold)
    assert code == 0, warned
    assert re.search(r"^ *soft accuracy +1\.0000", said, re.MULTILINE)
    assert re.search(r"^ *MAE +1\.0000", said, re.MULTILINE)
    code, said, _ = uhhrag("evaluate", run, "--gold", gold, "--json")
    assert json.loads(said)["runs"][0]["measures"]["MAE"]["value"] == 1.0
    shutil.copytree(run, tmp_path / "other")
    code, said, _ = uhhrag("compare", run, tmp_path / "other", "--gold", gold)
    assert code == 0
    assert "second minus first" in said
    table = tmp_path / "each.csv"
    assert uhhrag("evaluate", run, "--gold", gold, "--per-claim", table)[0] == 0
    assert table.read_text().splitlines()[1] == "0,mostly true,half true,1"


def test_a_run_without_grades_is_told_how_to_make_some(uhhrag, predict, tmp_path):
    assert predict("--approach", "summaries")[0] == 0
    gold = tmp_path / "gold.json"
    gold.write_text(json.dumps([{"claim": "c", "label": "false"}]))
    code, _, warned = uhhrag("evaluate", tmp_path / "run", "--gold", gold)
    assert code == 3
    assert "uhhrag predict --rule six-point" in warned


def test_the_defaults_of_the_command_are_those_of_the_settings(predict, tmp_path):
    assert predict("--voter", "llm", "--questions", "llm")[0] == 0
    header = read_header(tmp_path / "run")
    told = header["settings"]
    assert header["used"] == {"rule": "majority", "top": 10}
    expected = {name: getattr(Choices(), name) for name in Choices.__dataclass_fields__}
    given = {"voter": "llm", "questions": "llm", "granularity": "sentence"}
    assert {**told, "options": ()} == {**expected, **given}
