"""Windows of long texts: nothing lost, the best ones widened and merged."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uhhrag.evidence.excerpts import Sizes, bm25, excerpts, merged, windows

FILLER = " ".join(f"word{i}" for i in range(1000))
SIZES = st.builds(Sizes, window=st.integers(1, 9), best=st.integers(1, 9), around=st.integers(0, 5))


@given(st.integers(0, 200), SIZES)
def test_windows_cover_every_word_and_none_is_longer_than_its_size(length, sizes):
    found = list(windows(length, sizes))
    assert {i for window in found for i in window} == set(range(length))
    assert all(0 < len(window) <= sizes.window for window in found)
    assert len(set(found)) == len(found)


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 9))))
def test_merged_stretches_cover_the_same_and_do_not_touch(pairs):
    stretches = [range(start, start + length) for start, length in pairs]
    found = merged(stretches)
    assert {i for one in found for i in one} == {i for one in stretches for i in one}
    assert all(a.stop < b.start for a, b in itertools.pairwise(found))


def test_a_text_shorter_than_a_window_is_found():
    (found,) = excerpts(["Short and true."], "true", Sizes())
    assert (found.position, found.text) == (0, "Short and true.")


@pytest.mark.parametrize("length", range(28, 65))
def test_the_last_word_of_a_text_is_found(length):
    text = " ".join(f"w{i}" for i in range(length - 1)) + " needle"
    (found,) = excerpts([text], "needle", Sizes(around=0))
    assert found.text.endswith("needle")


def test_the_best_window_is_widened_on_both_sides_within_its_text():
    before, after = FILLER.split()[:500], FILLER.split()[500:]
    text = " ".join([*before, "needle", *after])
    (found,) = excerpts([text], "needle", Sizes(best=1))
    words = found.text.split()
    assert len(words) == 30 + 2 * 150
    assert "needle" in words
    (start,) = excerpts(["needle " + FILLER], "needle", Sizes(best=1))
    assert len(start.text.split()) == 30 + 150


def test_overlapping_windows_are_merged_and_distant_ones_joined_with_a_gap():
    near = " ".join(["needle", *FILLER.split()[:100], "needle"])
    (one,) = excerpts([near], "needle", Sizes())
    assert one.text == near
    far = " ".join(["needle", *FILLER.split(), "needle"])
    (two,) = excerpts([far], "needle", Sizes())
    assert two.text.count("needle") == 2
    assert two.text.count("[…]") == 1


def test_texts_are_ranked_by_their_best_window_and_unrelated_ones_left_out():
    texts = ["nothing here", "one needle in the hay", "needle needle", "hay and more hay"]
    found = excerpts(texts, "needle", Sizes())
    assert [e.position for e in found] == [2, 1]
    assert found[0].score > found[1].score


def test_equal_texts_keep_their_order():
    found = excerpts(["a needle", "a needle", "no", "no", "no", "no"], "needle", Sizes())
    assert [e.position for e in found] == [0, 1]


def test_no_text_gives_nothing():
    assert excerpts([], "needle", Sizes()) == []
    assert excerpts(["", " "], "needle", Sizes()) == []
    assert excerpts(["a needle"], "?", Sizes()) == []


TEXTS = st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=12), min_size=1)


@given(TEXTS)
def test_a_text_scores_above_nothing_where_it_has_a_word_of_the_query(texts):
    scores = bm25(["a", "b"], texts)
    assert [score > 0 for score in scores] == [bool({"a", "b"} & set(words)) for words in texts]


@given(TEXTS)
def test_scores_are_those_of_the_formula_word_by_word(texts):
    mean = sum(map(len, texts)) / len(texts)

    def score(words):
        total = 0.0
        for word in ("a", "b"):
            held = sum(word in other for other in texts)
            idf = math.log(1 + (len(texts) - held + 0.5) / (held + 0.5))
            count = words.count(word)
            total += idf * count * 2.5 / (count + 1.5 * (0.25 + 0.75 * len(words) / mean))
        return total

    assert bm25(["a", "b"], texts).tolist() == pytest.approx([score(words) for words in texts])
