"""BM25: the best passages of a store for a claim (UHH, prefilter: BM25Okapi, best 10,000).

Scores are those of rank_bm25's BM25Okapi with its defaults, bit for bit: the same sums in the
same order. There is one query per store, so only the query's words get counts per passage;
every word still counts into the average idf. Left out: stemming, stop words, lower-casing.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from uhhrag.records import Hit, Passage
from uhhrag.tokens import word_tokenize

K1, B, EPSILON = 1.5, 0.75, 0.25
NAME = f"BM25Okapi(k1={K1}, b={B}, epsilon={EPSILON}), words of NLTK"
POOL = 10_000


def bm25(query: str, passages: Sequence[Passage], size: int = POOL) -> list[Hit]:
    """The best `size` passages, best first; ties keep the order of `passages`, and passages
    without any word of the query (score 0) fill up. Fewer when there are fewer."""
    scores = okapi(word_tokenize(query), (word_tokenize(p.text) for p in passages))
    best = np.argsort(-scores, kind="stable")[:size]
    return [Hit(passages[i], float(scores[i])) for i in best]


def okapi(query: Sequence[str], texts: Iterable[Sequence[str]]) -> NDArray[np.float64]:
    """The BM25Okapi score of each tokenised text, in order; zeros where no text has a word.

    >>> okapi(["cat"], [["a", "cat"], ["a", "dog"], ["the", "cow"]]).round(3).tolist()
    [0.511, 0.0, 0.0]
    """
    asked = frozenset(query)
    lengths: list[int] = []
    containing: Counter[str] = Counter()
    counts: dict[str, list[tuple[int, int]]] = {word: [] for word in query}
    for position, words in enumerate(texts):
        lengths.append(len(words))
        # Each word once and in order of first sight: the sum of the idfs follows this order.
        containing.update(dict.fromkeys(words).keys())
        for word in asked.intersection(words):
            counts[word].append((position, words.count(word)))
    if not containing:
        return np.zeros(len(lengths))
    idf = _idf(containing, len(lengths))
    length = np.array(lengths)
    norm = K1 * (1 - B + B * length / (sum(lengths) / len(lengths)))
    scores = np.zeros(len(lengths))
    for word in query:
        if word in idf:
            count = _column(counts[word], len(lengths))
            scores += idf[word] * (count * (K1 + 1) / (count + norm))
    return scores


def _idf(containing: Counter[str], texts: int) -> dict[str, float]:
    """Of each word; a negative one, of a word in more than half the texts, becomes a quarter of
    the average."""
    known: dict[int, float] = {}
    idf: dict[str, float] = {}
    total = 0.0
    for word, number in containing.items():
        if number not in known:
            known[number] = math.log(texts - number + 0.5) - math.log(number + 0.5)
        idf[word] = known[number]
        total += idf[word]
    floor = EPSILON * (total / len(idf))
    return {word: value if value >= 0 else floor for word, value in idf.items()}


def _column(counts: Sequence[tuple[int, int]], texts: int) -> NDArray[np.int64]:
    column = np.zeros(texts, dtype=np.int64)
    for position, count in counts:
        column[position] = count
    return column
