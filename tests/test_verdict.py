"""Votes and rules: UHH paper, section 3.4, and what its code does where the two differ."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uhhrag.backends.tiny import scripted_llm
from uhhrag.calibration import NONE, Calibration
from uhhrag.prompts import load_prompts
from uhhrag.records import Claim, Evidence, Generate, Label, Origin, Prompt, Reply, Vote
from uhhrag.verdict import (
    RULES,
    VOTE_OPTIONS,
    Decoding,
    cast,
    constrained_vote,
    majority,
    margin,
    read_label,
    read_vote,
    template_of,
    unanimous,
)

S, R, N, C = Label.SUPPORTED, Label.REFUTED, Label.NOT_ENOUGH, Label.CONFLICTING
CLAIM = Claim(0, "The bridge is open.")
TWO = (Evidence("Is it open?", "It is."), Evidence("Since when?", "Since May."))


def votes(*labels: Label) -> list[Vote]:
    return [Vote(label, Origin.READ, "") for label in labels]


@pytest.mark.parametrize(
    ("cast_labels", "expected"),
    [
        ([S, S, S], S),
        ([R], R),
        ([S, S, R], S),
        ([R, S, R, S, S], S),
        ([S, R], S),  # a tie goes to the better-ranked evidence
        ([R, S, S, R], R),
        ([S] * 8 + [R, N], C),  # three kinds, even at 8-1-1
        ([N, N, R], N),
        ([], N),
    ],
)
def test_majority_follows_strategy_2(cast_labels, expected):
    assert majority(votes(*cast_labels)) is expected


@pytest.mark.parametrize(
    ("cast_labels", "expected"),
    [([S, S], S), ([R], R), ([S, R], C), ([S] * 9 + [R], C), ([N, N], N), ([], N)],
)
def test_unanimous_follows_strategy_1(cast_labels, expected):
    assert unanimous(votes(*cast_labels)) is expected


@pytest.mark.parametrize(
    ("reply", "label", "origin"),
    [
        ('{"label": "Supported", "score": 0.9}', S, Origin.READ),
        (' {"label": "Refuted", "score": 0.1}\n', R, Origin.READ),
        ('{"label": "Supported"}', S, Origin.READ),
        ('{"label": "Unclear", "score": 0.5}', N, Origin.READ),
        ('{"label": "Unclear", "score": 0.51}', R, Origin.DEFAULTED),
        ('{"label": "Unclear", "score": 0}', R, Origin.DEFAULTED),
        ('{"label": "Unclear"}', R, Origin.DEFAULTED),
        ('{"label": "Unclear", "score": "0.2"}', R, Origin.DEFAULTED),  # this crashed theirs
        ('{"label": "Unclear", "score": NaN}', R, Origin.DEFAULTED),
        ('{"label": "Unclear", "score": true}', R, Origin.DEFAULTED),
        ('{"score": 0.2}', R, Origin.DEFAULTED),
        ('{"label": ["Supported"]}', R, Origin.DEFAULTED),
        ('```json\n{"label": "Supported"}\n```', R, Origin.DEFAULTED),
        ('{"label": "Supported", "sc', R, Origin.DEFAULTED),
        ("[]", R, Origin.DEFAULTED),
        ("", R, Origin.DEFAULTED),
        ("[" * 100_000, R, Origin.DEFAULTED),
    ],
)
def test_a_paper_vote_is_read_in_the_order_of_its_code(reply, label, origin):
    assert read_vote(reply) == (label, origin)


@pytest.mark.parametrize("label", list(Label))
def test_a_paper_label_is_read_only_when_exact(label):
    assert read_label(f'{{"label": "{label}"}}') == (label, Origin.READ)
    assert read_label(f'{{"label": "{label}."}}') == (R, Origin.DEFAULTED)


@given(st.text())
def test_reading_a_reply_never_raises(reply):
    read_vote(reply)
    read_label(reply)


def test_a_constrained_vote_takes_the_likelier_side_even_when_neither_is_the_models_first():
    reply = Reply("C", (math.log(0.1), math.log(0.05), math.log(0.85)))
    vote = constrained_vote(reply, VOTE_OPTIONS, NONE)
    assert vote.label is S
    assert vote.probability == pytest.approx(2 / 3)
    assert vote.origin is Origin.CONSTRAINED
    assert vote.reply == "C"
    assert vote.options["C"] == pytest.approx(math.log(0.85))


def test_a_calibration_moves_the_border_between_the_sides():
    reply = Reply("B", (math.log(0.3), math.log(0.6), math.log(0.1)))
    assert constrained_vote(reply, VOTE_OPTIONS, NONE).label is R
    moved = Calibration(scale=1.0, bias=(1.0, 0.0))
    assert constrained_vote(reply, VOTE_OPTIONS, moved).label is S


@given(
    st.lists(st.floats(-50, 0), min_size=2, max_size=4),
    st.floats(0.01, 10),
)
def test_calibrated_probabilities_add_up_to_one_and_keep_the_order(logprobs, scale):
    probabilities = Calibration(scale)(logprobs)
    assert math.fsum(probabilities) == pytest.approx(1)
    for i, j in zip(range(len(logprobs)), range(1, len(logprobs)), strict=False):
        if logprobs[i] < logprobs[j]:
            assert probabilities[i] <= probabilities[j]


def test_votes_come_in_the_order_of_the_evidence_and_see_question_and_answer():
    asked = []

    def letter(prompt: Prompt) -> str:
        asked.append(prompt.text)
        return "A" if "Since May" in prompt.text else "B"

    found = cast(
        scripted_llm({"vote_constrained": letter}),
        load_prompts()("vote_constrained"),
        CLAIM,
        TWO,
        RULES["majority"],
        Decoding.CONSTRAINED,
        NONE,
    )
    assert [v.label for v in found] == [R, S]
    assert "Is it open? It is." in asked[0]
    assert CLAIM.text in asked[0]


@pytest.mark.parametrize("decoding", list(Decoding))
def test_the_rule_all_casts_one_vote_over_all_evidence(decoding):
    rule = RULES["all"]
    step = template_of(rule, decoding)
    said = {Decoding.CONSTRAINED: "D", Decoding.PAPER: f'{{"label": "{C}"}}'}[decoding]
    found = cast(
        scripted_llm({step: [said]}), load_prompts()(step), CLAIM, TWO, rule, decoding, NONE
    )
    assert [v.label for v in found] == [C]
    assert rule.decide(found) is C


def test_paper_decoding_asks_with_the_papers_limits():
    asked = []

    def llm(prompts, ask):
        asked.append(ask)
        return [Reply('{"label": "Supported"}')] * len(prompts)

    template = load_prompts()("vote_paper")
    found = cast(llm, template, CLAIM, TWO, RULES["unanimous"], Decoding.PAPER, NONE)
    assert asked == [Generate(32, repetition_penalty=1.204819277108434)]
    assert {v.origin for v in found} == {Origin.READ}


@pytest.mark.parametrize("rule", RULES)
def test_no_evidence_is_not_enough_evidence_without_asking_a_model(rule):
    def llm(prompts, ask):
        raise AssertionError("asked")

    template = load_prompts()(template_of(RULES[rule], Decoding.CONSTRAINED))
    found = cast(llm, template, CLAIM, (), RULES[rule], Decoding.CONSTRAINED, NONE)
    assert RULES[rule].decide(found) is N


def test_the_margin_counts_votes_for_the_other_side_against_the_verdict():
    two = [Vote(R, Origin.CONSTRAINED, "B", 0.9), Vote(S, Origin.CONSTRAINED, "A", 0.7)]
    assert margin(two, R) == pytest.approx((0.9 + 0.3) / 2)
    assert margin(votes(R, R), R) is None
