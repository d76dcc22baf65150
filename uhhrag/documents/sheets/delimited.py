"""CSV and tab-separated values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path

from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.segmentation import decoded
from uhhrag.documents.tables.rows import require_some, table_document
from uhhrag.documents.tables.values import Row, day_speller
from uhhrag.text.delimited import delimited_rows, regular_delimiter

_OF_TABS = (".tsv", ".tab")
_AS_TEXT = re.compile(r'="([^"]*)"$')
"""How programs keep zeros before a number."""
_NUMBER = re.compile(
    r"[^\w\s,;.]?\s?[-+−]?(?:(?!0\d)\d+|\d{1,3}(?:[. \u00a0\u202f'’]\d{3})+)(?:,(\d+))?[^\d.,]{0,5}"
)
_DIGITS = re.compile(r"\W{0,2}\d[\d.,\s'’]*\D{0,5}")
_WITH_POINT = str.maketrans(",.", ".,")
_SAMPLE = 10_000
"""Rows that tell which columns have decimal commas."""


def read_delimited(path: Path) -> Iterator[Document | str]:
    content = decoded(path.read_bytes())
    tabs = path.suffix.lower() in _OF_TABS and "\t" in content.text
    faults = [content.fault]
    spelt = day_speller([content.text])
    rows = _rows(spelt(content.text), "\t" if tabs else "", faults)
    rows = _with_points(rows) if tabs or regular_delimiter(content.text) != "," else rows
    yield from require_some(table_document(rows, "row"))
    yield from filter(None, faults)


def _rows(text: str, delimiter: str, faults: list[str]) -> Iterator[tuple[int, Row]]:
    row = None
    try:
        for row in delimited_rows(text, delimiter):
            yield row.number, {at: _AS_TEXT.sub(r"\1", one) for at, one in enumerate(row.cells)}
    except ValueError as error:
        raise Unreadable(f"cannot be read as a table: {error}") from error
    if row and row.cells and text.count('"') % 2 and "\n" in row.cells[-1]:
        faults.append(f"a quotation mark of row {row.number} is not closed; all below is one cell")


def _with_points(rows: Iterator[tuple[int, Row]]) -> Iterator[tuple[int, Row]]:
    """Decimal commas become points, in columns that have them."""
    first = [*islice(rows, _SAMPLE)]
    columns = {at for _, row in first for at in row}
    decimal = {at for at in columns if _has_decimal_commas(row.get(at, "") for _, row in first)}
    for number, row in chain(first, rows):
        numbers = {at for at in decimal.intersection(row) if _NUMBER.fullmatch(row[at].strip())}
        yield number, {**row, **{at: row[at].translate(_WITH_POINT) for at in numbers}}


def _has_decimal_commas(cells: Iterable[str]) -> bool:
    """Commas before one or two digits, perhaps before three in other numbers."""
    found = [_NUMBER.fullmatch(one) for one in map(str.strip, cells) if _DIGITS.fullmatch(one)]
    return all(found) and any(len(one[1] or "000") != 3 for one in found if one)
