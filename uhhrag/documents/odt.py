"""ODT (LibreOffice): paragraphs and tables in their order.

A page number is where LibreOffice itself last broke the page, if it noted that; else there is none.
Left out: heads and feet of pages, footnotes, comments, tables of contents, deleted text.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

from uhhrag.documents.archive import chunks, has, member, opened
from uhhrag.documents.blocks import Block, split_blocks
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.properties import read_properties
from uhhrag.documents.xml_events import parse
from uhhrag.text.dates import OF_FILE

_WHAT = "an OpenDocument text"
_MANIFEST = "META-INF/manifest.xml"
_ASIDE = {
    *("tracked-changes", "annotation", "note", "forms", "ruby-text", "title", "desc"),
    *("table-of-content", "alphabetical-index", "illustration-index", "table-index"),
}
_PARAGRAPHS = {"p", "h"}
_MOST_SPACES = 100
_LEVELS = "0123456789"


def read_odt(path: Path) -> tuple[Document, ...]:
    """The document of an ODT file. Raises Unreadable where it is encrypted, damaged or would unpack
    to more than any text does."""
    with opened(path, _WHAT, ".odt") as packed:
        _refuse_encrypted(packed)
        text = _Text()
        parse(chunks(packed, "content.xml", _WHAT), text, _WHAT)
        about = read_properties(packed, "meta.xml", _WHAT)
    split = split_blocks(text.blocks)
    if not split.lines:
        raise Unreadable("has no text")
    return (
        Document(
            split.lines,
            split.pages if max(split.pages) > 1 else (),
            about.title,
            about.author,
            date=about.date,
            dated_by=OF_FILE,
            starts=split.starts,
            sections=split.sections,
            quoted=split.quoted,
        ),
    )


def _refuse_encrypted(packed: zipfile.ZipFile) -> None:
    if has(packed, _MANIFEST) and b"encryption-data" in member(packed, _MANIFEST, _WHAT):
        raise Unreadable("is encrypted; save a copy without password")


class _Text:
    """Collects the paragraphs, headings and rows of tables."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._open: list[tuple[int, list[str]]] = []  # a paragraph can hold a box with paragraphs
        self._aside = self._tables = 0
        self._page = 1
        self._cell: list[str] = []
        self._row: list[str] = []

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if self._aside or tag in _ASIDE:
            self._aside += 1
        elif tag in _PARAGRAPHS:
            level = attributes.get("outline-level", "1") if tag == "h" else "0"
            self._open.append((int(level) if level in _LEVELS else 1, []))
        elif tag == "s":
            count = attributes.get("c", "1")
            self.data(" " * min(int(count) if count.isdecimal() else 1, _MOST_SPACES))
        elif tag in ("tab", "line-break"):
            self.data(" ")
        elif tag == "soft-page-break":
            self._page += 1
        elif tag == "table":
            self._tables += 1
        elif tag == "table-row" and self._tables == 1:
            self._row = []
        elif tag == "table-cell" and self._tables == 1:
            self._cell = []

    def data(self, text: str) -> None:
        if self._open and not self._aside:
            self._open[-1][1].append(text)

    def end(self, tag: str) -> None:
        if self._aside:
            self._aside -= 1
        elif tag in _PARAGRAPHS and self._open:
            level, parts = self._open.pop()
            text = "".join(parts).strip()
            if self._tables:
                self._cell.append(text)
            else:
                self.blocks.append(Block(text, self._page, level))
        elif tag == "table":
            self._tables -= 1
        elif tag == "table-cell" and self._tables == 1:
            self._row.append(" ".join(filter(None, self._cell)))
        elif tag == "table-row" and self._tables == 1:
            self.blocks.append(Block(page=self._page, cells=tuple(self._row)))
