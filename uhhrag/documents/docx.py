"""DOCX, by python-docx: paragraphs and tables in their order.

A page number is where Word itself last broke the page, if it noted that; else there is none. Left
out: heads and feet of pages, footnotes, text boxes, deleted text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from uhhrag.documents.archive import opened
from uhhrag.documents.blocks import Block, split_blocks
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.segmentation import clean
from uhhrag.text.dates import OF_FILE, iso_date

_HEADING = re.compile(r"Heading ([1-9])")


def read_docx(path: Path) -> tuple[Document, ...]:
    """The document of a DOCX file. Raises Unreadable where it is encrypted, damaged or would
    unpack to more than any text does."""
    with opened(path, "a Word document", ".docx"):  # looked at before python-docx unpacks it
        return (_read(path),)


def _read(path: Path) -> Document:
    import docx

    try:
        packed = docx.Document(str(path))
        split = split_blocks(_blocks(packed))
        about = packed.core_properties
        made = about.created or about.modified
        title, author = clean(about.title or ""), clean(about.author or "")
    except Unreadable:
        raise
    except Exception as error:
        raise Unreadable("is not a Word document, or is damaged") from error
    if not split.lines:
        raise Unreadable("has no text")
    return Document(
        split.lines,
        split.pages if max(split.pages) > 1 else (),
        title,
        author,
        date=iso_date(made.date().isoformat()) if made else "",
        dated_by=OF_FILE,
        starts=split.starts,
        sections=split.sections,
        quoted=split.quoted,
    )


def _blocks(packed: Any) -> Iterator[Block]:
    """The paragraphs, headings and rows of tables."""
    page = 1
    for block in packed.iter_inner_content():
        if hasattr(block, "rows"):
            for row in block.rows:
                yield Block(page=page, cells=_cells(row))
            continue
        yield Block(block.text, page, _level(block))
        page += len(block.rendered_page_breaks)


def _level(paragraph: Any) -> int:
    """The level of a heading, whose built-in styles have English names in Word of any language; 0
    for another paragraph."""
    style = _HEADING.fullmatch(paragraph.style.name or "") if paragraph.style is not None else None
    return int(style[1]) if style else 0


def _cells(row: Any) -> tuple[str, ...]:
    """The texts of a row by columns; a cell that spans several stands in the first."""
    cells = [(cell._tc, clean(cell.text)) for cell in row.cells]
    before = (None, *(cell for cell, _ in cells))
    return tuple("" if cell is b else text for (cell, text), b in zip(cells, before, strict=False))
