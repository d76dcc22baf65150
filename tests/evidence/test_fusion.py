"""Rankings as one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from uhhrag.evidence.fusion import best_of, fused


def test_what_two_rankings_have_near_the_top_comes_before_what_one_has_first() -> None:
    assert best_of([[1, 2, 3], [4, 2, 5]], 3) == [2, 1, 4]


def test_a_score_is_the_sum_of_reciprocal_ranks() -> None:
    assert fused([[5, 6], [6]]) == {5: 1 / 61, 6: 1 / 62 + 1 / 61}


def test_nothing_comes_of_no_ranking() -> None:
    assert best_of([], 5) == []


@given(st.lists(st.lists(st.integers(0, 20), unique=True), max_size=4), st.integers(0, 10))
def test_each_number_comes_once_and_the_best_come_first(
    rankings: list[list[int]], size: int
) -> None:
    best, scores = best_of(rankings, size), fused(rankings)
    assert len(best) == min(size, len(scores)) == len(set(best))
    assert [scores[n] for n in best] == sorted(scores.values(), reverse=True)[:size]
