"""What `predict` prints of a claim."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.support.pages import claim_view, evidence, vote
from uhhrag.records import Grade, Label, Verdict, Vote
from uhhrag.views.claim_summary import verdict_sentence
from uhhrag.views.run_view import ClaimView
from uhhrag.views.verdict_text import show

SILENT = replace(vote(Label.SUPPORTED, 0.9), reply="C")


def decided(label: Label, *votes: Vote, **more: object) -> Verdict:
    """On pieces that are called by their rank."""
    items = tuple(evidence(f"Piece {number}.") for number, _ in enumerate(votes, start=1))
    return replace(claim_view().verdict, label=label, votes=votes, evidence=items, **more)


@pytest.mark.parametrize(
    ("votes", "piece"),
    [
        ((SILENT, vote(Label.SUPPORTED, 0.7), vote(Label.SUPPORTED, 0.84)), 3),
        ((vote(Label.REFUTED, 0.9), vote(Label.SUPPORTED, 0.7), vote(Label.SUPPORTED, 0.7)), 2),
        ((vote(Label.REFUTED, 0.9), vote(Label.REFUTED, 0.7), SILENT), 3),
        ((vote(Label.REFUTED, None), vote(Label.SUPPORTED, None)), 2),
        ((vote(Label.REFUTED, 0.9), vote(Label.REFUTED, 0.7)), 1),
    ],
)
def test_the_piece_that_is_shown_says_most_for_the_verdicts_side(votes, piece):
    shown = show(decided(Label.SUPPORTED, *votes))
    assert f"  A: Piece {piece}." in shown.splitlines()


def test_of_a_verdict_without_a_side_the_best_ranked_piece_is_shown():
    votes = (vote(Label.REFUTED, 0.6), vote(Label.SUPPORTED, 0.9))
    assert "A: Piece 1." in show(decided(Label.CONFLICTING, *votes))


def test_a_verdict_that_only_leans_shows_what_says_most_for_its_leaning():
    votes = (vote(Label.SUPPORTED, 0.6), vote(Label.REFUTED, 0.6), vote(Label.REFUTED, 0.8))
    shown = show(decided(Label.NOT_ENOUGH, *votes, leaning=Label.REFUTED))
    assert "A: Piece 3." in shown
    assert "  Not Enough Evidence: of 3 pieces 1 for it and 2 against it." in shown
    assert "  the votes lean to Refuted, but not clearly enough" in shown


def test_the_counts_are_those_of_the_report_in_its_words():
    verdict = decided(Label.SUPPORTED, SILENT, vote(Label.SUPPORTED, 0.84))
    counts = (
        "Supported by 1 of 2 pieces (piece 2); 1 without a side; the rule takes each at its "
        "likelier side: 2 supported. Confidence 0.87."
    )
    assert " ".join(show(verdict).split()).startswith(f"0. {verdict.claim.text} {counts} Q: ")
    assert verdict_sentence(ClaimView(verdict.claim, verdict)) == counts


def test_a_grade_and_a_claim_without_evidence_are_told():
    graded = decided(Label.REFUTED, vote(), vote_per_piece=False, grade=Grade.FALSE)
    assert "  Refuted (false), judged from 1 piece of evidence together." in show(graded)
    bare = replace(graded, evidence=(), votes=(), label=Label.NOT_ENOUGH, grade=None)
    assert show(bare).splitlines()[-2:] == [
        "  Not Enough Evidence",
        "  no evidence was found in the store",
    ]
