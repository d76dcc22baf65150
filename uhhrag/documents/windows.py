"""Sentences longer than an embedder reads, as of transcripts and laws, cut into windows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise

MOST_PIECES = 240
"""Word pieces of a line, at most, as `pieces` guesses; embedders read 256."""
WORDS = 60
"""Of a window, at most."""
_LETTERS, _DIGITS = 5, 2
"""Of a piece."""
_TOKEN = re.compile(r"(?P<letters>[A-Za-z]+)|(?P<digits>\d+)|\S")
_CHUNK = re.compile(rf"\S{{1,{MOST_PIECES // 2}}}")
_PAUSE = tuple(";:,–—")


class CutPiece(str):
    """A part of a cut sentence, not its last."""

    __slots__ = ()


def cut_note(lines: Iterable[str]) -> str:
    """A clause on the number of cut sentences, "" for none.

    >>> cut_note([CutPiece("and so it went on"), CutPiece("and on"), "and on.", "It ended."])
    '1 sentence is longer than an embedder reads and was cut into windows'
    """
    runs = sum(kind is CutPiece for kind, _ in groupby(map(type, lines)))
    if not runs:
        return ""
    some = "1 sentence is" if runs == 1 else f"{runs:,} sentences are"
    was = "was" if runs == 1 else "were"
    return f"{some} longer than an embedder reads and {was} cut into windows"


def pieces(text: str) -> int:
    """An upper guess of a text's word pieces, but for rare scripts and codes.

    >>> pieces("The ferry carried 41,000 cars.")
    10
    """
    return sum(
        -(-len(match[0]) // _LETTERS)
        if match["letters"]
        else -(-len(match[0]) // _DIGITS)
        if match["digits"]
        else 1
        for match in _TOKEN.finditer(text)
    )


def windows(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each window of a sentence, cut after punctuation of its second half if any.

    >>> list(windows("It rained."))
    [(0, 10)]
    """
    if len(text) <= MOST_PIECES or pieces(text) <= MOST_PIECES:
        yield 0, len(text)
        return
    words = [match.span() for match in _CHUNK.finditer(text)]
    sizes = [pieces(text[start:end]) for start, end in words]
    cuts = [0]
    while cuts[-1] < len(words):
        cuts.append(_next_cut(text, words, sizes, cuts[-1]))
    for first, behind in pairwise(cuts):
        yield words[first][0], words[behind - 1][1]


def _next_cut(text: str, words: list[tuple[int, int]], sizes: list[int], first: int) -> int:
    behind, size = first, 0
    while behind < len(words) and behind - first < WORDS and size + sizes[behind] <= MOST_PIECES:
        size += sizes[behind]
        behind += 1
    if behind == len(words):
        return behind
    halves = range(behind, first + (behind - first) // 2, -1)
    return next((at for at in halves if text[words[at - 1][1] - 1] in _PAUSE), behind)
