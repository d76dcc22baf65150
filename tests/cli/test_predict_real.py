"""`uhhrag index` and `predict` from the sample to verdicts with MiniLM and SmolLM2.

The small model's verdicts mean nothing; that they come out, and come out the same, does.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import ended_with
from tests.support.model_files import require_models
from tests.support.paths import SAMPLE
from tests.support.small_run import results
from uhhrag.runs.run_folder import read_header
from uhhrag.runs.trace import read_trace

pytestmark = pytest.mark.model

SYSTEMS = [
    ("retrieve-question", "majority", "constrained"),
    ("retrieve-question", "unanimous", "paper"),
    ("question-retrieve", "unanimous", "constrained"),
    ("question-retrieve", "all", "paper"),
]


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    """The sample's first two claims, embedded by MiniLM."""
    require_models("minilm", "smollm2-135m", "nltk-data")
    folder = tmp_path_factory.mktemp("real") / "index"
    assert ended_with("index", SAMPLE, "--out", folder, "--limit", 2) == 0
    return folder


def predict(index: Path, out: Path, *options: object) -> int:
    models_used = ("--llm", "smollm2-135m", "--threads", 1)
    return ended_with(
        "predict", "--index", index, "--out", out, "--limit", 1, *models_used, *options
    )


@pytest.mark.parametrize(("approach", "rule", "decoding"), SYSTEMS)
def test_a_claim_gets_a_verdict_on_real_sentences(
    index, tmp_path, capsys, approach, rule, decoding
):
    options = ("--approach", approach, "--rule", rule, "--decoding", decoding, "--top-n", 3)
    assert predict(index, tmp_path, *options) == 0
    (record,) = read_trace(tmp_path / "trace.jsonl")
    assert 1 <= len(record["evidence"]) <= 3
    assert len(record["votes"]) == (1 if rule == "all" else len(record["evidence"]))
    assert all(-1 <= e["retrieval_score"] <= 1 and e["urls"] for e in record["evidence"])
    assert record["label"] in capsys.readouterr().out


def test_the_same_run_twice_gives_the_same_bytes_with_and_without_the_memory(index, tmp_path):
    options = ("--approach", "question-retrieve")
    for name, more in (("a", ["--no-cache"]), ("b", ["--cache"]), ("c", ["--cache"])):
        assert predict(index, tmp_path / name, *options, *more) == 0
    assert results(tmp_path / "a") == results(tmp_path / "b") == results(tmp_path / "c")
    assert (index / "replies.sqlite").is_file()


def test_the_run_says_which_model_files_it_was_made_with(index, tmp_path):
    assert predict(index, tmp_path, "--questions", "template", "--top-n", 1) == 0
    header = read_header(tmp_path)
    for name in ("minilm", "smollm2-135m"):
        found = next(v for k, v in header["models"].items() if name in k.lower() or name in k)
        assert len(found) == 64
    assert header["prompts"]["texts"]["vote_constrained"].startswith("Decide")
