"""rank_bm25's BM25Okapi with its defaults, bit for bit with NLTK's words. Fast words, the default,
split rare words otherwise and sample the mean idf."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from uhhrag.indexing import term_counts
from uhhrag.indexing.choices import Tokenizer
from uhhrag.indexing.term_counts import Postings, TermCounts
from uhhrag.records import Hit, Passage
from uhhrag.text.nltk_tokenizer import punkt_rules, word_tokenize, words_of

K1, B, EPSILON = 1.5, 0.75, 0.25

_FORMULA = f"BM25Okapi(k1={K1}, b={B}, epsilon={EPSILON})"
NAMES = {Tokenizer.FAST: f"{_FORMULA}, fast words", Tokenizer.NLTK: f"{_FORMULA}, words of NLTK"}
NAME = NAMES[Tokenizer.FAST]


def bm25(query: str, passages: Sequence[Passage], size: int) -> list[Hit]:
    """Best first; ties keep their order. Passages of score 0 fill up."""
    scores = scores_of(query, [passage.text for passage in passages])
    return [Hit(passages[i], float(scores[i])) for i in best(scores, size)]


def scores_of(
    query: str, texts: Sequence[str], tokenizer: Tokenizer = Tokenizer.FAST
) -> NDArray[np.float64]:
    """Shape (texts,)."""
    words = word_tokenize(query)
    if tokenizer is Tokenizer.NLTK:
        return okapi(words, words_of(texts))
    distinct = tuple(dict.fromkeys(words))
    return _scores(words, distinct, term_counts.quickly(distinct, texts, punkt_rules()))


def best(scores: NDArray[np.float64], size: int) -> list[int]:
    """Indices, best first; ties by index."""
    order: list[int] = np.argsort(-scores, kind="stable")[:size].tolist()
    return order


def okapi(query: Sequence[str], texts: Iterable[Sequence[str]]) -> NDArray[np.float64]:
    return okapi_of(query, term_counts.postings(texts, frozenset(query)))


def okapi_of(query: Sequence[str], counted: Postings) -> NDArray[np.float64]:
    """As `okapi`, for many queries."""
    distinct = tuple(dict.fromkeys(query))
    return _scores(query, distinct, counted.counts_of(distinct))


def _scores(
    query: Sequence[str], distinct: Sequence[str], counted: TermCounts
) -> NDArray[np.float64]:
    """`distinct` is in the order of `counted`. A negative idf becomes EPSILON times the mean."""
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
