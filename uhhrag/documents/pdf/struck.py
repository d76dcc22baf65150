"""Letters that a drawn line strikes out."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Sequence
from ctypes import byref, c_float
from typing import Any, NamedTuple

from uhhrag.documents.pdf.places import Letters

_MOST_OBJECTS = 20_000
"""Of a page that are looked at."""
_THICKEST, _SHORTEST = 2.0, 2.0
"""Points."""
_LOWEST, _HIGHEST = 0.12, 0.55
"""Height of a line above the letters' feet, in letter sizes; what is drawn lower underlines."""
_OFF = 0.4
"""Greatest distance of its ends from those of letters; a table's or chart's line goes on."""


class Stroke(NamedTuple):
    """A thin level line, in points."""

    height: float
    left: float
    right: float


def strokes_of(page: Any) -> list[Stroke]:
    """The thin level lines of a page, from below."""
    import pypdfium2.raw as pdfium

    left, low, right, high = (c_float() for _ in range(4))
    found = []
    for at in range(min(pdfium.FPDFPage_CountObjects(page.raw), _MOST_OBJECTS)):
        drawn = pdfium.FPDFPage_GetObject(page.raw, at)
        if pdfium.FPDFPageObj_GetType(drawn) != pdfium.FPDF_PAGEOBJ_PATH:
            continue
        pdfium.FPDFPageObj_GetBounds(drawn, byref(left), byref(low), byref(right), byref(high))
        if high.value - low.value <= _THICKEST and right.value - left.value >= _SHORTEST:
            found.append(Stroke((low.value + high.value) / 2, left.value, right.value))
    return sorted(found)


def struck_words(
    strokes: Sequence[Stroke], letters: Letters, line: str, first: int, size: float
) -> list[tuple[int, int]]:
    """Start and end within a line, whose position is `first`, of words or parts that are struck
    out."""
    if not strokes or not letters.is_level:
        return []
    feet, ends, struck = letters.height(first), list[tuple[float, float]](), set[int]()
    low, high = (
        bisect(strokes, feet + share * size, key=lambda stroke: stroke.height)
        for share in (_LOWEST, _HIGHEST)
    )
    for stroke in strokes[low:high]:
        ends = ends or [letters.ends(first + at) for at in range(len(line))]
        under = [at for at, x in enumerate(ends) if stroke.left < sum(x) / 2 < stroke.right]
        off = [ends[at][side] - stroke[1 + side] for side, at in enumerate(under[:1] + under[-1:])]
        if under and max(map(abs, off)) <= _OFF * size:
            struck.update(at for at in under if not line[at].isspace())
    marked = "".join("x" if at in struck else " " for at in range(len(line))) if struck else ""
    return [run.span() for run in re.finditer("x+", marked)]
