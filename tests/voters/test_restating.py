"""Readings with a claim's figures replaced by those of the evidence."""

from __future__ import annotations

from collections.abc import Sequence

from uhhrag.rules.learned import Stance
from uhhrag.voters.restating import with_figures

_CLAIM = "More than 300 people came to the fair."


def _number_blind(pairs: Sequence[tuple[str, str]]) -> list[Stance]:
    """Sure of claims whose figures the evidence has, else of the claim's side by halves."""
    return [
        (0.95, 0.02, 0.03)
        if any(part in text for part in (claim.split()[0], claim.split()[-1]))
        else (0.5, 0.4, 0.1)
        for text, claim in pairs
    ]


def test_arithmetic_decides_where_a_figure_is_surely_meant() -> None:
    for count, side, told in ((312, 0, "312: more than 300"), (288, 1, "288: not more than 300")):
        (read,) = with_figures(_number_blind, [(f"On Friday {count} people were there.", _CLAIM)])
        assert read.stance[side] > 0.8
        assert read.told == told
        assert abs(sum(read.stance) - 1) < 1e-9


def test_a_claim_without_comparison_costs_no_reading_more() -> None:
    asked: list[int] = []

    def entailment(pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        asked.append(len(pairs))
        return _number_blind(pairs)

    (read,) = with_figures(entailment, [("On Friday 312 people were there.", "312 people came.")])
    assert asked == [1]
    assert read.told == ""


def test_only_found_sentences_of_a_passage_have_figures() -> None:
    asked: list[str] = []

    def entailment(pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        asked.extend(claim for _, claim in pairs)
        return _number_blind(pairs)

    with_figures(entailment, [("Fair. In May 90 came. » On Friday 312 came. « No. 7 won.", _CLAIM)])
    assert asked == [_CLAIM, "312 people came to the fair."]
