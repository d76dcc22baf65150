"""DOCX, by python-docx: paragraphs and tables in their order.

A page number is where Word itself last broke the page, if it noted that; else there is none. Left
out: heads and feet of pages, footnotes, text boxes, deleted text.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from uhhrag.documents.archive import opened
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.segmentation import Part, clean, split_paragraphs
from uhhrag.text.dates import OF_FILE, iso_date


def read_docx(path: Path) -> tuple[Document, ...]:
    """The document of a DOCX file. Raises Unreadable where it is encrypted, damaged or would
    unpack to more than any text does."""
    with opened(path, "a Word document", ".docx"):  # looked at before python-docx unpacks it
        return (_read(path),)


def _read(path: Path) -> Document:
    import docx

    try:
        packed = docx.Document(str(path))
        parts = list(_parts(packed))
        about = packed.core_properties
        made = about.created or about.modified
        title, author = clean(about.title or ""), clean(about.author or "")
    except Unreadable:
        raise
    except Exception as error:
        raise Unreadable("is not a Word document, or is damaged") from error
    lines, pages, starts = split_paragraphs([part] for part in parts)
    if not lines:
        raise Unreadable("has no text")
    paged = max(pages) > 1
    day = iso_date(made.date().isoformat()) if made else ""
    numbers = pages if paged else ()
    return Document(lines, numbers, title, author, date=day, dated_by=OF_FILE, starts=starts)


def _parts(packed: Any) -> Iterator[Part]:
    """Each paragraph and each row of a table, with its page."""
    page = 1
    for block in packed.iter_inner_content():
        if hasattr(block, "rows"):
            for row in block.rows:
                yield " | ".join(_cells(row)), page
            continue
        yield block.text, page
        page += len(block.rendered_page_breaks)


def _cells(row: Any) -> list[str]:
    """The texts of a row; a cell that spans several columns comes once."""
    cells = {id(cell._tc): clean(cell.text) for cell in row.cells}
    return [text for text in cells.values() if text]
