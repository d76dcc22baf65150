"""Reciprocal rank fusion (Cormack et al. 2009)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

RANK_CONSTANT = 60


def fused(rankings: Iterable[Sequence[int]], constant: int = RANK_CONSTANT) -> dict[int, float]:
    """Number → sum of 1 / (constant + rank)."""
    scores: dict[int, float] = {}
    for numbers in rankings:
        for rank, number in enumerate(numbers, start=1):
            scores[number] = scores.get(number, 0.0) + 1 / (constant + rank)
    return scores


def best_of(
    rankings: Iterable[Sequence[int]], size: int, constant: int = RANK_CONSTANT
) -> list[int]:
    """Best first."""
    scores = fused(rankings, constant)
    return sorted(scores, key=lambda number: -scores[number])[:size]
