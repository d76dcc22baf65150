"""Votes: letters, calibration, what a model is asked, and the confidence they give a verdict."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uhhrag.backends.fakes import scripted_llm
from uhhrag.config.choices import Choices, Parts
from uhhrag.config.settings import parse
from uhhrag.errors import UsageError
from uhhrag.prompts.templates import load_prompts
from uhhrag.records import Claim, Evidence, Generate, Label, Origin, Prompt, Reply, Verdict, Vote
from uhhrag.rules.learned import NEWS
from uhhrag.rules.rules import RULES, SIDE_OPTIONS, Decoding, template_of
from uhhrag.views.votes import before_calibration
from uhhrag.voters.ballot import constrained_vote
from uhhrag.voters.calibration import NONE, SHIPPED, Calibration
from uhhrag.voters.language_model import cast
from uhhrag.voters.opening import voter_of
from uhhrag.wiring.voters import open_voter

S, R, N, C = Label.SUPPORTED, Label.REFUTED, Label.NOT_ENOUGH, Label.CONFLICTING
CLAIM = Claim(0, "The bridge is open.")
TWO = (Evidence("Is it open?", "It is."), Evidence("Since when?", "Since May."))


def test_a_constrained_vote_takes_the_likelier_side_even_when_neither_is_the_models_first():
    reply = Reply("C", (math.log(0.1), math.log(0.05), math.log(0.85)))
    vote = constrained_vote(reply, SIDE_OPTIONS, NONE)
    assert vote.label is S
    assert vote.probability == pytest.approx(2 / 3)
    assert vote.origin is Origin.CONSTRAINED
    assert vote.reply == "C"
    assert vote.options["C"] == pytest.approx(math.log(0.85))


def test_a_calibration_moves_the_border_between_the_sides():
    reply = Reply("B", (math.log(0.3), math.log(0.6), math.log(0.1)))
    assert constrained_vote(reply, SIDE_OPTIONS, NONE).label is R
    moved = Calibration(scale=1.0, bias=(1.0, 0.0))
    vote = constrained_vote(reply, SIDE_OPTIONS, moved)
    assert vote.label is S
    assert before_calibration(vote) == ("Refuted", pytest.approx(2 / 3))


def test_a_calibration_that_changes_no_label_is_not_mentioned():
    reply = Reply("A", (math.log(0.6), math.log(0.3), math.log(0.1)))
    moved = Calibration(scale=1.0, bias=(1.0, 0.0))
    assert before_calibration(constrained_vote(reply, SIDE_OPTIONS, moved)) is None
    silent = Reply("C", (math.log(0.2), math.log(0.1), math.log(0.7)))
    assert before_calibration(constrained_vote(silent, SIDE_OPTIONS, moved, N)) is None
    assert before_calibration(Vote(S, Origin.READ, "Supported")) is None


@pytest.mark.parametrize(
    ("choices", "parts"),
    [
        (Choices(rule="justified", voter="llm"), Parts()),
        (Choices(rule="majority", voter="llm", decoding=Decoding.PAPER), Parts()),
        (Choices(rule="majority", voter="mine@1"), Parts(voter=voter_of(lambda *_: [], "1"))),
    ],
)
def test_a_calibration_that_changes_no_vote_is_refused(choices, parts):
    settings = parse(replace(choices, calibration=SHIPPED), parts)
    with pytest.raises(UsageError, match=r"calibrations\.json is for votes by letters"):
        open_voter(settings, NEWS, "m", None)
    none = parse(replace(choices, calibration=Path("none")), parts)
    assert open_voter(none, NEWS, "m", None).calibration == NONE


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


@pytest.mark.parametrize("rule", [name for name in RULES if RULES[name].step])
def test_no_evidence_is_not_enough_evidence_without_asking_a_model(rule):
    def llm(prompts, ask):
        raise AssertionError("asked")

    template = load_prompts()(template_of(RULES[rule], Decoding.CONSTRAINED))
    found = cast(llm, template, CLAIM, (), RULES[rule], Decoding.CONSTRAINED, NONE)
    assert RULES[rule].decide(found) is N


def confidence_of(votes, label, **other):
    return Verdict(CLAIM, label, (), tuple(votes), **other).confidence


def test_the_confidence_counts_votes_for_the_other_side_against_the_verdict():
    two = [Vote(R, Origin.CONSTRAINED, "B", 0.9), Vote(S, Origin.CONSTRAINED, "A", 0.7)]
    assert confidence_of(two, R) == pytest.approx((0.9 + 0.3) / 2)
    assert confidence_of([Vote(R, Origin.READ, "")], R) is None
    assert confidence_of(two, N, leaning=R) == confidence_of(two, R)


def test_the_confidence_of_a_learned_verdict_is_the_probability_of_its_label():
    two = [Vote(R, Origin.CONSTRAINED, "B", 0.9), Vote(S, Origin.CONSTRAINED, "A", 0.7)]
    assert confidence_of(two, S, probabilities={S: 0.2, R: 0.8}) == 0.2
    assert confidence_of(two, N, leaning=R, probabilities={N: 0.2, R: 0.8}) == 0.8
