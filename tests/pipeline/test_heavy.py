"""The default models, the 1.5B one among them, on the sample: what a user sees first.

Some minutes; run by `scripts/test --all`.
"""

from __future__ import annotations

import json
import os
from collections import Counter

import pytest

from tests.support.command import ended_with
from tests.support.model_files import require_models
from tests.support.paths import SAMPLE
from uhhrag import models
from uhhrag.records import Label, PickOne, Prompt
from uhhrag.runs.trace import read_trace

pytestmark = [pytest.mark.heavy, pytest.mark.timeout(1800)]


@pytest.fixture(scope="module", autouse=True)
def _models():
    require_models("minilm", "qwen2.5-coder-1.5b", "nltk-data")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The demo's run: the twelve claims of the sample with all defaults."""
    folder = tmp_path_factory.mktemp("heavy")
    assert ended_with("index", SAMPLE, "--out", folder / "index") == 0
    assert ended_with("predict", "--index", folder / "index", "--out", folder / "run") == 0
    return folder / "run"


def test_the_default_run_uses_both_sides_and_is_right_more_often_than_one_label_would_be(run):
    gold = [claim["label"] for claim in json.loads((SAMPLE / "claims.json").read_text())]
    said = [record["label"] for record in read_trace(run / "trace.jsonl")]
    assert {Label.SUPPORTED, Label.REFUTED} <= set(said)
    right = sum(a == b for a, b in zip(gold, said, strict=True))
    assert right > Counter(gold).most_common(1)[0][1]


def test_every_vote_of_the_default_run_is_constrained_and_calibrated(run):
    header = json.loads((run / "run.json").read_text())
    assert header["calibration"]["source"] != "none"
    votes = [vote for record in read_trace(run / "trace.jsonl") for vote in record["votes"]]
    assert {vote["origin"] for vote in votes} == {"constrained"}
    assert len({round(vote["probability"], 3) for vote in votes}) > len(votes) / 4


def test_a_letter_chosen_in_a_batch_is_the_one_chosen_alone(run):
    from uhhrag.backends.llamacpp import model as llamacpp
    from uhhrag.prompts.templates import load_prompts

    llm = llamacpp.load(models.path("qwen2.5-coder-1.5b"), threads=os.cpu_count() or 1)
    template = load_prompts()("vote_constrained")
    for record in list(read_trace(run / "trace.jsonl"))[:3]:
        prompts: list[Prompt] = [
            template(claim=record["claim"], evidence=f"{e['question']} {e['answer']}")
            for e in record["evidence"]
        ]
        together = llm(prompts, PickOne(("A", "B", "C")))
        alone = [llm([prompt], PickOne(("A", "B", "C")))[0] for prompt in prompts]
        for batched, single in zip(together, alone, strict=True):
            first, second = sorted(single.logprobs)[:-3:-1]
            # Shapes of a batch move a log-probability by up to .1: nearer than that is a tie.
            if first - second > 0.3:
                assert batched.text == single.text
            assert batched.logprobs == pytest.approx(single.logprobs, abs=0.3)
