"""What BM25 needs of the words of a store when there is one query: the length of each text, how
often it has each word of the query, and the mean idf. No index, no word kept."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from uhhrag.text import fast_tokenizer
from uhhrag.text.fast_tokenizer import Rules

_BLOCK = 2**20
"""characters taken at once; what is made of them stays in the cache"""
_SAMPLED = 2**22
"""characters whose words give the mean idf"""


class Counted(NamedTuple):
    """`lengths` of the texts in words; `counts` of the asked words, shape (words, texts);
    `mean_idf` over the words of all texts, 0 where there are none."""

    lengths: NDArray[np.int64]
    counts: NDArray[np.int64]
    mean_idf: float


def exactly(asked: Sequence[str], texts: Iterable[Sequence[str]]) -> Counted:
    """Count the distinct words `asked` in texts that are cut into words. The idfs are summed in
    the order in which rank_bm25 sums them: each word where it is first seen."""
    wanted = frozenset(asked)
    lengths: list[int] = []
    containing: Counter[str] = Counter()
    counts: dict[str, list[tuple[int, int]]] = {word: [] for word in asked}
    for position, words in enumerate(texts):
        lengths.append(len(words))
        containing.update(dict.fromkeys(words).keys())
        for word in wanted.intersection(words):
            counts[word].append((position, words.count(word)))
    matrix = np.zeros((len(asked), len(lengths)), dtype=np.int64)
    for row, word in enumerate(asked):
        for position, count in counts[word]:
            matrix[row, position] = count
    known: dict[int, float] = {}
    total = 0.0
    for number in containing.values():
        if number not in known:
            known[number] = idf(number, len(lengths))
        total += known[number]
    return Counted(np.array(lengths, np.int64), matrix, total / (len(containing) or 1))


def idf(containing: int, texts: int) -> float:
    """Of a word that stands in so many of the texts; below 0 in more than half of them."""
    return math.log(texts - containing + 0.5) - math.log(containing + 0.5)


def quickly(asked: Sequence[str], texts: Sequence[str], rules: Rules) -> Counted:
    """Count the distinct words `asked`, given as NLTK cuts them, by `fastwords`.

    The mean idf of a large store is that of a sample: of some of the words, drawn by their hash,
    all places."""
    wanted = fast_tokenizer.hashes_of(asked)
    likely = np.zeros(2**12, np.bool_)
    likely[(wanted >> np.uint64(52)).astype(np.intp)] = True
    lengths = np.zeros(len(texts), np.int64)
    counts = np.zeros((len(asked), len(texts)), np.int64)
    share = _share(texts)
    drawn = [np.empty(0, np.uint64)]
    for first, block in _blocks(texts):
        here = slice(first, first + len(block))
        words = fast_tokenizer.cut(block, rules)
        hashes = fast_tokenizer.hashes(words)
        lengths[here] = np.bincount(words.texts, minlength=len(block))
        rows = np.flatnonzero(likely[hashes >> np.uint64(52)])
        found = hashes[rows]
        for row, word in enumerate(wanted):
            counts[row, here] = np.bincount(words.texts[rows[found == word]], minlength=len(block))
        rows = np.flatnonzero(hashes & np.uint64(share - 1) == 0)
        numbers = words.texts[rows].astype(np.uint64) + np.uint64(first)
        drawn.append(hashes[rows] >> _bits(len(texts)) << _bits(len(texts)) | numbers)
    return Counted(lengths, counts, _mean_idf(np.concatenate(drawn), len(texts)))


def _share(texts: Sequence[str]) -> int:
    """One word in so many is drawn: a power of two."""
    return 1 << max(0, (sum(map(len, texts)) // _SAMPLED).bit_length() - 1)


def _blocks(texts: Sequence[str]) -> Iterator[tuple[int, Sequence[str]]]:
    ends = np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)))
    first = 0
    while first < len(texts):
        done = ends[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(ends, done + _BLOCK, "right")))
        yield first, texts[first:last]
        first = last


def _mean_idf(pairs: NDArray[np.uint64], texts: int) -> float:
    """Over the words of all (word, text) pairs; each is a hash in the upper bits and the number
    of a text in the lower ones."""
    if not len(pairs):
        return 0.0
    pairs = np.sort(pairs)
    pairs = pairs[np.append(True, pairs[1:] != pairs[:-1])]
    words = pairs >> _bits(texts)
    first = np.flatnonzero(np.append(True, words[1:] != words[:-1]))
    containing = np.diff(first, append=len(words))
    return float(np.mean(np.log(texts - containing + 0.5) - np.log(containing + 0.5)))


def _bits(texts: int) -> np.uint64:
    return np.uint64(texts.bit_length())
