"""Lines → rows, drawn by line or cell; cells align at tops or middles."""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain, pairwise, takewhile, zip_longest
from operator import attrgetter
from typing import NamedTuple

from uhhrag.documents.pdf.lines import Line, LineSegment, in_runs, line_of
from uhhrag.documents.pdf.places import Box
from uhhrag.documents.pdf.rules import TableRow
from uhhrag.documents.segmentation import joined
from uhhrag.documents.tables.values import is_figure

_LEADER = re.compile(r"(?:\s?\.){2,}$|^\.$")
"""Dots before a figure."""
SAME = 0.4
"""Difference of equal heights, in ems."""
_BELOW = 2.1
"""The same between lines of a cell."""
_LOOSER = 1.1
"""Distance of rows over that of a name's lines."""
MOST_LINES, _ALIKE = 8, 2
"""Of a cell, and of shaded ones that have as many; more are rows."""
MOST_CELLS = 64
"""Of a row."""
SHADED = TableRow((), False, (0, 0), ())
"""Of a line of cells without sides."""
Span = tuple[float, float]
"""Left and right, in points."""


class Cell(NamedTuple):
    """Lines from above."""

    lines: list[LineSegment]

    @property
    def span(self) -> Span:
        return min(line.left for line in self.lines), max(line.right for line in self.lines)

    @property
    def middle(self) -> float:
        return (self.lines[0].height + self.lines[-1].height) / 2

    @property
    def text(self) -> str:
        return _LEADER.sub("", reduce(joined, (line.text for line in self.lines)))

    def goes_on(self, segment: LineSegment, size: float) -> bool:
        below = (self.lines[-1].height - segment.height) / size
        left, right = segment.left - self.span[0], segment.right - self.span[1]
        aligned = min(abs(left), abs(right), abs(left + right) / 2) <= size
        return SAME < below <= _BELOW and aligned and len(self.lines) < MOST_LINES


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
        return min(cell.lines[-1].height for cell in self.cells)

    def takes(self, line: Line) -> bool:
        """Adds a line to the last cell or beside it; False if neither."""
        segments = line.segments
        if not segments or not 0 < len(self.cells) < MOST_CELLS or line.page != self.page:
            return False
        goes_on = self.cells[-1].goes_on(segments[0], min(self.size, line.size))
        if goes_on or self._is_beside(segments[0]):
            self.add(segments)
        elif len(segments) == 1 and (cell := self._above(segments[0])):
            cell.lines.append(segments[0])
        else:
            return False
        self.lines.append(line)
        return True

    def is_named_on(self, line: Line, below: Line | None) -> bool:
        """Adds a line with the rest of the row's name, nearer than `below`."""
        if len(self.cells) < 2 or len(line.segments) != 1 or line.page != self.page:
            return False
        name, (rest,) = self.cells[0], line.segments
        far = _LOOSER * (name.lines[-1].height - rest.height)
        near = below and below.segments and 0 < rest.height - below.height < far
        within = rest.text[0] in "(" or rest.text[0].islower()
        within = within and rest.right < self.cells[1].span[0]
        within = within and any(is_figure(cell.text) for cell in self.cells[1:])
        if near or not within or not name.goes_on(rest, self.size):
            return False
        name.lines.append(rest)
        self.lines.append(line)
        return True

    def _above(self, segment: LineSegment) -> Cell | None:
        """The cell between others whose words a line continues."""
        for before, cell, after in zip(self.cells, self.cells[1:], self.cells[2:], strict=False):
            least = max(before.span[1], cell.span[0] - self.size)
            within = least < segment.left and segment.right < after.span[0]
            if within and cell.goes_on(segment, self.size):
                return None if is_figure(segment.text) else cell
        return None

    def add(self, segments: Sequence[LineSegment]) -> None:
        for segment in segments:
            if self.cells and self.cells[-1].goes_on(segment, self.size):
                self.cells[-1].lines.append(segment)
            else:
                self.cells.append(Cell([segment]))

    def _is_beside(self, segment: LineSegment) -> bool:
        low, high = self.low - SAME * self.size, self.high + MOST_LINES * self.size
        return segment.left >= self.cells[-1].span[1] and low <= segment.height <= high

    def parted(self) -> Iterator[Row]:
        """The row, after text lines taken for its first cell."""
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


def with_shaded(lines: Sequence[Line], boxes: Iterable[Box]) -> list[Line]:
    """Texts of shaded cells side by side become one line, cell after cell."""
    height = attrgetter("height")
    level = sorted((x for x in lines if x.segments and not (x.row or x.angle)), key=height)
    kept = list(lines)
    for band in _bands(boxes):
        first, last = (bisect(level, end, key=height) for end in band[0][1::2])
        if last - first > MOST_LINES * max(2, len(band)):
            continue
        parts = [one for line in reversed(level[first:last]) for one in line.segments]
        held = [[x for x in parts if a < (x.left + x.right) / 2 < b] for a, _, b, _ in band]
        held = held if len(band) > 1 else _columns_of(parts)
        cells, parts = list(filter(None, held)), [*chain(*held)]
        heights = {tuple(round(part.height) for part in cell) for cell in cells}
        rows = len(heights) == 1 and len(parts) > _ALIKE * len(cells)
        if 1 < len(cells) < len(parts) and not rows and all(map(_is_cell, cells)):
            row = line_of(level[last - 1], parts)._replace(row=SHADED)
            kept = list(replaced(kept, set(map(id, parts)), (row,)))
    return kept


def _columns_of(strip: Sequence[LineSegment]) -> list[list[LineSegment]]:
    """From above; none unless all begin in the first line, and the first not anew."""
    runs = in_runs(sorted(strip, key=attrgetter("left")), lambda a, b: b.left < a.right)
    columns = [sorted(run, key=attrgetter("height"), reverse=True) for run in runs]
    level = len({round(column[0].height) for column in columns}) == 1
    return columns if level and not any(x.text[:1].isupper() for x in columns[0][1:]) else []


def _bands(boxes: Iterable[Box]) -> Iterator[list[Box]]:
    """Boxes of one height side by side, from the left, or as wide as several above."""
    rows: dict[Span, list[Box]] = {}
    for left, low, right, high in sorted({(*map(round, box),) for box in boxes}):
        rows.setdefault((low, high), []).append((left, low, right, high))
    alone = Counter((row[0][0], row[0][2]) for row in rows.values() if len(row) == 1)
    for row in rows.values():
        several = len(row) > 1 or alone[row[0][0], row[0][2]] > _ALIKE
        beside = all(a[2] <= b[0] + 1 for a, b in pairwise(row))
        if several and beside and len(row) <= MOST_CELLS:
            yield row


def _is_cell(parts: Sequence[LineSegment]) -> bool:
    """Whether lines stand below each other, not in several rows."""
    below = all(one.height > other.height + 1 for one, other in pairwise(parts))
    return below and sum(is_figure(part.text) for part in parts) < 2


def replaced(lines: Sequence[Line], taken: set[int], rows: Sequence[Line]) -> Iterator[Line]:
    """Lines without parts in `taken`, rows where the first was."""
    for line in lines:
        left = [part for part in line.segments if id(part) not in taken]
        if len(left) == len(line.segments):
            yield line
            continue
        yield from rows
        rows = ()
        if left:
            yield line_of(line, left)


def rows_of(lines: Sequence[Line]) -> Iterator[Row]:
    rows: list[Row] = []
    for line, below in zip_longest(lines, lines[1:]):
        if not rows or not (rows[-1].takes(line) or rows[-1].is_named_on(line, below)):
            rows.append(row_of(line))
    return chain.from_iterable(map(Row.parted, rows))


def row_of(line: Line) -> Row:
    row = Row([line], [])
    row.add(line.segments)
    return row
