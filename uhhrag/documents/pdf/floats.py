from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from uhhrag.documents.pdf.lines import Line, distance, line_of
from uhhrag.documents.pdf.tables import PdfTable
from uhhrag.documents.segmentation import ENDED
from uhhrag.text.fragments import is_ended

CAPTION = re.compile(r"(?:figure|fig\.|table|box|chart|map) \d", re.IGNORECASE)
_MAX_LINES, _FULL = 60, 22
"""Lines of a paragraph or float, and characters of a full line."""
_NEAR, _BESIDE = 1.7, 3.0
"""Distance of a paragraph's lines, and of left ends, in ems."""


def floats_behind(items: Iterable[Line | PdfTable]) -> list[Line | PdfTable]:
    """Tables and captions that part a paragraph go behind it."""
    placed, at = list(items), 2
    while at < len(placed):
        end = _float_end(placed, at)
        rest = _rest(placed[at - 2 : at], placed[end : end + _MAX_LINES]) if end > at else []
        if rest:
            blank, stop = Line("", rest[-1].page), end + len(rest)
            placed[at:stop] = [*rest, blank, *placed[at:end], blank]
            end = stop + 2
        at = max(end, at + 1)
    return placed


def _float_end(items: Sequence[Line | PdfTable], at: int) -> int:
    open_ = False
    for item in items[at : at + _MAX_LINES]:
        if isinstance(item, Line):
            if not (open_ or CAPTION.match(item.text)):
                break
            open_ = not is_ended(item.text)
        at += 1
    return at


def _rest(before: Sequence[Line | PdfTable], after: Sequence[Line | PdfTable]) -> list[Line]:
    """Lines that continue those before a float, as near as these."""
    (first, above), lines = before, list[Line]()
    for item in after:
        if not isinstance(item, Line) or not item.segments:
            break
        lines.append(item)
    if not (isinstance(first, Line) and isinstance(above, Line) and lines):
        return []
    below, step = lines[0], distance(first, above)
    full = len(above.text) >= _FULL and not above.text.endswith(ENDED) and 0 < step <= _NEAR
    alike = len({(round(2 * x.size), x.bold) for x in (first, above, below)}) == 1
    word = below.text[:2].isalpha() and below.text[:2].islower()
    if not (full and alike and word and abs(above.left - below.left) <= _BESIDE * above.size):
        return []
    lift = max(0.0, (distance(above, below) - step) * above.size)
    ends = next((n for n, line in enumerate(lines, 1) if is_ended(line.text)), 0)
    parts = [[one._replace(height=one.height + lift) for one in x.segments] for x in lines[:ends]]
    return [line_of(line, part) for line, part in zip(lines, parts, strict=False)]
