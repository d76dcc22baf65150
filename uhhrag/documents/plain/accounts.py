"""Accounts typed in columns, whose rows differ in cells: what stands below a name is its value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from uhhrag.documents.blocks import Block
from uhhrag.documents.document import HEADING_SEPARATOR
from uhhrag.documents.tables.values import is_figure
from uhhrag.text.fragments import is_ended

_CELL = re.compile(r"[^\s]+(?: [^\s]+)*")
_GAP = re.compile(" {3,}")
_LEADER, _SIGN = re.compile(r"\.{4,}|(?:\. ){3,}"), re.compile(r"([$€£¥]) {2,}(?=[(\d])")
"""Dots before a figure; a sign set apart from it."""
RULE = re.compile(r"[|+][-=:+| ]{2,}[|+]|[-=_+| ]{2,}")
_LONGEST, _LEAST_ROWS, _LEAST = 60, 3, 2
"""Characters of a label; rows with figures; rows with several, and columns, at least."""


class _Cell(NamedTuple):
    text: str
    start: int
    end: int

    def is_over(self, column: tuple[int, int]) -> bool:
        return self.start < column[1] and column[0] < self.end


def accounts(lines: Sequence[str]) -> Iterator[tuple[int, int, list[Block]]]:
    """Where each begins and ends among the lines, and its rows."""
    held = [] if any("\t" in line for line in lines) else [*map(_cells, lines)]
    widths = [len(_GAP.split(line.strip())) for line in lines]
    runs = groupby(range(len(held)), key=lambda at: _may_belong(held[at]))
    for run in (
        one for may_belong, found in runs if may_belong for one in _parted(lines, held, [*found])
    ):
        rows = [at for at in run if len(held[at]) > 1 or any(map(_is_value, held[at]))]
        counts = {widths[at] for at in run if rows and held[at] and rows[0] <= at <= rows[-1]}
        blocks = _blocks(held[rows[0] : rows[-1] + 1]) if rows else []
        if blocks and len(counts) > 1:  # else as any table
            yield rows[0], rows[-1] + 1, blocks


def _parted(
    lines: Sequence[str], held: Sequence[Sequence[_Cell]], run: Sequence[int]
) -> Iterator[list[int]]:
    """Lines of a run, parted at blank lines above names of columns, or above figures that stand
    below none of those above."""
    part: list[int] = []
    covered: set[int] = set()
    for place, at in enumerate(run):
        row = held[at]
        if part and row and not lines[at - 1].strip():
            near = (held[n] for n in run[place : place + _LEAST_ROWS])
            below = next((found for one in near if (found := _covered(one))), covered)
            if (len(row) > 1 and not _covered(row)) or (covered and covered.isdisjoint(below)):
                yield part
                part, covered = [], set()
        part.append(at)
        covered |= _covered(row)
    yield part


def _covered(row: Sequence[_Cell]) -> set[int]:
    """Places of its figures."""
    return {at for cell in row if _is_value(cell) for at in range(cell.start, cell.end)}


def _cells(line: str) -> list[_Cell]:
    """Empty for a rule."""
    line = _LEADER.sub(lambda dots: " " * len(dots[0]), line)
    line = _SIGN.sub(lambda sign: f"{' ' * (len(sign[0]) - 1)}{sign[1]}", line)
    bare = RULE.fullmatch(line.strip())
    return [] if bare else [_Cell(one[0], *one.span()) for one in _CELL.finditer(line)]


def _may_belong(cells: Sequence[_Cell]) -> bool:
    """A row, a label or nothing, not a sentence."""
    alone = len(cells) == 1 and not _is_value(cells[0])
    return not alone or (len(cells[0].text) <= _LONGEST and not is_ended(cells[0].text))


def _is_value(cell: _Cell) -> bool:
    return is_figure(cell.text) and cell.start > 0


def _blocks(rows: Sequence[Sequence[_Cell]]) -> list[Block]:
    """[] where a cell stands below no column."""
    columns = _columns(rows)
    figures = [sum(map(_is_value, row)) for row in rows]
    rare = sum(map(bool, figures)) < _LEAST_ROWS or sum(count > 1 for count in figures) < _LEAST
    if len(columns) < _LEAST or rare:
        return []
    blocks, open_label = list[Block](), ""
    for at, row in enumerate(rows):
        below = rows[at + 1] if at + 1 < len(rows) else []
        if not row:
            continue
        label, values = _placed(row, columns)
        if not values:
            return []
        if not any(values) and _goes_on(label, below, columns):
            open_label = f"{open_label} {label}".strip()
            continue
        label, open_label = f"{open_label} {label}".strip(), ""
        blocks.append(Block(cells=(label, *values) if any(values) else (label,)))
    first = next(at for at, count in enumerate(figures) if count)
    above = [_placed(row, columns) for row in rows[:first] if row]
    spans = any(len(values) > len({*values}) for _, values in above if all(values))
    spans = spans and len(above) > 1
    return [_joined(above), *blocks[len(above) :]] if spans else blocks


def _joined(above: Sequence[tuple[str, tuple[str, ...]]]) -> Block:
    """Names of columns, below those of several."""
    columns = zip(*((label, *values) for label, values in above), strict=True)
    names = (HEADING_SEPARATOR.join(filter(None, dict.fromkeys(parts))) for parts in columns)
    return Block(cells=tuple(names), named=True)


def _columns(rows: Sequence[Sequence[_Cell]]) -> list[tuple[int, int]]:
    """What cells of rows with figures cover, but for labels."""
    with_figures = [row for row in rows if any(map(_is_value, row))]
    cells = (cell for row in with_figures for cell in row[not _is_value(row[0]) :])
    columns: list[tuple[int, int]] = []
    for start, end in sorted((cell.start, cell.end) for cell in cells):
        if columns and start < columns[-1][1]:
            columns[-1] = columns[-1][0], max(end, columns[-1][1])
        else:
            columns.append((start, end))
    return columns


def _placed(
    row: Sequence[_Cell], columns: Sequence[tuple[int, int]]
) -> tuple[str, tuple[str, ...]]:
    """Its label and a value for each column; no values if two have one column."""
    label, *others = row
    if label.end > columns[0][0]:
        label, others = _Cell("", 0, 0), [*row]
    over = [[cell.text for cell in others if cell.is_over(column)] for column in columns]
    if any(len(texts) > 1 for texts in over):
        return "", ()
    return label.text, tuple("".join(texts) for texts in over)


def _goes_on(label: str, below: Sequence[_Cell], columns: Sequence[tuple[int, int]]) -> bool:
    """Whether the row below goes on with a label that was too long for its line."""
    rest = _placed(below, columns)[0] if below else ""
    return rest[:1].islower() or (label.isupper() and rest.isupper())
