"""Rows of delimited values: CSV, tab-separated, with semicolons.

The delimiter is the one that the first line names (`sep=;`, which Excel writes for itself), else
the one that cuts the first rows into the same number of cells. A cell in quotes holds delimiters
and line breaks.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

DELIMITERS = ",;\t|"
_SAMPLE, _ROWS = 2**16, 50
_LONGEST = 2**28
"""Characters of a cell: no more than a file has."""
_NAMED = re.compile(r'"?sep=(\\t|[^\w\s"]|\t)"?(?:\r\n|\r|\n|$)', re.IGNORECASE)


class DelimitedRow(NamedTuple):
    """A row with its number, as a spreadsheet shows it, and the line of the file it ends on; both
    count from 1."""

    number: int
    line: int
    cells: list[str]


def delimited_rows(
    text: str, delimiter: str = "", *, strict: bool = False
) -> Iterator[DelimitedRow]:
    r"""The rows of a text, the one that names the delimiter left out; another `delimiter` can be
    given for a text that names none. A quote that is never closed is a fault where it is `strict`.
    Raises ValueError for what is no table.

    >>> [row.cells for row in delimited_rows("sep=;\r\na;\"b\nc\"\r\n")]
    [['a', 'b\nc']]
    """
    named = _NAMED.match(text)
    delimiter = named[1].replace("\\t", "\t") if named else delimiter
    delimiter = delimiter or _delimiter(text[:_SAMPLE])
    csv.field_size_limit(_LONGEST)
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=strict)
        for number, cells in enumerate(reader, start=1):
            if not (named and number == 1):
                yield DelimitedRow(number, reader.line_num, cells)
    except (csv.Error, TypeError) as error:
        raise ValueError(str(error)) from error


def _delimiter(sample: str) -> str:
    """
    >>> _delimiter("Name;Sum\\nA, B;1,5\\nC;2,0\\n"), _delimiter("one\\ntwo\\n")
    (';', ',')
    """
    return max(DELIMITERS, key=lambda delimiter: _regular(sample, delimiter))


def _regular(sample: str, delimiter: str) -> tuple[int, int]:
    """How many rows have the commonest number of cells that is above one, and that number."""
    try:
        rows = list(islice(csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter), _ROWS))
    except csv.Error:
        return 0, 0
    widths = Counter(len(row) for row in rows if len(row) > 1)
    return max(((count, width) for width, count in widths.items()), default=(0, 0))
