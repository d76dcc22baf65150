"""The end of a list of claims in a terminal."""

from __future__ import annotations

from uhhrag.documents.draft import Draft, DraftSentence
from uhhrag.views.verdict_text import left_out, overview


def test_each_claim_has_its_number_its_verdict_and_its_beginning_in_a_line():
    answers = [
        {"claim": "It rained.", "verdict": "Unclear, leans refuted", "leans": "Refuted"},
        {"claim": "Snow fell on Amber Hill " * 9, "verdict": None, "leans": None, "label": None},
    ]
    first, second, third = overview(answers).splitlines()
    assert first == "All claims: 1 unclear, 1 without a verdict"
    assert second == "   1. Unclear, leans refuted  It rained."
    answers[0] |= {"given_id": "sheet Wards, row 7", "leans": None, "label": "Refuted"}
    tally, named, _ = overview(answers).splitlines()
    assert tally == "All claims: 1 refuted, 1 without a verdict"
    assert named == "   1. Unclear, leans refuted  (sheet Wards, row 7) It rained."
    assert third.startswith("   2. no verdict              Snow fell on Amber Hill Snow")
    assert (len(third), third[-1]) == (80, "…")


def test_what_was_not_checked_is_said_with_the_reason():
    sentences = (
        DraftSentence("We shall see.", 0, "about the future"),
        DraftSentence("Snow fell.", 0, check=0),
        DraftSentence("It cost 32 million.", 0, "does not say who or what “It” is"),
    )
    assert left_out(Draft("a.txt", sentences)).splitlines() == [
        "Not checked (2 sentences):",
        "  - about the future: We shall see.",
        "  - does not say who or what “It” is: It cost 32 million.",
    ]
    assert left_out(Draft("a.txt", sentences[1:2])) == ""
