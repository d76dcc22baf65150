"""A document as passages: runs of its sentences that a search ranks as a whole.

A sentence alone is too short to rank a document by, a document too long for an embedder. A passage
is searched with its document's title before it; what a claim is checked with is a sentence of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

LONGEST = 1200
"""Characters of a passage: some 256 tokens, which is what MiniLM reads."""


class Window(NamedTuple):
    """Lines of a document: the first, and how many."""

    line: int
    lines: int


def windows(lines: Sequence[str], longest: int = LONGEST) -> list[Window]:
    """The lines cut into runs of at most `longest` characters, about equally long; a longer line
    is a run of its own.

    >>> windows(["aaaa", "bbbb", "cccc"], longest=9)
    [Window(line=0, lines=2), Window(line=2, lines=1)]
    """
    total = sum(map(len, lines))
    wanted = total / max(1, -(-total // longest))
    cut: list[Window] = []
    first, size, done = 0, 0, 0
    for number, line in enumerate(lines):
        over = size + len(line) > longest
        if number > first and (over or done + len(line) / 2 > wanted * (len(cut) + 1)):
            cut.append(Window(first, number - first))
            first, size = number, 0
        size += len(line)
        done += len(line)
    if len(lines) > first:
        cut.append(Window(first, len(lines) - first))
    return cut


def text_of(title: str, lines: Sequence[str]) -> str:
    """What is searched for a passage: the title, where there is one, and the lines.

    >>> text_of("Rain", ["It rained.", "Then it stopped."])
    'Rain. It rained. Then it stopped.'
    """
    head = f"{title.rstrip(' .')}. " if title.strip() else ""
    return head + " ".join(lines)
