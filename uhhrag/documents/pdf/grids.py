"""Lines of text in drawn grids → rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import groupby, pairwise
from typing import NamedTuple

from uhhrag.documents.blocks import Block
from uhhrag.documents.pandoc.tables import Span, cell_text, named_rows, rows_of_names, spread
from uhhrag.documents.pdf.lines import Line, LineSegment, by_direction, in_runs, line_of
from uhhrag.documents.pdf.rows import SAME, replaced
from uhhrag.documents.pdf.rules import Grid, Rules, TableRow, indices_among, turn
from uhhrag.documents.segmentation import joined
from uhhrag.documents.tables.values import is_figure

_CENTRE = 0.3
"""Of letters above their feet, in ems."""
_WIDE, _INSET = 3.0, 1.5
"""Gap between columns that no wall parts, and between those of drawn columns, in ems."""
_BESIDE, _SHORT = 4.0, 30
"""Gap to names beside a grid, in ems, and their characters, at most."""
_MOST_GAPS = 0.12
"""Share of cells with gaps, at most."""
_LONG, _LONG_ALONE, _STACKED = 20, 2, 3
"""Lines of a cell: of one beside other long ones, of one alone, which are text; of figures in two
columns, which are rows.
"""


class _Text(NamedTuple):
    line: Line
    part: LineSegment


_Cells = dict[int, list[_Text]]
"""Texts by cell."""


def with_rows(lines: list[Line], rules: Rules, above: Sequence[int] = ()) -> list[Line]:
    """Lines in drawn grids become rows, where a grid's first was. A lone row needs the edges of a
    row `above`, on the page before or after."""
    level, _ = by_direction(lines)
    angle = level[0].angle if level else 0
    grids = rules.grids(angle)
    for number, grid in enumerate(grids):
        others = [one for one in grids if not _holds(one, grid)]
        beside = [
            part.height
            for line in lines
            for part in line.segments
            if 0 <= grid.columns[0] - part.right <= _BESIDE * line.size
            if len(part.text) <= _SHORT
            if not any(one.place(*_middle(line, part, angle)) for one in others)
        ]
        lines = _with_rows(lines, (number, grid), beside, above)
    return lines


def _holds(grid: Grid, other: Grid) -> bool:
    return bool(grid.place(sum(other.columns[:2]) / 2, sum(other.rows[:2]) / 2))


def _with_rows(
    lines: list[Line], numbered: tuple[int, Grid], beside: Sequence[float], above: Sequence[int]
) -> list[Line]:
    number, grid = numbered
    cells = _Cells()
    for line in lines:
        for part in line.segments if not line.row else ():
            if place := grid.place(*_middle(line, part, grid.angle)):
                cells.setdefault(grid.owners[place[0]][place[1]], []).append(_Text(line, part))
    from_above = reversed(grid.owners)
    for at, (is_text, run) in enumerate(groupby(from_above, key=lambda row: _is_text(row, cells))):
        rows = list(run)
        least = 1 if indices_among(_edges(rows, cells, grid), above) else 2
        if is_text or not _is_table(rows, cells, least) or _lack_names(rows, cells, beside):
            continue
        end, *stacked = (*_stacked(rows, cells), len(rows))
        shown = list(_rows(rows, cells, grid, (number, at)))
        own = {cell for row in rows[:end] for cell in row if cell in cells}
        taken = {id(text.part) for cell in own for text in cells[cell]}
        if stacked:
            others = {cell for row in rows[end:] for cell in row if cell in cells} - own
            lines = _over_columns(lines, {cell: cells[cell] for cell in others}, _ends(grid))
        kept = [_bare(line) if stacked else line for at_row, line in shown if at_row < end]
        lines = list(replaced(lines, taken, kept))
    return lines


def _bare(line: Line) -> Line:
    """A row as a text line with a segment per column."""
    if line.row is None:
        return line
    parts = [
        LineSegment(text, left, right - _INSET * line.size, line.height)
        for text, (left, right) in zip(line.row.cells, pairwise(line.row.edges), strict=True)
        if text
    ]
    return line_of(line._replace(row=None), parts)


def _over_columns(
    lines: Sequence[Line], cells: _Cells, ends: Mapping[int, tuple[float, float]]
) -> list[Line]:
    """Lines whose texts are as wide as their columns, for rows that no lines part."""
    wide = {
        id(part): part._replace(
            left=min(part.left, ends[cell][0]),
            right=max(part.right, ends[cell][1] - _INSET * line.size),
        )
        for cell, texts in cells.items()
        for line, part in texts
    }
    parted = [(line, tuple(wide.get(id(part), part) for part in line.segments)) for line in lines]
    return [line_of(line, parts) if parts != line.segments else line for line, parts in parted]


def _middle(line: Line, part: LineSegment, angle: int) -> tuple[float, float]:
    x, y = (part.left + part.right) / 2, part.height + _CENTRE * line.size
    return (
        (x, y) if line.angle == angle or line.angle % 90 else turn(turn((x, y), -line.angle), angle)
    )


def _is_text(row: Sequence[int], cells: _Cells) -> bool:
    """Whether it is running text: alone, or several long ones."""
    filled = [_lines(cells[cell]) for cell in {*row} if cell in cells]
    alone = len({*row}) == 1 and filled and len(filled[0]) > _LONG_ALONE
    long = (one for one in filled if len(one) > _LONG)
    return bool(alone) or sum(2 * sum(map(_is_figures, one)) < len(one) for one in long) > 1


def _is_table(rows: Sequence[Sequence[int]], cells: _Cells, least: int) -> bool:
    """Whether `least` rows have two texts, and a cell's texts stand below each other."""
    own = {cell for row in rows for cell in row if cell in cells}
    if sum(len({*row} & own) > 1 for row in rows) < least:
        return False
    gaps = sum(_has_gap(cells[cell]) for cell in own)
    return gaps <= max(1, _MOST_GAPS * len(own))


def _lack_names(rows: Sequence[Sequence[int]], cells: _Cells, beside: Sequence[float]) -> bool:
    """Whether names are beside most rows, like a chart's bars, or all in one cell."""
    over = Counter(cell for row in rows for cell in {*row} if cell in cells)
    for cell, count in over.items():
        if _STACKED <= count == len(_lines(cells[cell])):
            return True
    firsts = [next((cells[cell][0] for cell in row if cell in cells), None) for row in rows]
    filled = [text for text in firsts if text]
    level = (
        any(abs(height - text.part.height) <= SAME * text.line.size for height in beside)
        for text in filled
    )
    return 2 * sum(level) > len(filled)


def _ends(grid: Grid) -> dict[int, tuple[float, float]]:
    placed = sorted((cell, at) for row in grid.owners for at, cell in enumerate(row))
    first, last = dict(reversed(placed)), dict(placed)
    return {cell: (grid.columns[at], grid.columns[last[cell] + 1]) for cell, at in first.items()}


def _lines(texts: Sequence[_Text]) -> list[list[_Text]]:
    """A cell's texts by line, from above."""

    def is_beside(one: _Text, other: _Text) -> bool:
        near = one.part.height - other.part.height <= SAME * other.line.size
        return near and one.line.angle == other.line.angle

    level = sorted(texts, key=lambda one: (one.line.angle, -one.part.height))
    return [sorted(line, key=lambda one: one.part.left) for line in in_runs(level, is_beside)]


def _has_gap(texts: Sequence[_Text]) -> bool:
    """Whether a line has a figure or wide gap beside words."""
    for line in _lines(texts):
        parts = [one.part for one in line if any(map(str.isalnum, one.part.text))]
        wide = _WIDE * texts[0].line.size
        far = any(right.left - left.right > wide for left, right in pairwise(parts))
        if len(parts) > 1 and (far or any(is_figure(part.text) for part in parts)):
            return True
    return False


def _stacked(rows: Sequence[Sequence[int]], cells: _Cells) -> list[int]:
    """Positions of rows whose cells hold several: figures; equally many lines in several rows; or
    long texts in the only row below names."""
    held = [[_lines(cells[cell]) for cell in dict.fromkeys(row) if cell in cells] for row in rows]
    several = [at for at, columns in enumerate(held) if len(columns) > 1]
    found, alike = list[int](), list[int]()
    for at in several:
        counts = [len(lines) for lines in held[at]]
        figures = [len(one) for one in held[at] if len(one) > 1 and all(map(_is_figures, one))]
        least = 2 if sum(count > 1 for count in counts) > len(figures) else _STACKED
        alone = len(several) == 2 and at == several[1] and sum(n > 1 for n in counts) > 2
        found += [at] if alone or sum(count >= least for count in figures) > 1 else []
        alike += [at] if len(counts) > 2 and len({*counts}) == 1 < counts[0] else []
    return found or (alike if len(alike) > 2 else [])


def _is_figures(line: Sequence[_Text]) -> bool:
    return is_figure(" ".join(text.part.text for text in line))


def _rows(
    rows: Sequence[Sequence[int]], cells: _Cells, grid: Grid, part: tuple[int, int]
) -> Iterator[tuple[int, Line]]:
    """Rows, each with the position of its last in `rows`."""
    used = _columns(rows, cells)
    owners = [tuple(row[at] for at in used) for row in rows]
    begun = set[int]()  # cells; of some shapes a row differs from the one above without any new one
    places = list[int]()
    for at, own in enumerate(owners):
        places += [at] if {*own} - begun and any(cell in cells for cell in own) else []
        begun |= {*own}
    shown = [owners[at] for at in places]
    texts = [[text for cell in {*row} for text in cells.get(cell, ())] for row in shown]
    bold = [all(text.line.bold for text in row) for row in texts]
    held, marks = list(_spans(shown, cells)), [one and not all(bold) for one in bold]
    heads = rows_of_names(held, 0, marks)
    named = list(named_rows(list(spread(held, heads)), heads, marks))
    first = len(texts) - len(named)
    edges = _edges(rows, cells, grid)
    left, right = grid.columns[0], grid.columns[-1]
    for (row, mark), parts, at in zip(named, texts[first:], places[first:], strict=True):
        line = parts[0].line
        height = min(_middle(*text, grid.angle)[1] for text in parts) - _CENTRE * line.size
        texts_of = tuple(map(cell_text, row))
        words = " ".join(filter(None, texts_of))
        one = LineSegment(words, left, right, height)
        told = TableRow(texts_of, mark, part, edges)
        yield at, Line(words, line.page, line.size, line.bold, (one,), grid.angle, told)


def _edges(rows: Sequence[Sequence[int]], cells: _Cells, grid: Grid) -> tuple[int, ...]:
    places = (*_columns(rows, cells), len(grid.columns) - 1)
    return tuple(round(grid.columns[at]) for at in places)


def _columns(rows: Sequence[Sequence[int]], cells: _Cells) -> list[int]:
    """Columns in which a cell with text begins."""
    return [
        at
        for at in range(len(rows[0]))
        if any(row[at] in cells and (not at or row[at - 1] != row[at]) for row in rows)
    ]


def _spans(rows: Sequence[Sequence[int]], cells: _Cells) -> Iterator[list[Span]]:
    for at, row in enumerate(rows):
        spans = []
        for cell, run in groupby(row):
            if at and cell in rows[at - 1]:
                continue
            down = sum(cell in other for other in rows[at:])
            text = reduce(
                joined,
                (" ".join(one.part.text for one in line) for line in _lines(cells.get(cell, ()))),
                "",
            )
            spans.append(Span(down, len(list(run)), [Block(text)] if text else []))
        yield spans
