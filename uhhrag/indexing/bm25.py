"""BM25: the best passages of a store for a claim (UHH, prefilter: BM25Okapi, best 10,000).

The formula is rank_bm25's BM25Okapi with its defaults. With the words of NLTK the scores are its
scores bit for bit: the same sums in the same order. With fast words, the default, they differ only
where a word is split differently and where the mean idf, which only words in more than half of the
passages need, is that of a sample. Left out: stemming, stop words, lower-casing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from uhhrag.defaults import POOL
from uhhrag.indexing import term_counts
from uhhrag.indexing.choices import Tokenizer
from uhhrag.indexing.term_counts import TermCounts
from uhhrag.records import Hit, Passage
from uhhrag.text.nltk_tokenizer import punkt_rules, word_tokenize, words_of

K1, B, EPSILON = 1.5, 0.75, 0.25


_FORMULA = f"BM25Okapi(k1={K1}, b={B}, epsilon={EPSILON})"
NAMES = {
    Tokenizer.FAST: f"{_FORMULA}, fast words",
    Tokenizer.NLTK: f"{_FORMULA}, words of NLTK",
}
NAME = NAMES[Tokenizer.FAST]


def bm25(
    query: str,
    passages: Sequence[Passage],
    size: int = POOL,
    tokenizer: Tokenizer = Tokenizer.FAST,
) -> list[Hit]:
    """The best `size` passages, best first; ties keep the order of `passages`, and passages
    without any word of the query (score 0) fill up. Fewer when there are fewer."""
    scores = scores_of(query, [passage.text for passage in passages], tokenizer)
    return [Hit(passages[i], float(scores[i])) for i in best(scores, size)]


def scores_of(
    query: str, texts: Sequence[str], tokenizer: Tokenizer = Tokenizer.FAST
) -> NDArray[np.float64]:
    """The BM25Okapi score of each text, shape (texts,), in order."""
    words = word_tokenize(query)
    if tokenizer is Tokenizer.NLTK:
        return okapi(words, words_of(texts))
    distinct = tuple(dict.fromkeys(words))
    return _scores(words, distinct, term_counts.quickly(distinct, texts, punkt_rules()))


def best(scores: NDArray[np.float64], size: int) -> list[int]:
    """The positions of the `size` best scores, best first; ties by position."""
    order: list[int] = np.argsort(-scores, kind="stable")[:size].tolist()
    return order


def okapi(query: Sequence[str], texts: Iterable[Sequence[str]]) -> NDArray[np.float64]:
    """The BM25Okapi score of each tokenised text, in order; zeros where no text has a word.

    >>> okapi(["cat"], [["a", "cat"], ["a", "dog"], ["the", "cow"]]).round(3).tolist()
    [0.511, 0.0, 0.0]
    """
    distinct = tuple(dict.fromkeys(query))
    return _scores(query, distinct, term_counts.exactly(distinct, texts))


def _scores(
    query: Sequence[str], distinct: Sequence[str], counted: TermCounts
) -> NDArray[np.float64]:
    """The score of each text, shape (texts,); `distinct` are the query's words, once each, in the
    order of `counted.counts`. A word in more than half of the texts, whose idf is negative, weighs
    a quarter of the mean idf instead; a word in none weighs nothing."""
    scores = np.zeros(len(counted.lengths))
    if not counted.lengths.any():
        return scores
    mean = int(counted.lengths.sum()) / len(counted.lengths)
    norm = K1 * (1 - B + B * counted.lengths / mean)
    row_of = {word: row for row, word in enumerate(distinct)}
    for word in query:
        count = counted.counts[row_of[word]]
        if texts_with := int(np.count_nonzero(count)):
            idf = term_counts.idf(texts_with, len(scores))
            weight = idf if idf >= 0 else EPSILON * counted.mean_idf
            scores += weight * (count * (K1 + 1) / (count + norm))
    return scores
