"""CSV and tab-separated values: each row a sentence, with its number as a spreadsheet shows it.

The delimiter is the one that cuts the first rows into the same number of cells.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.segmentation import decoded
from uhhrag.documents.table_rows import Row, require_some, table_document, table_lines

_DELIMITERS = ",;\t|"
_SAMPLE, _ROWS = 2**16, 50
_LONGEST = 2**28
"""Characters of a cell: no more than a file has."""
_NAMED = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)


def read_delimited(path: Path) -> Iterator[Document | str]:
    """The document of a file of delimited values. Raises Unreadable where it is empty or no
    text."""
    text = decoded(path.read_bytes())
    csv.field_size_limit(_LONGEST)
    yield from require_some(table_document(table_lines(_rows(text)), "row"))


def _rows(text: str) -> Iterator[tuple[int, Row]]:
    named = _NAMED.match(text)  # what Excel writes to tell itself
    delimiter = named[1] if named else _delimiter(text[:_SAMPLE])
    try:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        for number, row in enumerate(rows, start=1):
            if not (named and number == 1):
                yield number, dict(enumerate(row))
    except (csv.Error, TypeError) as error:
        raise Unreadable(f"cannot be read as a table: {error}") from error


def _delimiter(sample: str) -> str:
    """
    >>> _delimiter("Name;Sum\\nA, B;1,5\\nC;2,0\\n"), _delimiter("one\\ntwo\\n")
    (';', ',')
    """
    return max(_DELIMITERS, key=lambda delimiter: _regular(sample, delimiter))


def _regular(sample: str, delimiter: str) -> tuple[int, int]:
    """How many rows have the commonest number of cells that is above one, and that number."""
    try:
        rows = list(islice(csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter), _ROWS))
    except csv.Error:
        return 0, 0
    widths = Counter(len(row) for row in rows if len(row) > 1)
    return max(((count, width) for width, count in widths.items()), default=(0, 0))
