"""Relevant stretches of long texts (Chen et al., section 3.3); short texts and tails are kept."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

_K1, _B = 1.5, 0.75
_WORD = re.compile(r"\w+")
_GAP = " […] "


@dataclass(frozen=True, slots=True)
class Sizes:
    """In words, except `best`."""

    window: int = 30  # k1, section 4
    best: int = 10  # K1
    around: int = 150  # k2


@dataclass(frozen=True, slots=True)
class Excerpt:
    position: int
    text: str
    score: float
    """Of its best window."""


def excerpts(texts: Sequence[str], query: str, sizes: Sizes) -> list[Excerpt]:
    """Around the best windows, best first; white space is folded."""
    words = [text.split() for text in texts]
    places = [(i, window) for i, split in enumerate(words) for window in windows(len(split), sizes)]
    cut = [_words(" ".join(words[i][w.start : w.stop])) for i, w in places]
    scores = bm25(dict.fromkeys(_words(query)), cut)
    order = np.argsort(-scores, kind="stable")[: sizes.best]
    best: dict[int, list[tuple[range, float]]] = {}
    for row in map(int, order):
        if scores[row] > 0:
            position, window = places[row]
            best.setdefault(position, []).append((window, float(scores[row])))
    return [
        Excerpt(position, _joined(words[position], [w for w, _ in held], sizes.around), held[0][1])
        for position, held in best.items()
    ]


def bm25(query: Iterable[str], texts: Sequence[Sequence[str]]) -> NDArray[np.float64]:
    """Shape (texts,), with Lucene's idf: Okapi's is 0 or less for common words."""
    if not any(texts):
        return np.zeros(len(texts))
    words = tuple(query)
    scorer = BM25Okapi(texts, k1=_K1, b=_B)
    having = {word: sum(word in counts for counts in scorer.doc_freqs) for word in words}
    scorer.idf = {
        word: math.log1p((len(texts) - n + 0.5) / (n + 0.5)) for word, n in having.items()
    }
    scores: NDArray[np.float64] = scorer.get_scores(words)
    return scores


def windows(length: int, sizes: Sizes) -> Iterator[range]:
    """
    >>> list(windows(10, Sizes(window=4)))
    [range(0, 4), range(2, 6), range(4, 8), range(6, 10)]
    >>> list(windows(3, Sizes(window=4))), list(windows(0, Sizes()))
    ([range(0, 3)], [])
    """
    stride = max(1, sizes.window // 2)
    for start in range(0, max(length - sizes.window, 0) + stride, stride):
        if start < length:
            yield range(start, min(start + sizes.window, length))


def merged(stretches: Sequence[range]) -> list[range]:
    """
    >>> merged([range(8, 9), range(0, 4), range(3, 6)])
    [range(0, 6), range(8, 9)]
    """
    joined: list[range] = []
    for stretch in sorted(stretches, key=lambda span: span.start):
        if joined and stretch.start <= joined[-1].stop:
            joined[-1] = range(joined[-1].start, max(joined[-1].stop, stretch.stop))
        else:
            joined.append(stretch)
    return joined


def _joined(words: Sequence[str], held: Sequence[range], around: int) -> str:
    wide = [range(max(0, w.start - around), min(len(words), w.stop + around)) for w in held]
    return _GAP.join(" ".join(words[w.start : w.stop]) for w in merged(wide))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
