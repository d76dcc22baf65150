"""How the next token is drawn from logits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from uhhrag.backends.llamacpp.sequences import (
    Running,
    next_token,
    seeds,
    within_top_k,
)
from uhhrag.records import Generate

ROWS = arrays.arrays(
    np.float32, st.integers(1, 40), elements=st.floats(-20, 20, width=32, allow_nan=False)
)
SIX = np.log(np.array([0.05, 0.3, 0.1, 0.35, 0.15, 0.05], np.float32))


def running(row, seed=0):
    return Running((), (), False, np.random.default_rng(seed), row)


def draws(row, ask, count=4000):
    sequence = running(row)
    return np.bincount([next_token(sequence, ask) for _ in range(count)], minlength=row.size)


@given(ROWS)
def test_temperature_0_takes_the_likeliest_and_uses_no_chance(row):
    sequence = running(row)
    before = sequence.chance.bit_generator.state
    assert next_token(sequence, Generate(1, top_k=3)) == row.argmax()
    assert sequence.chance.bit_generator.state == before


def test_tokens_are_drawn_as_often_as_they_are_likely():
    shares = draws(SIX, Generate(1, temperature=1.0)) / 4000
    assert shares == pytest.approx(np.exp(SIX), abs=0.03)


def test_a_temperature_below_1_sharpens_and_above_1_flattens():
    for temperature in (0.5, 2.0):
        wanted = np.exp(SIX / temperature)
        shares = draws(SIX, Generate(1, temperature=temperature)) / 4000
        assert shares == pytest.approx(wanted / wanted.sum(), abs=0.03)


def test_only_the_top_k_are_drawn():
    counts = draws(SIX, Generate(1, temperature=1.0, top_k=2))
    assert np.flatnonzero(counts).tolist() == [1, 3]


def test_a_variate_of_0_lets_no_excluded_token_win():
    class Nothing:
        def standard_exponential(self, size):
            return np.zeros(size)

    sequence = Running((), (), False, Nothing(), SIX)
    assert next_token(sequence, Generate(1, temperature=1.0, top_k=2)) == 3


@given(ROWS, st.integers(0, 50))
def test_top_k_keeps_the_largest_and_those_equal_to_the_last(row, k):
    kept = np.flatnonzero(within_top_k(row, k) > -np.inf)
    assert len(kept) >= min(k or row.size, row.size)
    if 0 < k < row.size:
        assert (row[kept] >= np.sort(row)[-k]).all()
        assert (np.delete(row, kept) < np.sort(row)[-k]).all()


@given(st.lists(st.sampled_from(["a", "b", "c"]), max_size=8), st.integers(0, 9))
def test_a_prompts_seed_depends_on_its_text_and_the_equal_ones_before_it_alone(texts, seed):
    found = list(seeds(seed, texts))
    assert len(set(found)) == len(found)
    for text in "abc":
        own = [s for s, t in zip(found, texts, strict=True) if t == text]
        assert own == list(seeds(seed, [text] * len(own)))


def test_small_changes_of_the_logits_seldom_change_a_draw():
    """What another shape of the batch does: the reason for Gumbel's trick."""
    chance = np.random.default_rng(1)
    same = 0
    for seed in range(500):
        row = chance.normal(0, 3, 1000).astype(np.float32)
        moved = row + chance.normal(0, 0.05, 1000).astype(np.float32)
        ask = Generate(1, temperature=1.0)
        same += next_token(running(row, seed), ask) == next_token(running(moved, seed), ask)
    assert same > 470
