"""Tables or records side by side on a sheet; titles, and group names shown once, above rows or
blank cells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, pairwise, zip_longest
from typing import NamedTuple

from uhhrag.documents.document import HEADING_SEPARATOR
from uhhrag.documents.segmentation import clean
from uhhrag.documents.tables.values import Row, is_figure

_MOST_ROWS = 1_000
"""Of tables that stand side by side."""
_Rows = Sequence[tuple[int, Row]]
_LEVELS = 3
"""Columns of labels, at most."""
TOTAL = re.compile(r"(?:grand )?total\b|sum\b|all\b", re.IGNORECASE)
LONGEST_SECTION = 160
"""Characters."""
_OF_GROUP = re.compile(r".{1,80} (?:sub)?total", re.IGNORECASE)


def areas(rows: Iterable[tuple[int, Row]]) -> Iterator[Iterable[tuple[int, Row]]]:
    """Rows of each, from left to right; a blank column parts those that end in other rows, or have
    names at another height."""
    rows = iter(rows)
    first = [*islice(rows, _MOST_ROWS + 1)]
    filled = [(n, {at: t for at, cell in row.items() if (t := clean(cell))}) for n, row in first]
    columns = sorted({*chain(*(row for _, row in filled))})
    blank = [right for left, right in pairwise(columns) if right - left > 1]
    if not blank or len(first) > _MOST_ROWS:
        yield chain(first, rows)
        return
    start = 0
    for end in blank:
        left, right = (_within(filled, *ends) for ends in ((start, end), (end, columns[-1] + 1)))
        if _is_whole(left) and _is_whole(right) and _are_apart(left, right):
            yield _within(first, start, end)
            start = end
    yield _within(first, start, columns[-1] + 1) if start else first


def _within(rows: _Rows, start: int, end: int) -> _Rows:
    cut = ((n, {at: cell for at, cell in row.items() if start <= at < end}) for n, row in rows)
    return [(number, row) for number, row in cut if row]


def _wide(rows: _Rows) -> _Rows:
    return [pair for pair in rows if len(pair[1]) > 1]


def _is_whole(rows: _Rows) -> bool:
    """Whether rows are names and, below, labels without a gap."""
    wide = _wide(rows)
    if len(wide) < 2 or any(map(is_figure, wide[0][1].values())):
        return False
    (top, names), *below = wide
    labels = [row.get(min(names), "") for _, row in below]
    unbroken = [number for number, _ in below] == [*range(top + 1, top + 1 + len(below))]
    return unbroken and all(labels) and not any(map(is_figure, labels))


def _are_apart(left: _Rows, right: _Rows) -> bool:
    (top, names), *_ = _wide(left)
    (other, others), *_ = _wide(right)
    titled = all(any(n == high - 1 and len(row) == 1 for n, row in rows)
                 for high, rows in ((top, left), (other, right)))  # fmt: skip
    same = [*names.values()] == [*others.values()]
    return top != other or (titled and not same) or _end(left) != _end(right)


def _end(rows: _Rows) -> int:
    ends = (number for number, row in _wide(rows) if not is_total(row[min(row)]))
    return max(ends, default=0)


def width_of_records(names: Row) -> int:
    """Columns per record, if a row has several, else 0.

    >>> width_of_records(dict(enumerate(["Town", "Fare"] * 2)))
    2
    >>> width_of_records(dict(enumerate(["Town", "Fare", "Fare"])))
    0
    """
    texts = [names[at] for at in sorted(names)]
    sizes = (size for size in range(2, len(texts) // 2 + 1) if len(texts) % size == 0)
    whole = (n for n in sizes if texts == texts[:n] * (len(texts) // n) and len({*texts[:n]}) == n)
    return next(whole, 0)


def records(cells: Row, names: Mapping[int, str], width: int) -> list[Row]:
    if not width:
        return [cells]
    starts = sorted(names)[::width]
    parts = [
        {at: text for at, text in cells.items() if (at >= start or start == starts[0]) and at < end}
        for start, end in pairwise((*starts, max(max(cells), *names) + 1))
    ]
    return [*filter(None, parts)]


def is_total(label: str) -> bool:
    return bool(TOTAL.match(label) or _OF_GROUP.fullmatch(label))


def columns_of_groups(rows: Sequence[Row]) -> list[int]:
    """Label columns; all but the last hold for blank cells below."""
    labelled = sorted({*chain(*rows)})[:_LEVELS]
    deepest = (labelled[:count] for count in (3, 2) if len(labelled) >= count)
    return next((columns for columns in deepest if _name_groups(rows, columns)), [])


def _name_groups(rows: Sequence[Row], columns: Sequence[int]) -> bool:
    rows = [row for row in rows if row]
    first, *others = columns
    named = [(row, below) for row, below in zip_longest(rows, rows[1:]) if first in row]
    heads = [row for row, below in named if len(row) > 1 or (below and first not in below)]
    heads = [row for row in heads if not is_total(row[first])]
    labels = [row[first] for row in heads]
    once = len({*labels}) == len(labels) > 1 and first in rows[0]
    blank = [row for row in rows if first not in row]
    if len(others) == 1:
        labels += [row.get(others[0], "") for row in blank]
        enough = len(blank) >= len(heads)
    else:
        below = [row for row in blank if not is_total(row.get(others[0], ""))]
        labels += [row.get(others[1], "") for row in (*heads, *below)]
        labels += [row.get(others[0], "") for row in heads]
        inner = sum(others[0] in row for row in (*heads, *below))
        enough = len(heads) <= inner <= len(heads) + len(below) - inner
    return once and enough and all(labels)


def carried(
    rows: Iterable[tuple[int, Row]], last: int, columns: Sequence[int]
) -> Iterator[tuple[int, Row]]:
    """Below row `last`, blank cells in all but the last of `columns` get their group's label,
    except in totals."""
    labels: dict[int, str] = {}
    above = 0
    for count, (number, cells) in enumerate(rows):
        start = min(cells, default=-1)
        kept = labels if number - above == 1 and count > last else {}
        outer = {at: kept[at] for at in columns[:-1] if at in kept and at < start}
        labels = {**outer, **{at: cells[at] for at in columns[:-1] if at in cells}} if cells else {}
        above = number
        within = start in columns and not TOTAL.match(cells[start])
        yield number, {**outer, **cells} if within else cells


class Apart(NamedTuple):
    """One cell: a title or group name."""

    number: int
    """Among all rows."""
    position: int
    """Among rows that are not blank."""
    gap: bool
    """Below blank rows."""
    over: bool
    """Over all columns."""
    heads: bool = False
    """Above repeated names."""


def sections_of(
    apart: Sequence[Apart], labels: Sequence[str], first: int
) -> Iterator[tuple[int, str]]:
    """Titles of a table that begins at row `first`, and groups with equal row labels."""
    ends = [*(row.position for row in apart[1:]), len(labels)]
    below = [labels[row.position + 1 : end] for row, end in zip(apart, ends, strict=False)]
    before = [labels[: row.position] for row in apart[:1]]
    times = Counter(label for group in (*before, *below) for label in {*group})
    titles: list[str] = []
    above = -1
    for at, (row, end, group) in enumerate(zip(apart, ends, below, strict=False)):
        if len(labels) - row.position == len(apart) - at:  # notes, with nothing below
            yield from [(row.position, _section(titles))] * bool(at)
            return
        shown = [*titles, labels[row.position]]
        if row.number < first or row.gap or row.number == above + 1:
            titles = shown if row.number < first or not row.gap else shown[-1:]
            above = row.number
        elif row.heads:
            titles, above = [*titles[:-1], labels[row.position]], row.number
        elif not row.over and not any(times[label] > 1 for label in group):
            continue
        yield row.position, _section(shown if above < row.number else titles)
        if group and above < row.number and times[group[-1]] == 1 and TOTAL.match(group[-1]):
            yield end - 1, _section(titles)


def _section(parts: Sequence[str]) -> str:
    return HEADING_SEPARATOR.join(parts)[:LONGEST_SECTION]
