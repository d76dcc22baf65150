"""Lines with raised and lowered figures written out, unseen letters left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from statistics import median
from typing import NamedTuple

from uhhrag.documents.marks import lowered, raised
from uhhrag.documents.pdf.places import FILLER, Letters

_FIGURES = tuple(
    map(
        re.compile,  # apart, which takes a sixth of the time
        (
            r"[-−+]?\d+(?:[,–-]\d+)*",
            rf"(?<=[\d{FILLER}])[a-z](?:,[a-z])*(?!\w)",  # "1,234a"
            r"(?<!\s)[ivx]{1,7}(?!\w)",  # "sold.iv"
            rf"(?:^|(?<=[.!?]\s))[a-h](?=[\s{FILLER}A-Z]|$)",  # "a Closed in May."
        ),
    )
)
"""Figures, and letters and numerals that may be marks of notes."""
_LAST = re.compile(r"(?<=[^\W\d])[a-h](?!\w)")
"""A word's last letter, which is a mark if of another size: "Gull Lanea"."""
_OFF, _FAR_OFF, _SMALLER, _AFTER = 0.12, 0.3, 0.85, 12
"""Offset of small figures, and of large ones, size of small ones, in ems; letters after them that
tell their meaning.
"""
_BLANK = f"{FILLER} "


class Mark(NamedTuple):
    start: int
    end: int
    how: str
    """One of "above", "below", "out"; else what is seen instead."""


def marks_of(
    letters: Letters, line: str, first: int, size: float, out: Mapping[int, str]
) -> list[Mark]:
    """Small figures, and positions left `out`, in order."""
    gone = "".join(out.get(at, " ") or "x" for at in range(len(line))) if out else ""
    runs = re.finditer(r"x+|([^\sx])\1*", gone)
    left_out = [Mark(*run.span(), run[1] or "out") for run in runs]
    small = (one for one in _small(letters, line, first, size) if one.start not in out)
    return sorted([*small, *left_out])


def notes_of(line: str, start: int, end: int, marks: Sequence[Mark]) -> Iterator[tuple[str, str]]:
    """Marks of notes in part of a line, each with its figure, else all words of the part if the
    only mark ends them, "" if it begins them, or ".".
    """
    several = False
    for mark in marks:
        if mark.how == "above" and start <= mark.start and mark.end <= end:
            before = marked(line, start, mark.start, marks).strip(_BLANK)
            if marked(line, start, mark.end, marks).strip(_BLANK) != before:
                continue
            ends = not (several or line[mark.end : end].strip(_BLANK))
            words = before if ends or not before else "."
            words = before.split()[-1] if before[-1:].isdecimal() else words
            yield from ((one, words) for one in line[mark.start : mark.end].split(","))
            several = True


def _small(letters: Letters, line: str, first: int, size: float) -> list[Mark]:
    last = (one for one in _LAST.finditer(line) if letters.is_smaller(first + one.start()))
    figures = sorted(one.span() for one in (*last, *chain(*(x.finditer(line) for x in _FIGURES))))
    if not figures:
        return []
    starts = {start for start, _ in figures}
    places = [at for at, c in enumerate(line) if c.isalpha() and at not in starts]
    places = places or [figures[0][0]]
    sample = places[0], places[len(places) // 2], places[-1]
    usual_base = median(letters.height(first + at) for at in sample)

    @cache
    def usual() -> float:
        return max(letters.size(first + at) for at in sample)

    @cache
    def usual_lift() -> float:
        return max(letters.lift(first + at) for at in sample)

    def off(at: int, base: float) -> float:
        above = letters.height(first + at) - base
        lift = letters.lift(first + at) - usual_lift() if line[at].isdecimal() else 0.0
        above += lift if lift > _FAR_OFF * size else 0.0  # a font's own raised figures
        far, near = abs(above) > _FAR_OFF * size, abs(above) <= _OFF * size
        return above if far or not (near or letters.size(first + at) >= _SMALLER * usual()) else 0.0

    def is_far(word: int) -> bool:
        gap = letters.ends(first + word)[0] - letters.ends(first + word - 2)[1]
        return gap > letters.least_gap(first + word - 1) * size

    marks = []
    for start, end in figures:
        word = line.rfind(" ", 0, start) + 1
        apart = word > 1 and (  # perhaps in another cell
            letters.size(first + word) >= _SMALLER * usual() or is_far(word)
        )
        base = letters.height(first + word) if apart else usual_base
        at = end
        while at > start and off(at - 1, base):
            at -= 1
        if at == end:
            at = start
            while at < end and off(at, base):
                at += 1
            start, at, end = start, start, at
        if at < end:
            marks.append(Mark(at, end, "above" if off(at, base) > 0 else "below"))
    return marks


def marked(line: str, start: int, end: int, marks: Sequence[Mark]) -> str:
    """Part of a line, its marks written out (`documents.marks`)."""
    text, at = "", start
    for mark in marks:
        if start <= mark.start and mark.end <= end:
            text += line[at : mark.start]
            figures, after = line[mark.start : mark.end], line[mark.end :].lstrip(FILLER)
            if len(mark.how) == 1:
                text += mark.how
            elif mark.how != "out":
                text = text.rstrip(FILLER)
                figures = figures[:1] if figures[0].isalpha() else figures  # "a,b" as "a"
                above = mark.how == "above"
                text += raised(text, figures, after[:_AFTER]) if above else lowered(text, figures)
            at = mark.end
    return text + line[at:end]
