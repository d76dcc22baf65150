"""Joins pieces that PDFium gives as lines, whatever their drawing order."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import groupby, pairwise
from typing import NamedTuple

from uhhrag.documents.pdf.lines import FAR, Line, LineSegment, in_runs, is_mark, settled
from uhhrag.documents.pdf.places import WIDE
from uhhrag.documents.pdf.rows import Cell

_SAME = 0.15
"""Difference of heights, in ems."""
_OVER, _TOUCHING, _ROWS = 0.3, 0.15, 3.0
"""Overlap, gap within a word, and gap of rows, in ems, at most."""
_MAX_GAP = 3.0
"""Gap in a filled line, in ems."""
RUNNING, _LONG = 0.25, 30
"""Share of small beginnings in running text; characters of a long cell."""
_NEAR, _MOST_ROWS, _LONG_CELL = 5.0, 40, 40
"""Distance of rows that show columns, in ems, their number, and characters of a cell, at most."""
_BULLETED = re.compile(r"[•●▪■◦○‣·–-]\s")
_FIGURE = re.compile(r"[^a-zA-Z]*\d[^a-zA-Z]*")
_NAME = re.compile(r"(?![a-z])[^\W\d]+(?: [^\W\d]+){0,2}:?")

_LARGE = 1.8
"""Least size of an initial over its word's."""
_OF_A_OR_I = re.compile(
    r"[^aeiouy\W]+|bove|ccording|fter|gainst|lmost|lready|lso|lthough|mong|nother|ny|re",
    re.IGNORECASE,
)
"""Goes on after A or I, which are words themselves."""


class _Piece(NamedTuple):
    line: Line
    at: tuple[int, ...]
    """Positions of its parts."""

    def with_next(self, other: _Piece) -> _Piece:
        line, gap, segments = self.line, _gap(self, other), [*self.line.segments]
        first, *behind = other.line.segments
        between = "" if gap <= _TOUCHING * line.size else " "
        if gap <= WIDE * line.size:
            last = segments.pop()
            first = last._replace(text=last.text + between + first.text, right=first.right)
        line = line._replace(
            text=line.text + between + other.line.text, segments=(*segments, first, *behind)
        )
        return _Piece(settled(line), (*self.at, *other.at))


def initials_joined(lines: Sequence[Line]) -> list[Line]:
    """Joins paragraphs' large first letters with their words."""
    joined = list(lines)
    for initial in lines:
        if len(initial.text) > 1 or not initial.text.isupper() or not initial.segments:
            continue
        begun = (at for at, line in enumerate(joined) if _is_begun_by(initial, line))
        if (at := next(begun, None)) is not None:
            first, *others = joined[at].segments
            first = first._replace(text=initial.text + first.text)
            text = initial.text + joined[at].text
            joined[at] = joined[at]._replace(text=text, segments=(first, *others))
            joined.remove(initial)
    return joined


def _is_begun_by(initial: Line, line: Line) -> bool:
    word = line.text.split()[0]
    goes_on = word[0].islower() or word.isupper()
    if not line.segments or initial.size < _LARGE * line.size or not goes_on:
        return False
    near = line.left - initial.segments[0].right
    higher = line.height - initial.height
    placed = -line.size / 2 <= near <= FAR * line.size and 0 < higher < initial.size
    return placed and (initial.text not in "AI" or bool(_OF_A_OR_I.fullmatch(word)))


def cells_apart(lines: Sequence[Line]) -> Iterator[Line]:
    """Joins near segments, but not cells: other rows have wide gaps there."""
    wide = (line for line in lines if any(one.apart for one in line.segments[1:]))
    rows = sorted(wide, key=lambda line: line.height)
    for line in lines:
        text, segments = line.text, list(line.segments[:1])
        near = [] if all(one.apart for one in line.segments) else list(_rows_near(line, rows))
        at = sum(len(one.text) for one in segments)
        for one in line.segments[1:]:
            last, at = segments[-1], text.find(one.text, at)
            between = "" if text[:at].endswith(last.text) else " "
            short = max(len(last.text), len(one.text)) <= _LONG_CELL
            if one.apart or (short and _is_between_columns(last, one, near)):
                segments.append(one)
                text, at = (text, at) if between else (f"{text[:at]} {text[at:]}", at + 1)
            else:
                both = last.text + between + one.text
                segments[-1] = last._replace(text=both, right=one.right)
            at += len(one.text)
        yield settled(line._replace(text=text, segments=tuple(segments)))


def _rows_near(line: Line, rows: Sequence[Line]) -> Iterator[Line]:
    most = _NEAR * line.size
    first = bisect_left(rows, line.height - most, key=lambda row: row.height)
    for row in rows[first : first + _MOST_ROWS]:
        if 0 < abs(row.height - line.height) <= most and 0.8 < row.size / line.size < 1.25:
            yield row


def _is_between_columns(left: LineSegment, right: LineSegment, rows: Sequence[Line]) -> bool:
    """Whether more rows have a gap there, before an aligned cell, than text or names over gaps."""
    start, end = left.right - 1, right.left + 1
    votes = 0
    for row in rows:
        gaps = [(before.right, one) for before, one in pairwise(row.segments)]
        covered = (a.left < n and b.left < a.right - 1 for a in (left, right) for n, b in gaps)
        over = any(one.left < start and end < one.right for one in row.segments)
        parted = any(n <= end and start <= b.left and _is_aligned(right, b) for n, b in gaps)
        votes += -1 if over or any(covered) else parted
    return votes > 0


def _is_aligned(one: LineSegment, other: LineSegment) -> bool:
    left, right = one.left - other.left, one.right - other.right
    return min(abs(left), abs(right), abs(left + right) / 2) <= 2


def together(page: Sequence[Line]) -> list[Line]:
    """Whole lines, each where its first piece is."""
    rows = list(map(_joined, _level(page)))
    lines = dict(enumerate(page))
    zones = [zone for zone in _zones(rows) if _are_cells(zone)]
    cells = {at for zone in zones for row in zone for piece in row for at in piece.at}
    for zone in zones:
        for row in _rows_of_cells(zone, page, cells):
            row[:] = [reduce(_Piece.with_next, row)]
    for piece in (piece for row in rows for piece in row):
        first, *others = sorted(piece.at)
        lines[first] = piece.line
        for at in others:
            del lines[at]
    return list(lines.values())


def _rows_of_cells(
    zone: Sequence[list[_Piece]], page: Sequence[Line], cells: set[int]
) -> Iterator[list[_Piece]]:
    owns = [{n for piece in row for n in piece.at} for row in zone]
    by_columns = len(zone) > 2 and not any(
        max(map(max, owns[:at])) < min(map(min, owns[at:])) for at in range(1, len(zone))
    )
    for row, own in zip(zone, owns, strict=True):
        drawn = range(min(own), max(own))
        between = (at for at in drawn if at not in own and page[at].segments)
        other = by_columns or any(_is_above(at, row, page) for at in between)
        if other and 2 * len(cells.intersection(drawn)) >= len(drawn):
            yield row


def _is_above(at: int, row: Sequence[_Piece], page: Sequence[Line]) -> bool:
    """And not the start of a cell that ends in the row."""
    ends = (max(piece.at) for piece in row if at < min(piece.at))
    begins = any(
        _is_over(page[at], page[end])
        and not any(_is_over(page[end], one) for one in page[end + 1 : end + 2])
        for end in ends
    )
    return page[at].height > row[0].line.height and not begins


def _is_over(line: Line, below: Line) -> bool:
    first, *others = line.segments
    alone = not others and bool(below.segments)
    return alone and Cell([first]).goes_on(below.segments[0], line.size)


def filled(lines: Sequence[Line]) -> Iterator[Line]:
    """Joins segments whose wide gaps only fill a line to a near one's width."""
    for above, line, below in zip((None, *lines), lines, (*lines[1:], None), strict=False):
        later = line.segments[1:]
        small = sum(one.text[0].islower() for one in later)
        gaps = [after.left - before.right for before, after in pairwise(line.segments)]
        near = not line.row and any(_is_near(one, line) for one in (above, below) if one)
        if later and near and 2 * small >= len(later) and max(gaps) <= _MAX_GAP * line.size:
            one = line.segments[0]._replace(text=line.text, right=line.right)
            line = line._replace(segments=(one,))
        yield line


def _is_near(one: Line, line: Line) -> bool:
    if not one.segments or not line.segments:
        return False
    left, right = abs(one.left - line.left), abs(one.right - line.right)
    alike = left <= _ROWS * line.size and right <= line.size / 2
    return alike and 0 < abs(one.height - line.height) <= 2 * line.size


def _gap(one: _Piece, other: _Piece) -> float:
    return other.line.left - one.line.right


def _level(page: Sequence[Line]) -> list[list[_Piece]]:
    known = [_Piece(line, (at,)) for at, line in enumerate(page) if line.segments and not line.row]
    level = sorted(known, key=lambda one: -one.line.height)
    rows = in_runs(level, lambda a, b: a.line.height - b.line.height <= _SAME * b.line.size)
    return [sorted(row, key=lambda one: one.line.left) for row in rows]


def _joined(row: Iterable[_Piece]) -> list[_Piece]:
    joined: list[_Piece] = []
    for piece in row:
        if joined and _go_together(joined[-1], piece):
            joined[-1] = joined[-1].with_next(piece)
        else:
            joined.append(piece)
    return joined


def _go_together(one: _Piece, other: _Piece) -> bool:
    gap, size = _gap(one, other), one.line.size
    follows = max(one.at) + 1 == min(other.at)
    near = -_OVER * size <= gap <= (WIDE if follows else _TOUCHING) * size
    return near or is_mark(one.line.segments[-1], other.line.segments[0], size)


def _zones(rows: Iterable[list[_Piece]]) -> Iterator[list[list[_Piece]]]:
    """Rows of several cells near each other, one in several pieces."""

    def is_near(above: list[_Piece], row: list[_Piece]) -> bool:
        return above[0].line.height - row[0].line.height <= _ROWS * row[0].line.size

    for several, run in groupby(rows, lambda row: sum(len(x.line.segments) for x in row) > 1):
        zones = in_runs(run, is_near) if several else []
        yield from (zone for zone in zones if any(len(row) > 1 for row in zone))


def _are_cells(zone: Sequence[Sequence[_Piece]]) -> bool:
    cells = [[one.text for piece in row for one in piece.line.segments] for row in zone]
    long = sum(sum(len(cell) > _LONG for cell in row) > 1 for row in cells)
    lines = [piece.line for row in zone for piece in row]
    text = sum(bool(_BULLETED.match(line.text)) or line.text[:1].islower() for line in lines)
    if text >= RUNNING * len(lines) or 3 * long > len(cells):
        return False
    figures = sum(any(map(_FIGURE.fullmatch, row[1:])) for row in cells)
    apart = all(_gap(*pair) > 0 for row in zone for pair in pairwise(row))
    bold = all(row[0].line.bold > row[-1].line.bold for row in zone)
    named = bold and all(_NAME.fullmatch(row[0]) for row in cells)
    return apart and (named or max(map(len, cells)) > 2 or 2 * figures >= len(cells))
