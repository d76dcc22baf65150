"""Hashes of a block's words, for BM25."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from uhhrag.text.byte_block import CLOSE, CURLED, EDGE, OPEN, Numbers, packed_bytes
from uhhrag.text.fast_tokenizer import Words

_LOWEST = np.array([2 ** (8 * length) - 1 for length in range(9)], np.uint64)


def hashes(words: Words) -> Numbers:
    """Shape (words,); only words longer than eight bytes can collide."""
    lengths = words.ends - words.starts
    eight = packed_bytes(words.block)
    first = eight[words.starts] & _LOWEST[np.minimum(lengths, 8)]
    mixed: Numbers = first ^ (lengths.astype(np.uint64) << np.uint64(56))
    long = np.flatnonzero(lengths > 8)
    mixed[long] ^= eight[words.ends[long] - 8] * np.uint64(0x9E3779B97F4A7C15)
    # Multiply and shift, as SplitMix64 does, to mix all bits: `term_counts` looks words up by the
    # upper ones and samples by the lower ones.
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
