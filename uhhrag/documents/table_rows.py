"""Rows of a table as sentences that can be voted on: "Country: Norway; Year: 2019; Ships: 14".

The first row of several cells names the columns, unless numbers stand in it. A row of one cell
before it, or in the first column of a wide table, is a heading or a note and stands alone. A cell
of many words is cut into its sentences, and a wide row into several lines, each of which begins
with the row's first cell. Left out: names of columns that run over several rows or columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.segmentation import Sentences, clean, split_sentences

Row = Mapping[int, str]
"""The cells of a row that are not blank, by their columns, counted from 0."""
MOST_ROWS, MOST_BYTES = 200_000, 48 * 2**20
"""Of one table, rows and bytes of their sentences."""
_LONG_CELL, _LONG_LINE, _LONG_NAME = 300, 600, 100
_NUMBER = re.compile(r"[-+−(]?\s?[^\w\s]{0,2}\s?\d[\d\s.,:/'’-]*\s?[^\w\s]{0,2}\)?", re.ASCII)
_YEAR = re.compile(r"(?:1[89]|20)\d\d(?:[-/–]\d{2,4})?")


class TableLines(NamedTuple):
    """The sentences of a table, and whether rows were left out because there are too many."""

    sentences: Sentences
    cut: bool


def table_lines(rows: Iterable[tuple[int, Row]], *, limited: bool = True) -> TableLines:
    """The sentences of numbered rows; the number of a sentence is that of its row. All rows are
    read unless `limited`.

    >>> rows = [(1, {0: "Year", 1: "Ships"}), (2, {0: "2019", 1: "14"})]
    >>> table_lines(rows).sentences.lines
    ('Year; Ships', 'Year: 2019; Ships: 14')
    """
    lines: list[str] = []
    numbers: list[int] = []
    starts: list[int] = []
    names: Row | None = None
    size = 0
    for count, (number, row) in enumerate(rows, start=1):
        cells = {at: text for at, cell in row.items() if (text := clean(cell))}
        if limited and (count > MOST_ROWS or size > MOST_BYTES):
            return TableLines(Sentences(tuple(lines), tuple(numbers), tuple(starts)), True)
        if not cells:
            continue
        starts.append(len(lines))
        if names is None and len(cells) > 1:
            names = cells if _names_columns(list(cells.values())) else {}
            made = ["; ".join(cells.values())] if names else _sentences(cells, names)
        else:
            made = _sentences(cells, names or {})
        lines += made
        numbers += [number] * len(made)
        size += sum(len(line.encode()) for line in made)
    return TableLines(Sentences(tuple(lines), tuple(numbers), tuple(starts)), False)


def _names_columns(cells: Sequence[str]) -> bool:
    """
    >>> _names_columns(["Country", "2018", "2019"]), _names_columns(["Norway", "14.2"])
    (True, False)
    """
    different = len(set(cells)) == len(cells)
    short = all(len(cell) <= _LONG_NAME for cell in cells)
    years = all(_YEAR.fullmatch(cell) for cell in cells)
    return different and short and not any(map(is_figure, cells)) and not years


def is_figure(cell: str) -> bool:
    """Whether a cell holds a number that is no year.

    >>> is_figure("14.2 %"), is_figure("2019")
    (True, False)
    """
    return bool(_NUMBER.fullmatch(cell)) and not _YEAR.fullmatch(cell)


def _sentences(cells: Row, names: Row) -> list[str]:
    """The lines of a row: its short cells together, then the sentences of its long ones."""
    alone = len(cells) == 1 and (not names or (len(names) > 2 and min(cells) == min(names)))
    pairs, long = [], []
    for at, text in cells.items():
        if alone or len(text) > _LONG_CELL:
            long += [sentence for sentence, _ in split_sentences([(text, 0)])]
        else:
            name = "" if at not in names else names[at].rstrip(": ")
            pairs.append(f"{name}: {text}" if name else text)
    return [*_joined(pairs), *long]


def _joined(pairs: Sequence[str]) -> Iterator[str]:
    """The cells of a row on as many lines as it needs."""
    line = ""
    for pair in pairs:
        if line and len(line) + len(pair) > _LONG_LINE:
            yield line
            line = pairs[0]
        line = f"{line}; {pair}" if line else pair
    if line:
        yield line


def table_document(content: TableLines, unit: str, **about: str) -> Iterator[Document | str]:
    """The document of a table, if it has any text, and a clause where rows were left out; `about`
    are fields of the document."""
    lines, numbers, starts = content.sentences
    if lines:
        yield Document(lines, numbers, starts=starts, unit=unit, **about)  # type: ignore[arg-type]
    if content.cut:
        yield (
            f"has more rows than are read ({MOST_ROWS:,}, or {MOST_BYTES >> 20} MiB of text, of "
            "one table); split it"
        )


def require_some(results: Iterable[Document | str]) -> Iterator[Document | str]:
    """The same results. Raises Unreadable at the end where there is no document among them."""
    some = False
    for result in results:
        some = some or isinstance(result, Document)
        yield result
    if not some:
        raise Unreadable("is empty")
