"""The first line may name the delimiter (`sep=;`, from Excel), else the most regular counts."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import NamedTuple

DELIMITERS = ",;\t|"
SEPARATED = {one: f' (separated by "{one}")' for one in ";|"} | {"\t": " (separated by tabs)"}
"""What is told of columns, unless by a comma."""
_SAMPLE, _ROWS = 2**16, 50
_MAX_CELL_CHARS = 2**28
_NUMBER = re.compile(r"\s*[-+−]?\d[\d\s.,]*%?\s*")
_NAMED = re.compile(r'"?sep=(\\t|[^\w\s"]|\t)"?(?:\r\n|\r|\n|$)', re.IGNORECASE)


class DelimitedRow(NamedTuple):
    number: int
    """From 1."""
    line: int
    """Its last line, from 1."""
    cells: list[str]


def allow_long_cells() -> None:
    """In the whole process, for good: to set it back would fail readers in other threads."""
    csv.field_size_limit(_MAX_CELL_CHARS)


def delimited_rows(
    text: str, delimiter: str = "", *, strict: bool = False
) -> Iterator[DelimitedRow]:
    r"""Between tabs, quotes that enclose no cell are text. Raises ValueError for no table, or if
    `strict` for an unclosed quote.

    >>> [row.cells for row in delimited_rows("sep=;\r\na;\"b\nc\"\r\n")]
    [['a', 'b\nc']]
    >>> texts = "A, B;1,5\nC;2,0\n", "A,x;y,5\nB,x;z,6\n"
    >>> [next(delimited_rows(text)).cells[0] for text in texts]
    ['A, B', 'A']
    """
    named = _NAMED.match(text)
    delimiter = named[1].replace("\\t", "\t") if named else delimiter
    delimiter = delimiter or regular_delimiter(text)
    allow_long_cells()
    as_text = delimiter == "\t" and not strict and not _encloses_cells(text)
    try:
        reader = csv.reader(
            io.StringIO(text, newline=""),
            delimiter=delimiter,
            strict=strict,
            quoting=csv.QUOTE_NONE if as_text else csv.QUOTE_MINIMAL,
        )
        for number, cells in enumerate(reader, start=1):
            if not (named and number == 1):
                yield DelimitedRow(number, reader.line_num, cells)
    except (csv.Error, TypeError) as error:
        raise ValueError(str(error)) from error


def regular_delimiter(text: str) -> str:
    """That of the most rows of one width."""
    return max("\t;|,", key=partial(_regular, text[:_SAMPLE]))


def _encloses_cells(text: str) -> bool:
    try:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter="\t", strict=True)
        return not any("\t" in cell and "\n" in cell for row in rows for cell in row)
    except csv.Error:
        return False


def _regular(sample: str, delimiter: str) -> tuple[int, float]:
    try:
        rows = list(islice(csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter), _ROWS))
    except csv.Error:
        return 0, 0
    widths = Counter(len(row) for row in rows if len(row) > 1)
    cells = [cell for row in rows for cell in row]
    numbers = sum(map(bool, map(_NUMBER.fullmatch, cells)))
    return max(widths.values(), default=0), numbers / max(1, len(cells))
