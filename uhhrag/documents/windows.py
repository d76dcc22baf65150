"""Sentences that are longer than what an embedder reads, cut into windows: a transcript has no full
stops, and a law may enumerate for a page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise

MOST_PIECES = 240
"""Pieces of words of a line, at most, as `pieces` guesses them; the embedders read 256."""
WORDS = 60
"""Of a window, at most."""
_LETTERS, _DIGITS = 5, 2
"""Of a piece."""
_TOKEN = re.compile(r"(?P<letters>[A-Za-z]+)|(?P<digits>\d+)|\S")
_CHUNK = re.compile(rf"\S{{1,{MOST_PIECES // 2}}}")
_PAUSE = tuple(";:,–—")


class CutPiece(str):
    """A part of a sentence that was cut, and not its last."""

    __slots__ = ()


def cut_note(lines: Iterable[str]) -> str:
    """A clause that says how many sentences were cut, "" for none.

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
    """How many pieces of words an embedder makes of a text, at most but for rare scripts and codes.

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
    """Where the windows of a sentence begin and end: the sentence itself, unless it is longer than
    an embedder reads. One ends behind a comma, semicolon or dash where its second half has one.

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
    """The position behind the last word of the window that begins with this one."""
    behind, size = first, 0
    while behind < len(words) and behind - first < WORDS and size + sizes[behind] <= MOST_PIECES:
        size += sizes[behind]
        behind += 1
    if behind == len(words):
        return behind
    halves = range(behind, first + (behind - first) // 2, -1)
    return next((at for at in halves if text[words[at - 1][1] - 1] in _PAUSE), behind)
