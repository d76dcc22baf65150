"""What becomes of what an approach found: its own verdict, and evidence that is not near enough."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.support.small_run import CLAIMS, METHOD, by, corpus_for
from uhhrag.backends.fakes import scripted_llm
from uhhrag.evidence.context import Granularity
from uhhrag.pipeline import decide
from uhhrag.records import NO_ANSWER, Evidence, Finding, Grade, Label, Origin
from uhhrag.rules.rules import RULES
from uhhrag.runs.trace import as_record
from uhhrag.store.filters import Limits


def reaching(label, grade=None):
    """A method whose approach reaches a verdict of its own."""

    def approach(claim, corpus, tools, top, options):
        found = METHOD.approach(claim, corpus, tools, top, options)
        return replace(found, label=label, grade=grade, notes=("Settled early.",))

    return replace(METHOD, approach=approach)


def unasked(prompts, ask):
    raise AssertionError("asked")


@pytest.mark.parametrize("rule", ["early", "early-pairs"])
def test_the_early_rules_let_the_approachs_own_verdict_stand_without_a_vote(rule):
    method = replace(reaching(Label.SUPPORTED, Grade.TRUE), **by(RULES[rule], unasked))
    verdict = decide(CLAIMS[0], corpus_for(CLAIMS[0]), method)
    assert (verdict.label, verdict.grade) == (Label.SUPPORTED, Grade.TRUE)
    assert [vote.origin for vote in verdict.votes] == [Origin.OWN]
    assert verdict.notes == ("Settled early.",)
    record = as_record(verdict, {})
    assert (record["grade"], record["votes"][0]["grade"]) == ("true", "true")


def test_a_claim_without_an_early_verdict_is_not_enough_evidence_or_voted_on_late():
    early = replace(METHOD, **by(RULES["early"], unasked))
    verdict = decide(CLAIMS[0], corpus_for(CLAIMS[0]), early)
    assert (verdict.label, verdict.votes) == (Label.NOT_ENOUGH, ())
    voter = scripted_llm({"pairs_constrained": ["B"]})
    late = replace(METHOD, **by(RULES["early-pairs"], voter))
    verdict = decide(CLAIMS[0], corpus_for(CLAIMS[0]), late)
    assert (verdict.label, len(verdict.votes)) == (Label.REFUTED, 1)


def finding(*pairs, label=None):
    """A method whose approach finds pairs of an answer and its similarity."""
    evidence = tuple(Evidence("Is it so?", a, retrieval_score=score) for a, score in pairs)
    return replace(METHOD, approach=lambda *_: Finding(evidence, label), nearest=0.3)


@pytest.mark.parametrize(
    ("pairs", "kept", "note"),
    [
        ([("Near.", 0.3)], ["Near."], None),
        (
            [("Far.", 0.2999), (NO_ANSWER, 0.0), ("Near.", 0.4)],
            [NO_ANSWER, "Near."],
            "1 of 2 passages left out: similarity 0.29 at most, below 0.30",
        ),
        ([("Near.", 0.4), (NO_ANSWER, 0.0)], ["Near.", NO_ANSWER], None),
        (
            [("Far.", 0.2), (NO_ANSWER, 0.0), ("Off.", 0.1)],
            [],
            "no passage is near enough: similarity 0.20 at most, below 0.30",
        ),
        ([(NO_ANSWER, 0.0)], [], "no passage is near enough: no question has an answer"),
        ([], [], None),
    ],
)
def test_what_is_not_near_enough_is_left_out_and_an_unanswered_question_is_no_passage(
    pairs, kept, note
):
    verdict = decide(CLAIMS[0], corpus_for(CLAIMS[0]), finding(*pairs))
    assert [item.answer for item in verdict.evidence] == kept
    assert verdict.notes == ((note,) if note else ())
    assert (verdict.label is Label.NOT_ENOUGH) is (not kept)


def test_pieces_of_which_the_same_would_be_read_are_counted():
    method = replace(finding(("A.", 0.4), ("A.", 0.35)), granularity=Granularity(around=1))
    verdict = decide(CLAIMS[0], corpus_for(CLAIMS[0]), method)
    assert [item.retrieval_score for item in verdict.evidence] == [0.4]
    assert verdict.notes == (
        "1 of 2 pieces left out: with window:1, the text is that of a better one",
    )


def test_an_early_verdict_does_not_outlive_its_evidence():
    far = replace(finding(("Far.", 0.2), label=Label.SUPPORTED), **by(RULES["early"]))
    verdict = decide(CLAIMS[0], corpus_for(CLAIMS[0]), far)
    assert (verdict.label, verdict.votes) == (Label.NOT_ENOUGH, ())
    near = replace(finding(("Near.", 0.4), label=Label.SUPPORTED), **by(RULES["early"]))
    assert decide(CLAIMS[0], corpus_for(CLAIMS[0]), near).label is Label.SUPPORTED


def test_a_late_verdict_overrides_the_early_one():
    voter = scripted_llm({"pairs_constrained": ["B"]})
    method = replace(reaching(Label.SUPPORTED), **by(RULES["pairs"], voter))
    assert decide(CLAIMS[0], corpus_for(CLAIMS[0]), method).label is Label.REFUTED


def test_a_claim_is_searched_and_read_without_what_stands_round_it_and_kept_as_given():
    asked: list[str] = []

    def approach(claim, corpus, tools, top, options):
        asked.append(claim.text)
        return METHOD.approach(claim, corpus, tools, top, options)

    given = replace(CLAIMS[0], text=f"BREAKING: {CLAIMS[0].text} #varnby #news https://t.co/x")
    verdict = decide(given, corpus_for(CLAIMS[0]), replace(METHOD, approach=approach))
    assert asked == [CLAIMS[0].text]
    assert verdict.claim == given
    plain = decide(CLAIMS[0], corpus_for(CLAIMS[0]), METHOD)
    assert (verdict.label, verdict.evidence) == (plain.label, plain.evidence)


FOUND = "The contract price is 4.35 million."


@pytest.mark.parametrize(
    ("sentence", "before", "stays"),
    [
        ("Correction, 7 February 2024: The price is 4.35 million, not 6 million.", "", False),
        (FOUND, "Correction, 7 February 2024: An earlier version said 6 million.", False),
        (FOUND, "This article was amended on February 7, 2024: an earlier version erred.", False),
        ("UPDATE (2024-02-08): The wall is built.", "", False),
        ("Clarification added on 8 March 2024: The price is 4.35 million.", "", False),
        ("Corrected 5 February 2024: The price is 4.35 million.", "", True),
        (FOUND, "Correction, 6 February 2024: An earlier version said 6 million.", True),
        ("The contract was corrected on 7 February 2024.", "", True),
        ("Correction: the wall opens on 7 February 2025, not in May.", "", True),
        ("The wall opens on 7 February 2025.", "", True),
    ],
)
def test_a_correction_after_the_last_day_decides_nothing(sentence, before, stays):
    item = Evidence("Is it so?", sentence, retrieval_score=0.9, before=before)
    found = replace(METHOD, approach=lambda *_: Finding((item,)))
    for limits, kept in (
        (Limits(), True),
        (Limits("2025-03-01"), True),
        (Limits("2024-02-06"), stays),
        (Limits("claim-date"), stays),
    ):
        claim = replace(CLAIMS[0], date="2024-02-06")
        verdict = decide(claim, corpus_for(claim), replace(found, limits=limits))
        assert [one.answer for one in verdict.evidence] == [sentence] * kept
        told = ("1 piece left out: corrections after the last day allowed",)
        assert verdict.notes == (() if kept else told)
