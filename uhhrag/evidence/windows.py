"""Windows: what a verifier reads of a document at once, instead of one sentence.

Sentences that a search found close together are read together, each marked, with the sentences
around them, after the title of the document and the heading above them:

    Title. Section. before » found « between » found too « after … » found farther down «
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from uhhrag.records import Page
from uhhrag.text.pronouns import lead

LONGEST = 800
"""Characters of a window's lines: some 180 tokens, which leaves room for a claim and headings."""
APART = 20
"""Lines between two found sentences of one section that are still read together."""
AROUND = 2
"""Lines that are read before and after a found sentence, as far as there is room."""
GAP = "…"
"""Stands for lines that are left out."""

Place = tuple[int, int]
"""Where a sentence stands: the number of its document and of its line there."""


@dataclass(frozen=True, slots=True)
class Window:
    """Lines of a document that are read together, in order. `found` are those that a search gave,
    the best first."""

    document: int
    lines: tuple[int, ...]
    found: tuple[int, ...]


def windows(
    found: Sequence[Place], pages: Sequence[Page], most: int, longest: int = LONGEST
) -> list[Window]:
    """At most `most` windows over the places that a search gave, best first; a window stands where
    the best of its places does. Each place is in one window, as far as there are so many."""
    groups: list[tuple[int, list[int]]] = []
    for document, line in found:
        page = pages[document]
        near = (g for g in groups if g[0] == document and _belongs(line, g[1], page, longest))
        if group := next(near, None):
            group[1].append(line)
        elif len(groups) < most:
            groups.append((document, [line]))
    return [
        Window(document, _with_neighbours(lines, pages[document], longest), tuple(lines))
        for document, lines in groups
    ]


def window_text(window: Window, page: Page, without: Collection[int] = ()) -> str:
    """What is read of a window. Lines `without` are left out, as if the document had a gap there.

    >>> ferry = Page("", ("It sails daily.", "Cars pay more.", "Dogs ride free."), title="Ferry")
    >>> window_text(Window(0, (0, 1), (1,)), ferry)
    'Ferry. It sails daily. » Cars pay more. «'
    >>> window_text(Window(0, (0, 1, 2), (2, 0)), ferry, without=[1])
    'Ferry. » It sails daily. « … » Dogs ride free. «'
    """
    kept = [line for line in window.lines if line not in without]
    parts: list[str] = []
    for place, line in enumerate(kept):
        if place and line - kept[place - 1] > 1:
            parts.append(GAP)
        text = page.lines[line]
        parts.append(f"» {text} «" if line in window.found else text)
    section = _section(page, window.found[0])
    headings = lead((page.title, page.sections[section][1] if section >= 0 else ""), "")
    return " ".join([headings, *parts] if headings else parts)


def _belongs(line: int, group: Sequence[int], page: Page, longest: int) -> bool:
    """Whether a line is read with a group of lines: near one of them, in the same section, and
    within what may be read."""
    near = any(abs(line - other) <= APART for other in group)
    room = longest - sum(len(page.lines[other]) for other in group)
    together = near and _section(page, line) == _section(page, group[0])
    return together and len(page.lines[line]) <= room


def _with_neighbours(found: Sequence[int], page: Page, longest: int) -> tuple[int, ...]:
    """The lines found with those around them of the same section: first what stands between two
    that are near, then what stands before each, then after, nearest first, the best first."""
    kept = set(found)
    room = longest - sum(len(page.lines[line]) for line in kept)
    ordered = sorted(found)
    wanted = [n for a, b in pairwise(ordered) if b - a <= AROUND + 1 for n in range(a + 1, b)]
    for distance in range(1, AROUND + 1):
        wanted += [line - distance for line in found]
        wanted += [line + distance for line in found]
    section = _section(page, found[0])
    heading = page.sections[section][0] if section >= 0 else -1  # it is read before all of them
    for line in wanted:
        if line in kept or line == heading or not 0 <= line < len(page.lines):
            continue
        if _section(page, line) != section:
            continue
        if len(page.lines[line]) <= room:
            kept.add(line)
            room -= len(page.lines[line])
    return tuple(sorted(kept))


def _section(page: Page, line: int) -> int:
    """The number of the section that a line stands in, or whose heading it is; -1 above all."""
    return bisect_right(page.sections, line, key=lambda section: section[0]) - 1
