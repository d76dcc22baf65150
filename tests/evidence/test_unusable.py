"""What a run says of questions that the model did not write well."""

from __future__ import annotations

from uhhrag.evidence.steps import constant_question
from uhhrag.evidence.unusable import MISSING, REPLACED, note_on, unusable_questions
from uhhrag.records import Claim, Evidence, Label, Verdict

CLAIM = Claim(3, "The old bridge was closed in 2018.")
ASKED, CONSTANT = "When was it closed?", constant_question(CLAIM)


def verdict(*pairs: tuple[str, str], notes: tuple[str, ...] = ()) -> Verdict:
    """Of questions and the replies they were read from."""
    evidence = tuple(Evidence(question, "It was.", reply=reply) for question, reply in pairs)
    return Verdict(CLAIM, Label.REFUTED, evidence, (), notes=notes)


def test_notes_and_claims_without_one_are_counted_together():
    noted = verdict((ASKED, "Q"), (CONSTANT, ""), notes=("other", *note_on(4, 5, REPLACED)))
    well = verdict((ASKED, "Q"), (ASKED, "Q"), (CONSTANT, ""))
    older = verdict((CONSTANT, "The bridge."), (ASKED, "Q"))
    assert unusable_questions([noted, well, older]) == f"5 of 9 {REPLACED}"
    assert unusable_questions([verdict(notes=note_on(2, 3, MISSING)), well]) == f"2 of 5 {MISSING}"


def test_one_question_is_told_of_as_one():
    (replaced,) = note_on(1, 1, REPLACED)
    assert replaced == (
        "1 of 1 question that the model wrote was unusable; the constant question stands in its "
        "place"
    )
    (missing,) = note_on(1, 1, MISSING)
    assert missing.startswith("1 of 1 question that the model was asked for is missing, unusable")
    noted = [verdict(notes=(replaced,))]
    assert unusable_questions(noted) == replaced
    assert unusable_questions(noted * 2) == f"2 of 2 {REPLACED}"
    assert unusable_questions([verdict(notes=(missing,))] * 3) == f"3 of 3 {MISSING}"


def test_a_run_without_such_questions_says_nothing():
    assert unusable_questions([verdict((ASKED, "Q")), verdict((CONSTANT, ""))]) == ""
    assert note_on(0, 5, REPLACED) == ()
    assert unusable_questions([]) == ""
