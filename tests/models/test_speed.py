"""`uhhrag bench-llm`: what is measured and shown."""

from __future__ import annotations

import pytest

from tests.support.command import ended_with
from tests.support.model_files import require_models
from uhhrag.models.speed import _EVIDENCE, RAW, Speed, measure, show
from uhhrag.prompts.templates import load_prompts
from uhhrag.records import Reply

TEMPLATE = load_prompts()("vote_constrained")


class Clock:
    """A model that computes a token a second of a clock of its own, votes at half that rate; half
    of each prompt is shared. The first of everything takes far longer."""

    vocabulary = 100

    def __init__(self) -> None:
        self.tokens_computed, self.now = 0, 0.0
        self.raw: list[list[int]] = []

    def read(self, tokens):
        self.raw.append(list(tokens))
        self._compute(len(tokens), 1)

    def __call__(self, prompts, ask, /):
        assert ask.options == ("A", "B", "C")
        self._compute(50 * len(prompts), 2)
        return [Reply("A", (-1.0,) * 3, prompt_tokens=100) for _ in prompts]

    def _compute(self, count, seconds):
        self.tokens_computed += count
        self.now += count * seconds * (100 if len(self.raw) == 1 else 1)


def test_the_median_after_the_first_round_counts(monkeypatch):
    llm = Clock()
    monkeypatch.setattr("time.perf_counter", lambda: llm.now)
    speed = measure(llm, TEMPLATE, rounds=3)
    assert (speed.raw, speed.votes, speed.share) == (1.0, 0.5, 0.5)
    assert (speed.count, speed.asked, speed.computed) == (10, 1000, 500)
    assert [len(tokens) for tokens in llm.raw] == [RAW] * 4
    assert all(0 <= token < 100 for tokens in llm.raw for token in tokens)


def test_what_is_shown_fits_a_terminal():
    said = show("m" * 200, 128, Speed(12345.6, 11111.1, 123456, 65432, 10))
    assert max(map(len, said.splitlines())) <= 80
    assert "90 % of the raw rate" in said


@pytest.mark.model
def test_a_real_model_is_measured(capsys, monkeypatch):
    monkeypatch.setattr("uhhrag.models.speed.RAW", 64)
    monkeypatch.setattr("uhhrag.models.speed._EVIDENCE", _EVIDENCE[:3])
    require_models("smollm2-135m")
    assert ended_with("bench-llm", "--llm", "smollm2-135m", "--threads", 1, "--rounds", 1) == 0
    said = capsys.readouterr().out
    assert said.startswith("smollm2-135m, 1 thread\n")
    assert "3 votes take" in said


@pytest.mark.parametrize(
    ("llm", "code", "said"),
    [
        ("http://127.0.0.1:1/v1", 2, "is a server; only models of this program are measured"),
        ("minilm-of-nobody", 5, "minilm-of-nobody"),
        (".", 5, ". is not a language model"),
    ],
)
def test_what_cannot_be_measured_is_named(capsys, llm, code, said):
    assert ended_with("bench-llm", "--llm", llm) == code
    warned = capsys.readouterr().err
    assert said in warned
    assert warned.count("\n") == 1
