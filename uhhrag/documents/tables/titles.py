"""Titles of a table, and names of groups of its rows, as sections; marks of notes below it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from uhhrag.documents.document import HEADING_SEPARATOR
from uhhrag.documents.tables.areas import TOTAL
from uhhrag.documents.tables.values import Row

LONGEST_SECTION = 160
"""Characters."""
_OF_NOTE = re.compile(r"[\[(]?([a-z])[\])]?[.:=]?\s(?=[A-Z])")
_MARK = re.compile(r"(?<=[\d%])\s?[\[(]?([a-z])[\])]?$")
"""Begins a note; ends a figure."""


def without_marks(rows: Sequence[tuple[int, Row]]) -> list[tuple[int, Row]]:
    """Rows whose figures bear no mark of a note: "1,204a" above "a Without Lund"."""
    told = (_OF_NOTE.match(text) for _, row in rows if len(row) == 1 for text in row.values())
    marks = {note[1] for note in told if note}
    return [
        (n, {at: _MARK.sub(lambda m: m[0] * (m[1] not in marks), t) for at, t in row.items()})
        for n, row in rows
    ]


class Apart(NamedTuple):
    """A row of one cell: a title or name of a group."""

    number: int
    """Among all rows."""
    place: int
    """Among rows that are not blank."""
    gap: bool
    """Blank rows are above it."""
    over: bool
    """It stands over all columns."""
    heads: bool = False
    """Names of columns are right below it, again."""


def sections_of(
    apart: Sequence[Apart], labels: Sequence[str], first: int
) -> Iterator[tuple[int, str]]:
    """Titles of a table that begins at row `first`, and groups whose rows have the same labels."""
    ends = [*(row.place for row in apart[1:]), len(labels)]
    below = [labels[row.place + 1 : end] for row, end in zip(apart, ends, strict=False)]
    before = [labels[: row.place] for row in apart[:1]]
    times = Counter(label for group in (*before, *below) for label in {*group})
    titles: list[str] = []
    above = -1
    for at, (row, end, group) in enumerate(zip(apart, ends, below, strict=False)):
        if len(labels) - row.place == len(apart) - at:  # notes, with nothing below
            yield from [(row.place, _section(titles))] * bool(at)
            return
        shown = [*titles, labels[row.place]]
        if row.number < first or row.gap or row.number == above + 1:
            titles = shown if row.number < first or not row.gap else shown[-1:]
            above = row.number
        elif row.heads:
            titles, above = [*titles[:-1], labels[row.place]], row.number
        elif not row.over and not any(times[label] > 1 for label in group):
            continue
        yield row.place, _section(shown if above < row.number else titles)
        if group and above < row.number and times[group[-1]] == 1 and TOTAL.match(group[-1]):
            yield end - 1, _section(titles)


def _section(parts: Sequence[str]) -> str:
    return HEADING_SEPARATOR.join(parts)[:LONGEST_SECTION]
