"""Rows of a table as sentences: "Country: Norway; Year: 2019; Ships: 14".

The first row as wide as the table, without numbers, names the columns, with merged cells above it.
A lone cell before it, or in the first column of a wide table, is a heading or note. Long cells
become sentences; a wide row becomes several lines, each beginning with its first cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, islice, pairwise
from typing import NamedTuple

from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.segmentation import Sentences, clean, split_sentences
from uhhrag.documents.table_headings import (
    LONG_CELL,
    Row,
    begins_table,
    heading_of,
    is_figure,
    merged,
)
from uhhrag.text.fragments import is_ended

MOST_ROWS, MOST_BYTES = 200_000, 48 * 2**20
"""Of one table, rows and bytes of their sentences."""
_LONG_LINE = 600
_LOOKED_AT = 60
"""Rows searched for a heading."""


class TableLines(NamedTuple):
    """The sentences of a table."""

    sentences: Sentences
    cut: bool
    """Whether rows were left out as too many."""


def table_lines(
    rows: Iterable[tuple[int, Row]], *, limited: bool = True, marked: Sequence[int] = ()
) -> TableLines:
    """The sentences of rows; their pages are row numbers.

    `limited` is for a table of its own file: rows are limited and blank cells seen. The first of
    the rows at `marked` names the columns if none does by what it says.

    >>> rows = [(1, {0: "Year", 1: "Ships"}), (2, {0: "2019", 1: "14"})]
    >>> table_lines(rows).sentences.lines
    ('Year; Ships', 'Year: 2019; Ships: 14')
    """
    rows = iter(rows)
    first = [(number, _filled(row)) for number, row in islice(rows, _LOOKED_AT)]
    looked_at, at_rows = [merged(row) for _, row in first], [number for number, _ in first]
    heading = heading_of(looked_at, at_rows, marked, spread=limited)
    names, fresh, above, size = heading.names, False, 0, 0
    figures: dict[int, bool] = {}  # whether a column has held nothing else
    lines: list[str] = []
    numbers: list[int] = []
    starts: list[int] = []
    every = chain(first, ((number, _filled(row)) for number, row in rows), [(0, {})])
    for count, ((number, cells), (_, below)) in enumerate(pairwise(every)):
        if limited and (count >= MOST_ROWS or size > MOST_BYTES):
            return TableLines(Sentences(tuple(lines), tuple(numbers), tuple(starts)), True)
        if not cells:
            continue
        starts.append(len(lines))
        fresh, above = limited and (number - above > 1 or fresh), number
        begins = fresh and count > heading.last >= 0 and begins_table(cells, below, figures)
        names, figures = (cells, {}) if begins else (names, figures)
        if begins or count in heading.rows:
            made = ["; ".join(text for text, _ in groupby(cells.values()))]
        elif count > heading.last:
            made = _sentences(cells, names)
            figures |= {at: figures.get(at, True) and is_figure(t) for at, t in cells.items()}
        else:
            made = _sentences(merged(cells), {})
        fresh = fresh and len(cells) == 1
        lines += made
        numbers += [number] * len(made)
        size += sum(len(line.encode()) for line in made)
    return TableLines(Sentences(tuple(lines), tuple(numbers), tuple(starts)), False)


def _filled(row: Row) -> Row:
    return {at: text for at, cell in row.items() if (text := clean(cell))}


def _sentences(cells: Row, names: Row) -> list[str]:
    """The lines of a row: short cells together, then long ones."""
    first = len(cells) == 1 and min(cells) == min(names, default=-1)
    alone = first and (len(names) > 2 or is_ended(next(iter(cells.values()))))
    alone = alone or (len(cells) == 1 and not names)
    pairs, long = [], []
    for at, text in cells.items():
        if alone or len(text) > LONG_CELL:
            long += [sentence for sentence, _ in split_sentences([(text, 0)])]
        else:
            name = "" if at not in names else names[at].rstrip(": ")
            pairs.append(f"{name}: {text}" if name else text)
    return [*_joined(pairs), *long]


def _joined(pairs: Sequence[str]) -> Iterator[str]:
    line = ""
    for pair in pairs:
        if line and len(line) + len(pair) > _LONG_LINE:
            yield line
            line = pairs[0]
        line = f"{line}; {pair}" if line else pair
    if line:
        yield line


def table_document(content: TableLines, unit: str, **about: str) -> Iterator[Document | str]:
    """The document of a table with text, and a clause if rows were left out."""
    lines, numbers, starts = content.sentences
    if lines:
        yield Document(lines, numbers, starts=starts, unit=unit, **about)  # type: ignore[arg-type]
    if content.cut:
        yield (
            f"has more rows than are read ({MOST_ROWS:,}, or {MOST_BYTES >> 20} MiB of text, of "
            "one table); split it"
        )


def require_some(results: Iterable[Document | str]) -> Iterator[Document | str]:
    """The same results. Raises Unreadable at the end without any document."""
    some = False
    for result in results:
        some = some or isinstance(result, Document)
        yield result
    if not some:
        raise Unreadable("is empty")
