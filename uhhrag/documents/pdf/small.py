"""Writes out raised and lowered figures, drops unseen letters."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from statistics import median
from typing import NamedTuple

from uhhrag.documents.marks import lowered, raised
from uhhrag.documents.pdf.places import FILLER, Letters

# A letter after a figure may be the mark of a note: "1,234a"; so may numerals: "sold.iv".
_FIGURES = re.compile(
    rf"[-−+]?\d+(?:[,–-]\d+)*|(?<=[\d{FILLER}])[a-z](?:,[a-z])*(?!\w)|(?<!\s)[ivx]{{1,7}}(?!\w)"
)
_OTHER = re.compile(r"[a-h](?![a-z\d])")
"""If of another size, one too, at the end of a word or before the note: "a Closed in May."."""
_OFF, _FAR_OFF, _SMALLER, _AFTER = 0.12, 0.3, 0.85, 12
"""Offset of small figures, and of large ones, size of small ones, in ems; letters after them that
tell their meaning.
"""


class Mark(NamedTuple):
    start: int
    end: int
    how: str
    """One of "above", "below", "out"; else what is seen instead."""


def marks_of(
    letters: Letters, line: str, first: int, size: float, out: Mapping[int, str]
) -> list[Mark]:
    """Small figures and positions left `out`, in order."""
    gone = "".join(out.get(at, " ") or "x" for at in range(len(line))) if out else ""
    runs = re.finditer(r"x+|([^\sx])\1*", gone)
    left_out = [Mark(*run.span(), run[1] or "out") for run in runs]
    small = (one for one in _small(letters, line, first, size) if one.start not in out)
    return sorted([*small, *left_out])


def _small(letters: Letters, line: str, first: int, size: float) -> list[Mark]:
    figures = [match.span() for match in _FIGURES.finditer(line)]
    for at in map(re.Match.start, _OTHER.finditer(line)):
        begins = not at or line[at - 2 : at - 1] in (".", "!", "?")
        beside = line[at + 1 : at + 2] != " " or first + at + 1 in letters.added
        if beside and (begins or line[at - 1].isalpha()) and letters.is_resized(first + at):
            figures.append((at, at + 1))
    if not figures:
        return []
    starts = {start for start, _ in figures}
    places = [at for at, c in enumerate(line) if c.isalpha() and at not in starts]
    places = places or [figures[0][0]]
    sample = places[0], places[len(places) // 2], places[-1]
    usual_base = median(letters.height(first + at) for at in sample)
    usual = _SMALLER * max(letters.size(first + at) for at in sample)
    usual_lift = max(letters.lift(first + at) for at in sample)

    def off(at: int, base: float) -> float:
        above = letters.height(first + at) - base
        lift = letters.lift(first + at) - usual_lift if line[at].isdecimal() else 0.0
        above += lift if lift > _FAR_OFF * size else 0.0  # a font's own raised figures
        far, near = abs(above) > _FAR_OFF * size, abs(above) <= _OFF * size
        return above if far or not (near or letters.size(first + at) >= usual) else 0.0

    def is_far(word: int) -> bool:
        gap = letters.ends(first + word)[0] - letters.ends(first + word - 2)[1]
        return gap > letters.least_gap(first + word - 1) * size

    marks = []
    for start, end in sorted(figures):
        word = line.rfind(" ", 0, start) + 1
        apart = word > 1 and (letters.size(first + word) >= usual or is_far(word))
        base = letters.height(first + word) if apart else usual_base  # perhaps in another cell
        offs = [off(at, base) for at in range(start, end)]
        last, begun = ([*takewhile(bool, some)] for some in (reversed(offs), offs))
        if small := last or begun:
            start = end - len(last) if last else start
            how = "above" if offs[start - end] > 0 else "below"
            marks.append(Mark(start, start + len(small), how))
    return marks


def marked(line: str, start: int, end: int, marks: Sequence[Mark]) -> str:
    """Part of a line, marks written out (`documents.marks`)."""
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
