"""Cuts documents into passages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

LONGEST = 1200
"""Characters: 256 tokens, MiniLM's limit."""


class Window(NamedTuple):
    line: int
    lines: int


def windows(lines: Sequence[str], longest: int = LONGEST) -> list[Window]:
    """About equal, at most `longest` characters; a longer line stands alone.

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
    """
    >>> text_of("Rain", ["It rained.", "Then it stopped."])
    'Rain. It rained. Then it stopped.'
    """
    head = f"{title.rstrip(' .')}. " if title.strip() else ""
    return head + " ".join(lines)
