from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from uhhrag.text.fast_tokenizer import (
    CLOSE,
    CURLED,
    EDGE,
    OPEN,
    Numbers,
    Words,
    packed_bytes,
    tokenise,
)
from uhhrag.text.nltk_tokenizer import Punkt

_LOWEST = np.array([2 ** (8 * length) - 1 for length in range(9)], np.uint64)
_BLOCK = 2**20
"""Characters; fits the processor's cache."""
_SAMPLED = 2**22
"""Characters sampled for the mean idf."""


def hashes(words: Words) -> Numbers:
    """Shape (words,); only words longer than eight bytes can collide."""
    lengths = words.ends - words.starts
    eight = packed_bytes(words.block)
    first = eight[words.starts] & _LOWEST[np.minimum(lengths, 8)]
    mixed: Numbers = first ^ (lengths.astype(np.uint64) << np.uint64(56))
    long = np.flatnonzero(lengths > 8)
    mixed[long] ^= eight[words.ends[long] - 8] * np.uint64(0x9E3779B97F4A7C15)
    # Multiply and shift, as SplitMix64 does, to mix all bits: words are looked up by the upper ones
    # and sampled by the lower ones.
    mixed ^= mixed >> np.uint64(32)
    mixed *= np.uint64(0xD6E8FEB86659FD93)
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(32)
    return mixed


def hashes_of(words: Sequence[str]) -> Numbers:
    """As `hashes`; `` and '' are quotation marks."""
    marks = {"``": OPEN, "''": CLOSE, **CURLED}
    coded = [bytes([marks[w]]) if w in marks else w.encode("utf-8", "replace") for w in words]
    block = np.frombuffer(b" " * EDGE + b" ".join(coded) + b" " * EDGE, np.uint8)
    lengths = np.array([len(word) for word in coded], np.intp)
    starts = EDGE + np.cumsum(lengths + 1) - lengths - 1
    return hashes(Words(block, starts, starts + lengths, np.arange(len(words), dtype=np.int32)))


class TermCounts(NamedTuple):
    lengths: NDArray[np.int64]
    """In words, shape (texts,)."""
    counts: NDArray[np.int64]
    """Of the query's words, shape (words, texts)."""
    mean_idf: float
    """Over all words, or 0."""


@dataclass(frozen=True, slots=True)
class Postings:
    lengths: NDArray[np.int64]
    rows: Mapping[str, list[tuple[int, int]]]
    """Texts and counts by word."""
    mean_idf: float

    def counts_of(self, query_words: Sequence[str]) -> TermCounts:
        matrix = np.zeros((len(query_words), len(self.lengths)), np.int64)
        for row, word in enumerate(query_words):
            if found := self.rows.get(word):
                positions, counts = zip(*found, strict=True)
                matrix[row, list(positions)] = counts
        return TermCounts(self.lengths, matrix, self.mean_idf)


def postings(texts: Iterable[Sequence[str]], wanted: Set[str] | None = None) -> Postings:
    """Rows of `wanted` only: a store need not fit in memory."""
    lengths: list[int] = []
    texts_with: Counter[str] = Counter()
    rows: dict[str, list[tuple[int, int]]] = {}
    for position, words in enumerate(texts):
        counts = Counter(words)
        lengths.append(len(words))
        texts_with.update(counts.keys())
        for word in counts if wanted is None else wanted & counts.keys():
            rows.setdefault(word, []).append((position, counts[word]))
    mean = _mean(texts_with.values(), len(lengths))
    return Postings(np.array(lengths, np.int64), rows, mean)


def _mean(texts_with: Collection[int], texts: int) -> float:
    """Mean idf, summed in rank_bm25's order."""
    known = {number: idf(number, texts) for number in set(texts_with)}
    total = 0.0
    for number in texts_with:
        total += known[number]
    return total / (len(texts_with) or 1)


def idf(texts_with: int, texts: int) -> float:
    """Negative for a word in most texts."""
    return math.log(texts - texts_with + 0.5) - math.log(texts_with + 0.5)


def quickly(query_words: Sequence[str], texts: Sequence[str], rules: Punkt) -> TermCounts:
    """By the fast tokeniser; query words by NLTK. A large store's mean idf is sampled by hash."""
    wanted = hashes_of(query_words)
    # Flags by the upper 12 bits of the query's hashes rule out nearly all words of a block.
    likely = np.zeros(2**12, np.bool_)
    likely[(wanted >> np.uint64(52)).astype(np.intp)] = True
    lengths = np.zeros(len(texts), np.int64)
    counts = np.zeros((len(query_words), len(texts)), np.int64)
    # One word in this many is drawn, a power of two.
    share = 1 << max(0, (sum(map(len, texts)) // _SAMPLED).bit_length() - 1)
    drawn = [np.empty(0, np.uint64)]
    for first, block in _blocks(texts):
        here = slice(first, first + len(block))
        words = tokenise(block, rules)
        hashed = hashes(words)
        lengths[here] = np.bincount(words.texts, minlength=len(block))
        rows = np.flatnonzero(likely[hashed >> np.uint64(52)])
        candidates = hashed[rows]
        for row, word in enumerate(wanted):
            texts_of_word = words.texts[rows[candidates == word]]
            counts[row, here] = np.bincount(texts_of_word, minlength=len(block))
        rows = np.flatnonzero(hashed & np.uint64(share - 1) == 0)
        numbers = words.texts[rows].astype(np.uint64) + np.uint64(first)
        drawn.append(hashed[rows] >> _bits(len(texts)) << _bits(len(texts)) | numbers)
    return TermCounts(lengths, counts, _mean_idf(np.concatenate(drawn), len(texts)))


def _blocks(texts: Sequence[str]) -> Iterator[tuple[int, Sequence[str]]]:
    """With the first text's index."""
    ends = np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)))
    first = 0
    while first < len(texts):
        done = ends[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(ends, done + _BLOCK, "right")))
        yield first, texts[first:last]
        first = last


def _mean_idf(pairs: NDArray[np.uint64], texts: int) -> float:
    """`pairs`: a word's hash in the upper bits, the text in the lower."""
    if not len(pairs):
        return 0.0
    pairs = np.sort(pairs)
    pairs = pairs[np.append(True, pairs[1:] != pairs[:-1])]
    words = pairs >> _bits(texts)
    first = np.flatnonzero(np.append(True, words[1:] != words[:-1]))
    texts_with = np.diff(first, append=len(words))
    return float(np.mean(np.log(texts - texts_with + 0.5) - np.log(texts_with + 0.5)))


def _bits(texts: int) -> np.uint64:
    return np.uint64(texts.bit_length())
