"""Lines → tables: at least two near rows, in columns, no running text."""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from statistics import median
from typing import NamedTuple

from uhhrag.documents.document import HEADING_SEPARATOR
from uhhrag.documents.pdf.lines import Line, line_of
from uhhrag.documents.pdf.rows import MOST_CELLS, MOST_LINES, Row, Span, rows_of
from uhhrag.documents.pdf.rules import TableRow
from uhhrag.documents.tables.values import is_figure
from uhhrag.text.fragments import is_ended

_NEAR, _SINGLE, _FARTHER = 3.0, 1.7, 1.5
"""Between the first three rows, and others, in ems; over the table's largest distance."""
_COMPARED, _MOST_TRIED = 20, 100
_MAX_CELL_CHARS = 30
"""Two columns with longer cells are running text."""
_WHOLE = re.compile(r"[-−(]?\d{1,3}(?:,\d{3})+\)?|\d{4,}|\(?[-−]?\d+\.\d+\)?")
"""A figure that no space can part."""
_CONTENTS = re.compile(
    r"\W*(?:(?:table of )?contents|list of \w+|inhalt\w*|innhold\w*|sommaire)\W*", re.IGNORECASE
)


class PdfTable(NamedTuple):
    rows: tuple[tuple[str, ...], ...]
    pages: tuple[int, ...]
    """Of each row."""
    named: tuple[bool, ...] = ()


def with_tables(lines: Sequence[Line]) -> Iterator[Line | PdfTable]:
    above = ""
    for drawn, run in groupby(lines, key=lambda line: bool(line.row and line.row.edges)):
        for item in _drawn(list(run)) if drawn else _with_tables(list(run)):
            if isinstance(item, Line):
                above = item.text
            yield _with_pages_named(item) if _CONTENTS.fullmatch(above) else item


def _with_pages_named(table: Line | PdfTable) -> Line | PdfTable:
    if isinstance(table, Line):
        return table
    rows = ((*row[:-1], f"page {row[-1]}") if row[-1].isdecimal() else row for row in table.rows)
    return table._replace(rows=tuple(rows))


def _drawn(lines: Sequence[Line]) -> Iterator[PdfTable]:
    """Grids; those continued atop the next page are one, without repeated names."""
    table: list[tuple[Line, TableRow]] = []
    page, part = 0, (0, 0)
    for line in lines:
        if (row := line.row) is None:
            continue
        follows = line.page == page + 1 or (line.page, row.part) == (page, part)
        cells = row.over(table[0][1].edges) if table and follows else None
        if table and cells is None:
            yield _table_of(table)
            table = []
        page, part = line.page, row.part
        if table and cells and _is_overleaf(table[-1][0].page, page, cells):
            first, above = table[-1]
            table[-1] = first, above._replace(cells=(*_both(above.cells, cells),))
            continue
        again = table and page > table[0][0].page and cells == table[0][1].cells
        table += [] if again else [(line, row._replace(cells=cells or row.cells))]
    yield _table_of(table)


def _table_of(rows: Sequence[tuple[Line, TableRow]]) -> PdfTable:
    cells, named = zip(*((row.cells, row.named) for _, row in rows), strict=True)
    return PdfTable(cells, tuple(line.page for line, _ in rows), named)


def _with_tables(lines: Sequence[Line]) -> Iterator[Line | PdfTable]:
    table: list[Row] = []
    between: list[Row] = []
    for row in rows_of(lines):
        if len(row.cells) > 1 and _may_follow(table, between, row):
            table += [*between, row]
            between = []
        elif len(row.cells) == 1 and table and (not between or _is_rest(table, [*between, row])):
            between.append(row)  # it may name the rows below it
        else:
            yield from _read(table)
            yield from _lines(between)
            table, between = [], []
            if len(row.cells) > 1:
                table = [row]
            else:
                yield from row.lines
    yield from _read(table)
    yield from _lines(between)


def _may_follow(table: Sequence[Row], between: Sequence[Row], row: Row) -> bool:
    """Near below; or, with its columns, on the next page or below one line."""
    if not table:
        return True
    above = table[-1]
    usual = max((one.low - other.high for one, other in pairwise(table[-_COMPARED:])), default=0.0)
    most = max(_FARTHER * usual, (_SINGLE if len(table) > 2 else _NEAR) * row.size)
    if not between and row.page == above.page:
        other = len(table) > 1 and _is_set_otherwise(above, row)
        return 0 < above.low - row.high <= most and not other
    named, columns = (_columns([*table[-_COMPARED:], *one]) for one in ([], [row]))
    corner = row.cells[0].span[1] < named[0][0]  # names alone, without that of the first column
    same = len(columns) == len(named) + corner == len(row.cells) > 2
    bold = row.bold and table[0].bold and not table[-1].bold  # names of another table
    again = [cell.text for cell in row.cells] == [cell.text for cell in table[0].cells]
    if not same or bold or again:
        return False
    if not between:
        return row.page == above.page + 1
    over = _is_rest(table, [*between, row])
    gaps = [one.low - other.high for one, other in pairwise((above, *between, row)[over:])]
    first = all(cell.span[1] < columns[1][0] for other in between for cell in other.cells)
    name = between[0].cells[0]  # of a group of rows; it may reach over other columns
    flush = abs(name.span[0] - columns[0][0]) < row.size and name.span[1] < columns[-1][0]
    whole = len(between) == 1 and len(above.cells) == len(columns) and not is_ended(name.text)
    cells = (cell for one in table for cell in one.cells[len(one.cells) == len(columns) :])
    whole = whole and all(len(cell.text) <= _MAX_CELL_CHARS for cell in cells)
    return (first or (flush and whole)) and min(gaps) > 0 and max(gaps) <= most


def _is_rest(table: Sequence[Row], rows: Sequence[Row]) -> bool:
    """Whether the first row continues a cell overleaf, the others below it."""
    begun = rows[0].cells[0].text[:1].islower() and len(rows) <= MOST_LINES
    return begun and {row.page for row in rows} == {table[-1].page + 1}


def _is_set_otherwise(above: Row, below: Row) -> bool:
    spans = [[cell.span for cell in row.cells] for row in (above, below)]
    return any(
        2 * sum(len(_over(other, span)) > 1 for span in one) >= len(one)
        for one, other in (spans, reversed(spans))
    )


def _lines(rows: Iterable[Row]) -> Iterator[Line]:
    """As drawn; long cells beside each other one after the other."""
    for row in rows:
        drawn = {one: line for line in row.lines for one in line.segments}
        long = len(row.cells) > 1 and all(len(cell.text) > _MAX_CELL_CHARS for cell in row.cells)
        off = [abs(one.left - cell.span[0]) for cell in row.cells for one in cell.lines]
        if long and len(off) > len(row.cells) and max(off) < row.size:
            yield from (line_of(drawn[one], [one]) for cell in row.cells for one in cell.lines)
        else:
            yield from row.lines


def _read(rows: Sequence[Row]) -> Iterator[Line | PdfTable]:
    columns = _columns(rows)
    placed = [_placed(row, columns) for row in rows] if len(columns) <= MOST_CELLS else []
    if not _is_table(placed):
        yield from _lines(rows)
        return
    pages = [row.page for row in rows]
    two = rows[0].bold == rows[1].bold and _has_two_heads(placed)
    if two:
        placed[:2], pages[:2] = [_joined_heads(rows[0], placed[:2], columns)], pages[:1]
    elif any(len(_over(columns, cell.span)) > 1 for cell in rows[0].cells):
        yield from rows[0].lines  # a cell over several columns names none of them
        del placed[0], pages[0]
    for at in reversed(range(1, len(placed))):
        above, row = placed[at - 1 : at + 1]
        second = row[0][:1].islower() and not any(above[1:])  # line of a cell
        if second or _is_overleaf(pages[at - 1], pages[at], row):
            placed[at] = _both(above, row)
            del placed[at - 1], pages[at]
    yield PdfTable(tuple(map(tuple, placed)), tuple(pages))


def _is_overleaf(page: int, after: int, row: Sequence[str]) -> bool:
    """Whether a row continues cells of the page before."""
    return page < after and not all(row) and all(one[:1].islower() for one in row if one)


def _both(row: Sequence[str], rest: Sequence[str]) -> list[str]:
    return [f"{first} {other}".strip() for first, other in zip(row, rest, strict=True)]


def _columns(rows: Sequence[Row]) -> list[Span]:
    """Of the fullest rows; names beside their figures belong to the nearest."""
    spans = sorted(([cell.span for cell in row.cells] for row in rows), key=len, reverse=True)
    columns: list[Span] = []
    beside: list[tuple[int | None, Span]] = []
    for row in spans:
        less = len(columns) - len(row)
        full = not less or (less == 1 and row[0][0] > columns[0][1])  # but for the rows' names
        for at, span in enumerate(row):
            over = _over(columns, span)
            if len(over) == 1:
                columns[columns.index(over[0])] = _joint(over[0], span)
            elif not over and len(columns) < len(spans[0]):
                insort(columns, span)
            elif not over:
                beside.append((at + less if full else None, span))
    tried = 0
    for place, span in beside:
        if _over(columns, span):
            continue
        gaps = [max(left - span[1], span[0] - right) for left, right in columns]
        at = gaps.index(min(gaps)) if place is None else place
        wide = _joint(columns[at], span)
        tried += 1
        both = (sum(bool(_over([wide], one)) for one in row) > 1 for row in spans)
        if tried > _MOST_TRIED or any(both):
            insort(columns, span)
        else:
            columns[at] = wide
        if len(columns) > MOST_CELLS:
            return columns
    return columns


def _joint(one: Span, other: Span) -> Span:
    return min(one[0], other[0]), max(one[1], other[1])


def _over(columns: Sequence[Span], span: Span) -> list[Span]:
    return [column for column in columns if column[0] < span[1] and span[0] < column[1]]


def _placed(row: Row, columns: Sequence[Span]) -> list[str]:
    texts = [""] * len(columns)
    for cell in row.cells:
        over, words = _over(columns, cell.span), cell.text.split()
        near = len(over) == len(words) and all(map(_WHOLE.fullmatch, words))  # figures of columns
        for at, text in enumerate(words if near else [cell.text], columns.index(over[0])):
            texts[at] = f"{texts[at]} {text}".strip()
    return texts


def _is_table(rows: Sequence[Sequence[str]]) -> bool:
    filled = [row for row in rows if sum(map(bool, row)) > 1]
    columns = [list(filter(None, column)) for column in zip(*filled, strict=True)]
    long = [column for column in columns if column and median(map(len, column)) > _MAX_CELL_CHARS]
    few = len(long) < max(2, len(columns) - len(long))
    return len(filled) > 1 and few


def _has_two_heads(rows: Sequence[Sequence[str]]) -> bool:
    head, *rest = [any(map(is_figure, row)) for row in rows]
    names, more = rows[:2]
    fewer = sum(map(bool, names)) < sum(map(bool, more)) and not rest[0]
    below = not more[0] and any(b and not a for a, b in zip(names, more, strict=True))
    return (fewer or below) and not head and any(rest[1:])


def _joined_heads(head: Row, rows: Sequence[Sequence[str]], columns: Sequence[Span]) -> list[str]:
    """Groups have names below that recur, or are centred: "Male – Under 18"."""
    places = [columns.index(_over(columns, cell.span)[0]) for cell in head.cells]
    heads = [(at, cell.text) for at, cell in zip(places, head.cells, strict=True) if rows[1][at]]
    named = [at for at, name in enumerate(rows[1]) if name]
    for first in range(len(named) if len(heads) > 1 else 0):
        below = named[first:]
        each, rest = divmod(len(below), len(heads))
        recur = [rows[1][at] for at in below[each:]] == [rows[1][at] for at in below[:-each]]
        if rest or not recur:
            continue
        owner = {at: heads[n // each][1] for n, at in enumerate(below)}
        pairs = ((owner.get(at, ""), rows[1][at] or rows[0][at]) for at in range(len(columns)))
        return [HEADING_SEPARATOR.join(filter(None, pair)) for pair in pairs]
    middles = [sum(cell.span) / 2 for cell in head.cells]
    reach = [(right - left) / 2 for left, right in pairwise(middles)]
    groups = [bool(rows[1][at]) for at in places]
    names = []
    for (left, right), first, second in zip(columns, *rows, strict=True):
        off = [abs((left + right) / 2 - middle) for middle in middles]
        nearest = min(range(len(off)), key=lambda at: (not groups[at], off[at]))
        within = off[nearest] <= max(reach[max(0, nearest - 1) : nearest + 1], default=0)
        group = head.cells[nearest].text if within else ""
        names.append(HEADING_SEPARATOR.join(filter(None, (group, second))) if second else first)
    return names
