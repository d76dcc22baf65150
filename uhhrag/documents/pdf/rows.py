"""Lines of a PDF → rows, drawn by line or by cell; cells align at tops or middles."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import pairwise, takewhile
from typing import NamedTuple

from uhhrag.documents.pdf.lines import Line, LineSegment, line_of
from uhhrag.documents.segmentation import joined

_LEADER = re.compile(r"(?:\s?\.){2,}$|^\.$")
"""Dots before a figure."""
SAME = 0.4
"""Difference of equal heights, in ems."""
_BELOW = 2.1
"""The same between lines of a cell."""
_MOST_LINES = 8
"""Of a cell."""
MOST_CELLS = 64
"""Of a row."""


Span = tuple[float, float]
"""Left and right, in points."""


class Cell(NamedTuple):
    """Lines from above."""

    lines: list[LineSegment]

    @property
    def span(self) -> Span:
        return min(line.left for line in self.lines), max(line.right for line in self.lines)

    @property
    def low(self) -> float:
        return self.lines[-1].height

    @property
    def middle(self) -> float:
        return (self.lines[0].height + self.low) / 2

    @property
    def text(self) -> str:
        return _LEADER.sub("", reduce(joined, (line.text for line in self.lines)))

    def goes_on(self, segment: LineSegment, size: float) -> bool:
        below = (self.lines[-1].height - segment.height) / size
        left, right = segment.left - self.span[0], segment.right - self.span[1]
        aligned = min(abs(left), abs(right), abs(left + right) / 2) <= size
        return SAME < below <= _BELOW and aligned and len(self.lines) < _MOST_LINES


@dataclass(frozen=True, slots=True)
class Row:
    """Lines of one page with their cells; or one line."""

    lines: list[Line]
    cells: list[Cell]

    @property
    def page(self) -> int:
        return self.lines[0].page

    @property
    def size(self) -> float:
        return self.lines[0].size

    @property
    def bold(self) -> bool:
        return all(line.bold for line in self.lines)

    @property
    def high(self) -> float:
        return max(cell.lines[0].height for cell in self.cells)

    @property
    def low(self) -> float:
        return min(cell.low for cell in self.cells)

    def takes(self, line: Line) -> bool:
        """Adds a line to the last cell or beside it; False if it belongs to neither."""
        segments = line.segments
        if not segments or not 0 < len(self.cells) < MOST_CELLS or line.page != self.page:
            return False
        if not (self.cells[-1].goes_on(segments[0], line.size) or self._is_beside(segments[0])):
            return False
        self.lines.append(line)
        self.add(segments)
        return True

    def add(self, segments: Sequence[LineSegment]) -> None:
        for segment in segments:
            if self.cells and self.cells[-1].goes_on(segment, self.size):
                self.cells[-1].lines.append(segment)
            else:
                self.cells.append(Cell([segment]))

    def _is_beside(self, segment: LineSegment) -> bool:
        low, high = self.low - SAME * self.size, self.high + _MOST_LINES * self.size
        return segment.left >= self.cells[-1].span[1] and low <= segment.height <= high

    def parted(self) -> Iterator[Row]:
        """The row, after lines of text that were taken for its first cell."""
        if len(self.cells) < 2:
            yield from map(row_of, self.lines)
            return
        first, second = self.cells[:2]
        same = SAME * self.size
        alone = len(list(takewhile(lambda line: len(line.segments) == 1, self.lines)))
        last = min(alone, len(first.lines) - 1)
        starts = (
            at
            for at, line in enumerate(first.lines[: last + 1])
            if abs(line.height - second.lines[0].height) <= same
            or (abs(Cell(first.lines[at:]).middle - second.middle) <= same and self._is_even(at))
        )
        above = next(starts, last)
        yield from map(row_of, self.lines[:above])
        yield Row(self.lines[above:], [Cell(first.lines[above:]), *self.cells[1:]])

    def _is_even(self, start: int) -> bool:
        lines = self.cells[0].lines[start:]
        distances = [above.height - below.height for above, below in pairwise(lines)]
        styles = {line.bold for line in self.lines[start : start + len(lines)]}
        return len(styles) == 1 and max(distances, default=0) <= 1.1 * min(distances, default=0)


def rows_of(lines: Sequence[Line]) -> Iterator[Row]:
    """Rows and single lines, in order."""
    row: Row | None = None
    for line in _with_merged(lines):
        if row is None or not row.takes(line):
            yield from row.parted() if row else ()
            row = row_of(line)
    yield from row.parted() if row else ()


def row_of(line: Line) -> Row:
    row = Row([line], [])
    row.add(line.segments)
    return row


def _with_merged(lines: Sequence[Line]) -> list[Line]:
    """Lines, a cell beside several rows repeated in them; it is drawn before or in the first."""
    found = [one for at in range(len(lines)) for one in _levels(lines, at)]
    for at in range(len(found) - 2, -1, -1):
        if at and _is_parted(*found[at - 1 : at + 2]):
            found[at - 1] = _with_cells(found[at - 1], found.pop(at + 1).segments)
        higher = [*takewhile(partial(_is_higher, found[at]), found[at + 1 : at + 1 + _MOST_LINES])]
        if higher:
            first = reduce(_with_cells, (one.segments for one in higher[1:]), higher[0])
            start, ahead = at, [first, found[at], *found[at + 1 + len(higher) :][:_MOST_LINES]]
        else:
            start, ahead = max(0, at - 1), found[max(0, at - 1) : at + 1 + _MOST_LINES]
        if rows := _rows_beside(ahead, 1):
            cells = ahead[1].segments
            found[start : start + max(2, 1 + len(higher)) + len(rows) - 1] = [
                _with_cells(row, [cell._replace(height=row.height) for cell in cells])
                for row in rows
            ]
    return found


def _is_higher(line: Line, other: Line) -> bool:
    both = line.segments and other.segments and line.page == other.page
    return bool(both) and other.height - line.height > SAME * line.size


def _levels(lines: Sequence[Line], at: int) -> list[Line]:
    """A line, parted by heights if a part is centred beside several rows."""
    line, levels = lines[at], list[Line]()
    left, near = list(line.segments), SAME * line.size
    while left:
        high = max(one.height for one in left)
        levels.append(line_of(line, [one for one in left if high - one.height <= near]))
        left = [one for one in left if high - one.height > near]
    ahead = [*levels, *lines[at + 1 : at + 1 + _MOST_LINES]]
    return levels if any(_rows_beside(ahead, n) for n in range(1, len(levels))) else [line]


def _is_parted(first: Line, line: Line, second: Line) -> bool:
    """Whether a line with a merged cell stands between two parts of the row above it."""
    if not (first.segments and line.segments and second.segments and first.page == second.page):
        return False
    level = abs(first.height - second.height) <= SAME * line.size < first.height - line.height
    return level and first.right <= line.left and line.right <= second.left


def _rows_beside(lines: Sequence[Line], at: int) -> list[Line]:
    """The rows in whose middle a line of cells is, else []."""
    above, middle = lines[at - 1 : at + 1]
    if not (above.segments and middle.segments) or above.page != middle.page:
        return []
    near, lowest = SAME * middle.size, 2 * middle.height - above.height
    beside = lines[at + 1 : at + 1 + _MOST_LINES]
    rows = [above, *takewhile(lambda one: one.segments and one.height >= lowest - near, beside)]
    centred = above.height - middle.height > near and abs(rows[-1].height - lowest) <= near
    if not centred or any(len(row.segments) < 2 for row in rows):
        return []
    pairs = ((one, cell) for row in rows for one in row.segments for cell in middle.segments)
    return rows if all(a.right <= b.left or b.right <= a.left for a, b in pairs) else []


def _with_cells(line: Line, cells: Sequence[LineSegment]) -> Line:
    return line_of(line, sorted((*line.segments, *cells), key=lambda one: one.left))
