"""A memory for vectors changes how often a text is embedded, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.model_files import model_path
from uhhrag.backends.fakes import hashing_embedder
from uhhrag.backends.vector_cache import memoised

TEXTS = ["One.", "Two, and more.", "Drei: Straße.", "", "lone \ud800", "四"]


class Counting:
    """An embedder that keeps what it was asked."""

    def __init__(self, embed=None) -> None:
        self.embed, self.asked = embed or hashing_embedder(), []

    def __call__(self, texts, /):
        self.asked.append(list(texts))
        return self.embed(texts)


calls = st.lists(st.lists(st.sampled_from(TEXTS), max_size=8), max_size=12)


@given(calls, st.integers(1, 7))
def test_vectors_are_the_embedders_own_whatever_was_asked_before(asked, kept):
    plain, remembering = hashing_embedder(), memoised(hashing_embedder(), kept)
    for texts in asked:
        rows = remembering(texts)
        assert rows.dtype == np.float32
        assert np.array_equal(rows, plain(texts))


@given(calls)
def test_no_text_is_embedded_twice(asked):
    counting = Counting()
    remembering = memoised(counting)
    for texts in asked:
        remembering(texts)
    given_on = [text for texts in counting.asked for text in texts]
    assert len(given_on) == len(set(given_on))


def test_one_call_asks_for_what_is_new_in_order_and_once():
    counting = Counting()
    remembering = memoised(counting)
    remembering(["b"])
    remembering(["c", "b", "a", "c"])
    assert counting.asked == [["b"], ["c", "a"]]


def test_what_was_not_asked_for_longest_leaves_first():
    counting = Counting()
    remembering = memoised(counting, limit=2)
    for text in ("a", "b", "a", "c", "a", "b"):
        remembering([text])
    assert counting.asked == [["a"], ["b"], ["c"], ["b"]]


def test_a_call_with_more_texts_than_are_kept_is_answered():
    rows = memoised(hashing_embedder(), limit=2)(TEXTS)
    assert np.array_equal(rows, hashing_embedder()(TEXTS))


def test_no_text_gives_no_row():
    assert memoised(hashing_embedder(8))([]).shape == (0, 8)


def test_a_row_that_is_changed_outside_stays_as_it_was_inside():
    remembering = memoised(hashing_embedder())
    remembering(["a"])[:] = 9
    assert np.array_equal(remembering(["a"]), hashing_embedder()(["a"]))


def test_a_failed_call_is_not_remembered():
    def failing(texts):
        raise RuntimeError("no")

    counting = Counting(failing)
    remembering = memoised(counting)
    for _ in range(2):
        with pytest.raises(RuntimeError):
            remembering(["a"])
    assert counting.asked == [["a"], ["a"]]


@pytest.mark.model
def test_the_real_embedders_vectors_are_the_same_to_the_bit():
    from uhhrag.backends import sentence_transformer

    embed = sentence_transformer.load(model_path("minilm"))
    remembering = memoised(embed, limit=3)
    for texts in (TEXTS, TEXTS[::-1], [*TEXTS[2:5], "new"]):
        assert np.array_equal(remembering(texts), embed(texts))
