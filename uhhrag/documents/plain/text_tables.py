"""Plain text as paragraphs, and rows whose cells stand in columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, zip_longest
from typing import NamedTuple

from uhhrag.documents.blocks import TABLE_END, Block, paragraph_blocks
from uhhrag.documents.document import HEADING_SEPARATOR
from uhhrag.documents.segmentation import MARK, RUN_MARK, Part, line_width
from uhhrag.documents.tables.values import YEAR, is_figure
from uhhrag.text.characters import text_lines
from uhhrag.text.fragments import is_ended

_GAP, LEAST_ROWS = re.compile(r" {0,3}(?:\.{5,}|(?:\. ){4,}) *|\t+| {3,}"), 3
_MAX_LABEL_CHARS, _LEAST_FIGURES = 60, 2
"""Characters of a label; of accounts, rows with several figures, and columns, at least."""
_CELL, _WIDE = re.compile(r"\S+(?: \S+)*"), re.compile(" {3,}")
_LEADER, _SIGN = re.compile(r"\.{4,}|(?:\. ){3,}"), re.compile(r"([$€£¥]) {2,}(?=[(\d])")
"""Dots before a figure; a sign set apart from it."""
_RULE = re.compile(r"[|+][-=:+| ]{2,}[|+]|[-=_+| ]{2,}")
_BAR = re.compile(r"(?:(?<!\.)\.{4,} *|(?<! ) +)\| *|\| +")


def text_blocks(lines: Sequence[str]) -> Iterator[Block]:
    """Wide gaps or bars part a table's cells."""
    at = 0
    for start, end, rows in _accounts(lines):
        yield from _typed_blocks(lines[at:start])
        yield from (*rows, TABLE_END)
        at = end
    yield from _typed_blocks(lines[at:])


def _typed_blocks(lines: Sequence[str]) -> Iterator[Block]:
    if any({"+", "|"} & {*line} for line in lines if _RULE.fullmatch(line.strip())):
        grid = [{"|"} == {*line.strip()[:1], *line.strip()[-1:]} for line in lines]
        lines = [a if framed else _BAR.sub("\t", a) for a, framed in zip(lines, grid, strict=True)]
    lines = _without_rules([*_barred(lines)])
    width = line_width(lines)
    columns = [*zip_longest(*(line.split("\t") for line in lines if "\t" in line))]
    even = len(columns) > 2 and all(None not in one and any(map(str.strip, one)) for one in columns)
    rows = [
        line.split("\t") if even and "\t" in line else cells
        for line, cells in zip(lines, _rows(_with_corners(lines)), strict=True)
    ]
    text: list[Part] = []
    counted = zip(lines, rows, _counts(rows), strict=True)
    for cells, run in groupby(counted, key=lambda line: line[2]):
        held = list(run)
        if cells > 1 and len(held) >= LEAST_ROWS:
            yield from paragraph_blocks(text, width)
            text = []
            yield from (Block(cells=tuple(row)) for line, row, _ in held if line.strip())
            yield TABLE_END
        else:
            text += [(line, 0) for line, *_ in held]
    yield from paragraph_blocks(text, width)


def _barred(lines: Iterable[str]) -> Iterator[str]:
    """Tabs for bars, in lines with as many as their neighbours."""
    for bars, run in groupby(lines, key=lambda one: one.count(" | ") * (one[:1] != "|")):
        held = list(run)
        yield from [_BAR.sub("\t", one) for one in held] if bars and held[2:] else held


def _counts(rows: Sequence[Sequence[str]]) -> list[int]:
    """Cells of rows; a group's name between two, above figures, has as many, like a blank line."""
    counts = [*map(len, rows)]
    for at, (above, row, below) in enumerate(zip(rows, rows[1:], rows[2:], strict=False), start=1):
        values = [*map(str.strip, below[1:])]
        named = len(row) == 1 and len(row[0]) <= _MAX_LABEL_CHARS and not is_ended(row[0])
        named = named and (bool(row[0].strip()) or not all(map(YEAR.fullmatch, values)))
        if named and len(above) == len(below) > 1 and all(map(is_figure, values)):
            counts[at] = len(above)
    return counts


def typed_blocks(text: str) -> list[Block]:
    """Figures typed in columns, and what is around; [] without any, or for quotes."""
    lines = text_lines(RUN_MARK.sub("", text).strip("\n"))
    blocks = [] if any(line.startswith(">") for line in lines) else [*text_blocks(lines)]
    values = [is_figure(cell) for block in blocks for cell in block.cells[1:]]
    if 2 * sum(values) <= len(values):  # also of a program
        return []
    return [Block("".join(RUN_MARK.findall(text))), *blocks]


def _rows(lines: Iterable[str]) -> list[list[str]]:
    """Cells of lines; narrow gaps part a long line beside other rows."""
    bare = [line.strip() for line in lines]
    rows = [*map(cells_of, bare)]
    counts = [0, *map(len, rows), 0]
    for at, line in enumerate(bare):
        cells = re.split(" {2,}", line)
        plain = len(cells) > 2 or not re.search(r"[^\W\d]", cells[-1])
        if plain and len(rows[at]) < len(cells) in (counts[at], counts[at + 2]):
            rows[at] = cells
    return rows


def _with_corners(lines: Sequence[str]) -> Iterator[str]:
    """Bars for a line of names that leaves the label column blank.

    >>> [*_with_corners(["        2022   2021", "Shop    £713   £198", "Café    £449     £0"])][0]
    '||2022|2021|'
    """
    for at, line in enumerate(lines):
        units = "".join(lines[at + 1 : at + 2])[:1].isspace()  # or another row of names
        tops = (at + 1, at + 2) if units else (at + 1,)
        found = (_cornered(line, lines[top : top + 3]) for top in tops if line[:1].isspace())
        yield next(filter(None, found), line)


def _cornered(line: str, below: Sequence[str]) -> str:
    """Empty for another line."""
    names, *rows = ([*_CELL.finditer(one)] for one in (line, *[*filter(str.strip, below)][:2]))
    even = {len(row) for row in rows} == {len(names) + 1} and len(rows) > 1
    placed = names and even and rows[0][0].end() < names[0].start()
    placed = placed and all(map(_is_above, names, rows[0][1:]))
    return f"||{'|'.join(name[0] for name in names)}|" if placed else ""


def _is_above(name: re.Match[str], value: re.Match[str]) -> bool:
    left, right = name.start() - value.start(), name.end() - value.end()
    return min(abs(left), abs(right), abs(left + right) / 2) <= 1


def _without_rules(lines: Sequence[str]) -> list[str]:
    """Rules become blank lines, but vanish within tables."""
    kept = ["" if _RULE.fullmatch(line.strip()) else line for line in lines]
    if kept == [*lines]:
        return kept
    rows = [len(cells_of(line.strip())) for line in _with_corners(kept)]
    counts = Counter(rows)
    around = zip([0, *rows], [*rows[1:], 0], strict=False)
    held = zip(kept, lines, around, strict=False)
    return [
        line
        for line, given, (a, b) in held
        if line == given or not a == b > 1 or counts[a] < LEAST_ROWS
    ]


def cells_of(line: str) -> list[str]:
    """A list item's mark is no cell."""
    bars = len(line) > 1 and line[0] == line[-1] == "|"
    cells = [*map(str.strip, line[1:-1].split("|"))] if bars else _GAP.split(line)
    return [line] if len(cells) == 2 and re.fullmatch(MARK, cells[0]) else cells


class _Cell(NamedTuple):
    text: str
    start: int
    end: int

    def is_over(self, column: tuple[int, int]) -> bool:
        return self.start < column[1] and column[0] < self.end


def _accounts(lines: Sequence[str]) -> Iterator[tuple[int, int, list[Block]]]:
    """Start, end and rows of accounts, whose rows differ in cells; what is below a name is its
    value."""
    held = [] if any("\t" in line for line in lines) else [*map(_cells, lines)]
    widths = [len(_WIDE.split(line.strip())) for line in lines]
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
    """Parts a run at blank lines above column names, or above figures in none of the columns
    above."""
    part: list[int] = []
    covered: set[int] = set()
    for place, at in enumerate(run):
        row = held[at]
        if part and row and not lines[at - 1].strip():
            near = (held[n] for n in run[place : place + LEAST_ROWS])
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
    bare = _RULE.fullmatch(line.strip())
    return [] if bare else [_Cell(one[0], *one.span()) for one in _CELL.finditer(line)]


def _may_belong(cells: Sequence[_Cell]) -> bool:
    """A row, label or nothing, not a sentence."""
    alone = len(cells) == 1 and not _is_value(cells[0])
    return not alone or (len(cells[0].text) <= _MAX_LABEL_CHARS and not is_ended(cells[0].text))


def _is_value(cell: _Cell) -> bool:
    return is_figure(cell.text) and cell.start > 0


def _blocks(rows: Sequence[Sequence[_Cell]]) -> list[Block]:
    """[] where a cell stands below no column."""
    columns = _columns(rows)
    figures = [sum(map(_is_value, row)) for row in rows]
    rare = (
        sum(map(bool, figures)) < LEAST_ROWS or sum(count > 1 for count in figures) < _LEAST_FIGURES
    )
    if len(columns) < _LEAST_FIGURES or rare:
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
    spans = spans and len(above) > 1 and all(any(values) for _, values in above)
    return [_joined(above), *blocks[len(above) :]] if spans else blocks


def _joined(above: Sequence[tuple[str, tuple[str, ...]]]) -> Block:
    """Column names, below those over several."""
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
    """Label and a value per column; no values if two share a column, or one has none."""
    label, *others = row
    if label.end > columns[0][0]:
        label, others = _Cell("", 0, 0), [*row]
    over = [[cell.text for cell in others if cell.is_over(column)] for column in columns]
    placed = all(any(map(cell.is_over, columns)) for cell in others)
    if not placed or any(len(texts) > 1 for texts in over):
        return "", ()
    return label.text, tuple("".join(texts) for texts in over)


def _goes_on(label: str, below: Sequence[_Cell], columns: Sequence[tuple[int, int]]) -> bool:
    """Whether the row below continues a label too long for one line."""
    rest = _placed(below, columns)[0] if below else ""
    return rest[:1].islower() or (label.isupper() and rest.isupper())
