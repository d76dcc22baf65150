"""Static vectors tell roughly what is near, for the price of looking words up."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import Whitespace

from uhhrag.backends.fakes import hashing_embedder
from uhhrag.backends.static_embeddings import distilled
from uhhrag.errors import ModelError

WORDS = ["rain", "fell", "on", "the", "hill", "bridge", "open", "##ed"]


@pytest.fixture(scope="module")
def coarse_score(tmp_path_factory):
    folder = tmp_path_factory.mktemp("embedder")
    pieces = {piece: number for number, piece in enumerate(["[UNK]", *WORDS])}
    tokenizer = Tokenizer(WordPiece(pieces, unk_token="[UNK]"))
    tokenizer.normalizer, tokenizer.pre_tokenizer = Lowercase(), Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    return distilled(hashing_embedder(256), folder)


def test_what_shares_words_with_the_query_is_nearer(coarse_score):
    scores = coarse_score("Rain fell", ["the bridge opened", "rain fell on the hill", "Rain fell"])
    assert list(np.argsort(-scores)) == [2, 1, 0]
    assert scores[2] == pytest.approx(1, abs=1e-6)


def test_a_common_word_counts_less_than_a_rare_one(coarse_score):
    pool = ["the hill", "the bridge", "the rain", "the the the", "bridge"]
    scores = dict(zip(pool, coarse_score("the bridge", pool), strict=True))
    assert scores["bridge"] > scores["the the the"]


texts = st.lists(st.sampled_from(WORDS) | st.text(max_size=4), max_size=6).map(" ".join)


@given(texts, st.lists(texts, max_size=700))
def test_every_text_has_a_finite_score_and_equal_texts_an_equal_one(coarse_score, query, pool):
    scores = coarse_score(query, pool)
    assert scores.shape == (len(pool),)
    assert np.isfinite(scores).all()
    by_text = {}
    assert all(by_text.setdefault(t, s) == s for t, s in zip(pool, scores, strict=True))


def test_broken_text_has_a_score_too(coarse_score):
    assert np.isfinite(coarse_score("\ud800", ["\ud800", "\x00", "", "rain " * 100_000])).all()


@pytest.mark.parametrize("content", [None, "{}", "no JSON"])
def test_a_folder_without_a_tokeniser_is_refused_on_one_line(tmp_path, content):
    if content is not None:
        (tmp_path / "tokenizer.json").write_text(content)
    with pytest.raises(ModelError, match=r"--cascade needs the embedder's tokenizer\.json"):
        distilled(hashing_embedder(), tmp_path)
