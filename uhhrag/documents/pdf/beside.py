"""Beside a page's text: names join their paragraphs, other notes follow."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from uhhrag.documents.pdf.lines import Line, LineSegment, line_of
from uhhrag.documents.pdf.rows import MOST_LINES, Span
from uhhrag.documents.segmentation import ENDED
from uhhrag.text.fragments import is_ended

_MOSTLY = 0.8
LEAST_ROWS = 4
"""Least lines side by side in columns of text."""
NEAR = 2.2
"""Between lines of a run, in ems; a page's head is farther off."""
_BESIDE, _OFF = 3.0, 1 / 3
"""Difference of left ends in a column, and of ends and heights that are the same, in ems."""
MIN_COLUMN_CHARS = 22
"""Least median length of a column's lines."""
_SMALLER = 0.9
"""Distance of a note's lines over that of few lines that it is beside."""
_MIN_NAMED = 3
"""Named paragraphs."""


def notes_apart(page: Sequence[Line]) -> list[Line]:
    body = [one for line in page for one in line.segments if len(one.text) > 2 * MIN_COLUMN_CHARS]
    if len(body) < LEAST_ROWS or any(x.row or not x.segments for x in page):
        return list(page)
    left, right = (median(ends) for ends in ([s.left for s in body], [s.right for s in body]))
    near = _BESIDE * median(line.size for line in page)
    if sum(abs(one.left - left) < near for one in body) < _MOSTLY * len(body):
        return list(page)
    text: list[Line] = []
    notes: list[Line] = []
    for line in page:
        before, inside, after = _sides(line, (left, right))
        outside = (*before, *after)
        if outside and len(inside) < 2 and all(len(one.text) > MIN_COLUMN_CHARS for one in inside):
            notes.append(line_of(line, outside))
            text += [line_of(line, inside)] if inside else []
        else:
            text.append(line)
    words = sum(len(note.text.split()) for note in notes)
    heights = [line.height for line in text]
    beside = all(any(abs(n.height - high) < 2 * n.size for high in heights) for n in notes)
    if len(body) < 2 * LEAST_ROWS:
        rows = any(len(line.segments) > 2 for line in page)
        beside = beside and not rows and 0 < _leading(notes) < _SMALLER * _leading(text)
    named = list(_row_by_row(page, (left, right))) if notes and beside else []
    return named or ([*text, *notes] if words > len(notes) and beside else list(page))


def _leading(lines: Sequence[Line]) -> float:
    """Least distance of lines, in points."""
    heights = sorted({line.height for line in lines})
    return min((high - low for low, high in pairwise(heights)), default=0.0)


def _sides(line: Line, ends: Span) -> tuple[list[LineSegment], ...]:
    """Segments before text between `ends`, of it, after it."""
    sides: tuple[list[LineSegment], ...] = ([], [], [])
    for one in line.segments:
        before = one.right < ends[0] - _OFF * line.size
        sides[0 if before else 1 + (one.left > ends[1] + _OFF * line.size)].append(one)
    return sides


def _row_by_row(page: Sequence[Line], ends: Span) -> Iterator[Line]:
    """Row by row, cell by cell, if names beside the text begin its paragraphs."""
    lines = sorted(page, key=lambda one: -one.height)
    parted = [(line, _sides(line, ends)) for line in lines]
    cells = [[line_of(line, parts[at]) for line, parts in parted if parts[at]] for at in range(3)]
    starts = _starts(lines, cells, ends)
    if not starts:
        return
    rows: list[list[list[Line]]] = [[[], [], []] for _ in range(len(starts) + 1)]
    for side, column in enumerate(cells):
        for line in column:
            rows[bisect_right(starts, _OFF * line.size - line.height)][side].append(line)
    for names, text, others in rows:
        yield from _in_order(names, text, others, ends)


def _starts(lines: Sequence[Line], cells: Sequence[Sequence[Line]], ends: Span) -> list[float]:
    """Heights below 0 at which rows begin; [] if few do, or notes are beside other text."""
    text, named, alone, last = cells[1], list[float](), list[float](), lines[0]._replace(size=0.0)
    heights = [-one.height for one in text]
    for note in sorted((*cells[0], *cells[2]), key=lambda one: -one.height):
        at = bisect_left(heights, -note.height - _OFF * note.size)
        above, below = (text[n] if 0 <= n < len(text) else None for n in (at - 1, at))
        level = below is not None and note.height - below.height < 2 * _OFF * below.size
        if below and level and not (below.text[:1].islower() or (above and _goes_on(above, ends))):
            named.append(-max(note.height, below.height))
        elif note.size != last.size or last.height - note.height > NEAR * note.size:
            if level or (above and above.height - note.height < above.size):
                return []
            alone.append(-note.height)
        last = note
    alone += (-one.height for one in text if one.left < ends[0] - one.size)
    return sorted({*named, *alone}) if len(set(named)) >= _MIN_NAMED else []


def _goes_on(line: Line, ends: Span) -> bool:
    """Whether a paragraph between `ends` has more lines."""
    left, right = ends[0] - line.size, ends[1] - _BESIDE * line.size
    return line.left >= left and line.right >= right and not is_ended(line.text)


def _in_order(names: list[Line], text: list[Line], others: list[Line], ends: Span) -> list[Line]:
    """A long text, or one that goes on, is a paragraph below the other cells."""
    if names and text and (len(text) > MOST_LINES or _goes_on(text[-1], ends)):
        blank, first = Line("", text[0].page), text[0].segments[0]
        name = " ".join(line.text for line in names)
        both = f"{name}{'' if name.endswith(ENDED) else ':'} {first.text}"
        start = line_of(text[0], (first._replace(text=both), *text[0].segments[1:]))
        return [*others, blank, start, *text[1:]]
    if len(names) == 1 and text and abs(names[0].height - text[0].height) < _OFF * text[0].size:
        segments = (*names[0].segments, *text[0].segments)
        names, text = [], [line_of(text[0], segments), *text[1:]]
    return [*names, *text, *others]
