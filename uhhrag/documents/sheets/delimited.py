"""CSV and tab-separated values, a numbered sentence for each row."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.segmentation import decoded
from uhhrag.documents.tables.rows import require_some, table_document
from uhhrag.documents.tables.values import Row, day_speller
from uhhrag.text.delimited import delimited_rows

_OF_TABS = (".tsv", ".tab")
_AS_TEXT = re.compile(r'="([^"]*)"$')
"""How programs keep zeros before a number."""


def read_delimited(path: Path) -> Iterator[Document | str]:
    content = decoded(path.read_bytes())
    tabs = path.suffix.lower() in _OF_TABS and "\t" in content.text
    faults = [content.fault]
    spelt = day_speller([content.text])
    rows = _rows(spelt(content.text), "\t" if tabs else "", faults)
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
