"""Votes and rules: UHH paper, section 3.4, and what its code does where the two differ."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uhhrag.backends.fakes import scripted_llm
from uhhrag.pipeline import grade_of, own_vote
from uhhrag.prompts.templates import load_prompts
from uhhrag.records import (
    Claim,
    Evidence,
    Finding,
    Generate,
    Grade,
    Label,
    Origin,
    Prompt,
    Reply,
    Vote,
)
from uhhrag.rules.rules import (
    GRADE_OPTIONS,
    LABEL_OF,
    RULES,
    SIDE_OPTIONS,
    Decoding,
    baseline,
    commonest,
    majority,
    template_of,
    unanimous,
    weighted,
)
from uhhrag.voters.ballot import constrained_vote
from uhhrag.voters.calibration import NONE
from uhhrag.voters.language_model import cast

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
    ("cast_labels", "expected"),
    [([S, N], S), ([N, R, R], R), ([S, N, R], C), ([N, N], N), ([], N)],
)
def test_the_baseline_passes_over_votes_that_take_no_side(cast_labels, expected):
    assert baseline(votes(*cast_labels)) is expected


def sure(label: Label, probability: float) -> Vote:
    return Vote(label, Origin.CONSTRAINED, "", probability)


def test_a_weighted_vote_counts_by_its_probability_and_gives_the_rest_to_the_other_side():
    one_sure = [sure(R, 0.52), sure(R, 0.51), sure(R, 0.53), sure(S, 0.95)]
    assert majority(one_sure) is R
    assert weighted(one_sure) is S


def test_weighted_ties_go_to_the_better_ranked_evidence():
    assert weighted([sure(R, 0.5)]) is R
    assert weighted([sure(S, 0.75), sure(R, 0.75)]) is S
    assert weighted([sure(R, 0.75), sure(S, 0.75)]) is R


def test_votes_without_a_probability_weigh_one():
    assert weighted(votes(S, R, R)) is R
    assert weighted(votes(N, N, S)) is N
    assert weighted([]) is N


@given(st.lists(st.tuples(st.sampled_from([S, R]), st.floats(0.5, 1)), min_size=1))
def test_weighted_is_the_side_with_the_higher_mean_probability(cast_votes):
    given_votes = [sure(label, p) for label, p in cast_votes]
    for_support = [p if label is S else 1 - p for label, p in cast_votes]
    mean = sum(for_support) / len(for_support)
    if abs(mean - 0.5) > 1e-9:
        assert weighted(given_votes) is (S if mean > 0.5 else R)


def test_the_commonest_label_of_the_samples_that_could_be_read_is_the_verdict():
    unread = Vote(N, Origin.DEFAULTED, "")
    assert commonest([unread, unread, *votes(R)]) is R
    assert commonest(votes(S, R, C, R)) is R
    assert commonest(votes(C, R)) is C
    assert commonest([unread]) is N
    assert commonest([]) is N


def test_a_silent_vote_is_not_enough_evidence_with_the_share_of_its_letter():
    reply = Reply("C", (math.log(0.1), math.log(0.1), math.log(0.6)))
    vote = constrained_vote(reply, SIDE_OPTIONS, NONE, silent=N)
    assert (vote.label, vote.origin) == (N, Origin.CONSTRAINED)
    assert vote.probability == pytest.approx(0.75)
    heard = Reply("B", (math.log(0.1), math.log(0.5), math.log(0.4)))
    assert constrained_vote(heard, SIDE_OPTIONS, NONE, silent=N).label is R


def test_the_baseline_asks_what_majority_asks_and_hears_silence():
    script = scripted_llm({"vote_constrained": ["C", "A"]})
    template = load_prompts()("vote_constrained")
    found = cast(script, template, CLAIM, TWO, RULES["baseline"], Decoding.CONSTRAINED, NONE)
    assert [v.label for v in found] == [N, S]
    assert RULES["baseline"].decide(found) is S


@pytest.mark.parametrize(
    ("rule", "decoding", "said", "label", "origin"),
    [
        ("pairs", Decoding.CONSTRAINED, "B", R, Origin.CONSTRAINED),
        ("pairs", Decoding.CONSTRAINED, "C", S, Origin.CONSTRAINED),  # A and B are even: the first
        ("pairs", Decoding.PAPER, "Clearly [[A]].", S, Origin.READ),
        ("pairs", Decoding.PAPER, "[[C]]", N, Origin.DEFAULTED),  # not one of the two
        ("pairs", Decoding.PAPER, "It is hard to say.", N, Origin.DEFAULTED),
        ("pairs-four", Decoding.CONSTRAINED, "D", C, Origin.CONSTRAINED),
        ("pairs-four", Decoding.PAPER, "[[C]]", N, Origin.READ),
        ("justified", Decoding.CONSTRAINED, "It says so.\nLabel: Supported", S, Origin.READ),
        ("justified", Decoding.PAPER, "It says so, and", N, Origin.DEFAULTED),
        ("six-point", Decoding.PAPER, "Half true.", C, Origin.READ),
        ("six-point", Decoding.PAPER, "Well.", N, Origin.DEFAULTED),
    ],
)
def test_one_vote_is_cast_over_all_pairs(rule, decoding, said, label, origin):
    shown = []

    def line(prompt: Prompt) -> str:
        shown.append(prompt.text)
        return said

    found = RULES[rule]
    step = template_of(found, decoding)
    (vote,) = cast(
        scripted_llm({step: line}), load_prompts()(step), CLAIM, TWO, found, decoding, NONE
    )
    assert (vote.label, vote.origin) == (label, origin)
    assert found.decide([vote]) is label
    assert "Question 1: Is it open?\nAnswer 1: It is.\nQuestion 2: Since when?" in shown[0]


def test_a_pair_that_stands_twice_is_shown_once():
    seen = []

    def line(prompt: Prompt) -> str:
        seen.append(prompt.text)
        return "A"

    template = load_prompts()("pairs_constrained")
    llm = scripted_llm({"pairs_constrained": line})
    for evidence in (TWO, TWO + TWO):
        cast(llm, template, CLAIM, evidence, RULES["pairs"], Decoding.CONSTRAINED, NONE)
    assert seen[0] == seen[1]


def test_forty_samples_share_one_call_and_the_commonest_wins():
    asked = []

    def llm(prompts, ask):
        asked.append((len(prompts), len(set(prompts)), ask))
        said = ["Label: Refuted"] * 3 + ["Label: Supported"] * 2 + ["Label: none of these"] * 35
        return [Reply(text) for text in said]

    rule = RULES["justified-40"]
    found = cast(llm, load_prompts()("justify"), CLAIM, TWO, rule, Decoding.CONSTRAINED, NONE)
    ask = Generate(192, temperature=0.7, top_k=50)
    assert asked == [(40, 1, ask)]
    assert rule.decide(found) is R
    assert sum(v.origin is Origin.DEFAULTED for v in found) == 35


@pytest.mark.parametrize(("letter", "grade"), GRADE_OPTIONS.items())
def test_a_grade_is_kept_beside_the_label_it_maps_to(letter, grade):
    step = template_of(RULES["six-point"], Decoding.CONSTRAINED)
    llm = scripted_llm({step: [letter]})
    rule = RULES["six-point"]
    found = cast(llm, load_prompts()(step), CLAIM, TWO, rule, Decoding.CONSTRAINED, NONE)
    assert (found[0].grade, found[0].label) == (grade, LABEL_OF[grade])
    assert grade_of(found, rule.decide(found)) is grade


def test_the_scale_of_six_maps_onto_three_labels_in_its_order():
    assert [LABEL_OF[grade] for grade in Grade] == [S, S, C, R, R, R]


def test_the_approachs_own_verdict_is_a_vote_and_none_is_none():
    (vote,) = own_vote(Finding(TWO, R, grade=Grade.FALSE))
    assert (vote.label, vote.grade, vote.origin) == (R, Grade.FALSE, Origin.OWN)
    assert own_vote(Finding(TWO)) == ()
    assert RULES["early"].decide(()) is N
