"""Labels of groups that a table shows once, above blank cells: carried to their rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, zip_longest

from uhhrag.documents.tables.values import Row

_LEVELS = 3
"""Columns of labels, at most."""
TOTAL = re.compile(r"(?:grand )?total\b|sum\b|all\b", re.IGNORECASE)
_OF_GROUP = re.compile(r".{1,80} (?:sub)?total", re.IGNORECASE)


def is_total(label: str) -> bool:
    return bool(TOTAL.match(label) or _OF_GROUP.fullmatch(label))


def columns_of_groups(rows: Sequence[Row]) -> list[int]:
    """Columns of labels; those of all but the last hold for rows below with a blank there."""
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
    """Rows, blank cells in these columns but the last, below row `last`, filled with the label of
    their group, except for totals."""
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
