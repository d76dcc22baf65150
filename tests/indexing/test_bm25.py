from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from tests.support.small_store import unique
from uhhrag.indexing import bm25
from uhhrag.indexing.choices import Tokenizer
from uhhrag.indexing.term_counts import postings
from uhhrag.records import Hit, Passage
from uhhrag.store import knowledge_store
from uhhrag.text.nltk_tokenizer import word_tokenize

words = st.sampled_from(["a", "b", "c", "d", "A"])


@given(st.lists(words, max_size=6), st.lists(st.lists(words, max_size=8), min_size=1, max_size=12))
def test_scores_are_those_of_rank_bm25_to_the_last_bit(query, texts):
    if not any(texts):
        assert bm25.okapi(query, texts).tolist() == [0.0] * len(texts)
        assert bm25.okapi_of(query, postings(texts)).tolist() == [0.0] * len(texts)
        return
    expected = BM25Okapi(texts).get_scores(query)
    assert bm25.okapi(query, texts).tobytes() == (expected + 0.0).tobytes()
    assert bm25.okapi_of(query, postings(texts)).tobytes() == (expected + 0.0).tobytes()


def test_the_average_idf_counts_words_that_nobody_asked_for():
    # "a" stands in most texts, so its idf is a quarter of the average over all words.
    texts = [["a", "x"], ["a", "y"], ["a", "z"]]
    scores = bm25.okapi(["a"], texts)
    assert scores.tolist() == BM25Okapi(texts).get_scores(["a"]).tolist()
    assert scores.tolist() != bm25.okapi(["a"], [["a"], ["a"], ["a"]]).tolist()


@pytest.mark.parametrize("texts", [[], [[]], [[], []]])
def test_texts_without_words_score_nothing_and_break_nothing(texts):
    assert bm25.okapi(["a"], texts).tolist() == [0.0] * len(texts)


def passages(*texts: str) -> list[Passage]:
    return [Passage(text, (f"https://{i}.example",)) for i, text in enumerate(texts)]


pytestmark = pytest.mark.usefixtures("nltk_loaded")


def test_the_best_come_first_and_zero_scored_ones_fill_up_in_store_order():
    given_passages = passages(
        "A dog.", "Cows moo.", "The cat sat.", "Hens lay.", "The cat ran off."
    )
    hits = bm25.bm25("cat", given_passages, 4)
    assert [hit.passage for hit in hits] == [given_passages[i] for i in (2, 4, 0, 1)]
    assert [hit.score > 0 for hit in hits] == [True, True, False, False]


def test_ties_keep_store_order():
    same = passages(*["The cat sat."] * 40, *["No."] * 50)
    assert [hit.passage for hit in bm25.bm25("cat", same, 90)] == same


def test_case_counts_as_in_the_paper():
    assert bm25.bm25("Cat", passages("cat", "dog", "cow"), 1)[0].score == 0


def test_fewer_passages_than_asked_for_all_come():
    assert len(bm25.bm25("x", passages("x", "y"), 10_000)) == 2
    assert bm25.bm25("x", [], 10) == []
    assert bm25.bm25("", passages("x"), 10) == [Hit(passages("x")[0], 0.0)]


@pytest.mark.reference
@pytest.mark.parametrize("claim_id", [0, 13, 59])
@pytest.mark.parametrize("once", [True, False])
def test_order_on_real_stores_is_that_of_rank_bm25(shared, claim_id, once):
    claim = json.loads((shared / "averitec" / "dev60.json").read_text())[claim_id]["claim"]
    lines = tuple(knowledge_store.read(shared / "averitec" / "knowledge_store", claim_id))
    given_passages = unique(lines) if once else lines
    reference = BM25Okapi([word_tokenize(passage.text) for passage in given_passages])
    scores = reference.get_scores(word_tokenize(claim))
    order = np.argsort(-scores, kind="stable")[:500]
    texts = [passage.text for passage in given_passages]
    ours = bm25.scores_of(claim, texts, Tokenizer.NLTK)
    assert ours.tolist() == scores.tolist()
    assert bm25.best(ours, 500) == order.tolist()
