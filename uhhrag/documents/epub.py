"""EPUB: the chapters of a book in reading order, each paragraph with its number in the chapter.

A chapter is a file of the book, called by its first heading. Left out: pictures, and what is not in
the reading order.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

from uhhrag.documents.archive import chunks, has, member, opened
from uhhrag.documents.blocks import split_blocks
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.html_blocks import blocks_of
from uhhrag.documents.properties import Properties, PropertiesHandler
from uhhrag.documents.segmentation import clean, decoded
from uhhrag.documents.xml_events import parse

_WHAT = "an EPUB book"
_CONTAINER, _ENCRYPTED = "META-INF/container.xml", "META-INF/encryption.xml"
_HTML = {"application/xhtml+xml", "text/html", "application/xml", "text/xml"}
_MOST_CHAPTERS, _LONGEST_HEADING = 5_000, 60
_LOWEST = 3
"""Level of the heading that names a chapter, at most."""
_DECLARED = re.compile(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.-]{2,40})", re.IGNORECASE)


def read_epub(path: Path) -> Iterator[Document | str]:
    """The documents of the chapters of a book, and a clause for chapters that cannot be read.
    Raises Unreadable where the book is protected, damaged, or has no text."""
    with opened(path, _WHAT, ".epub") as packed:
        container = _Container()
        parse(chunks(packed, _CONTAINER, _WHAT), container, _WHAT)
        book = _Package(posixpath.dirname(container.package))
        parse(chunks(packed, container.package, _WHAT), book, _WHAT)
        protected = _protected(packed)
        lost, read = [], 0
        for number, name in enumerate(book.chapters()[:_MOST_CHAPTERS], start=1):
            if name in protected or not has(packed, name):
                lost.append(name)
                continue
            for chapter in _chapter(packed, name, number, book.properties()):
                read += 1
                yield chapter
    if not read:
        raise Unreadable("is protected against copying" if protected else "has no text")
    if lost:
        some = "files are" if len(lost) > 1 else "file is"
        yield f"{len(lost)} {some} missing or protected: {clean(', '.join(lost[:8]))}"


def _chapter(
    packed: zipfile.ZipFile, name: str, number: int, about: Properties
) -> Iterator[Document]:
    """The document of a chapter; none where it has no text."""
    raw = member(packed, name, _WHAT)
    declared = _DECLARED.search(raw[:256])
    blocks = blocks_of(decoded(raw, declared[1].decode() if declared else "").text)
    lines, _, starts, sections, quoted = split_blocks(blocks)
    if not lines:
        return
    of_line = [
        paragraph
        for paragraph, (start, end) in enumerate(pairwise((*starts, len(lines))), start=1)
        for _ in range(start, end)
    ]
    named = next((block.text for block in blocks if 0 < block.level <= _LOWEST), "")
    heading = named[:_LONGEST_HEADING].strip() or f"section {number}"
    yield Document(
        lines,
        tuple(of_line),
        about.title,
        about.author,
        date=about.date,
        key=str(number),
        unit=f"{heading}, paragraph",
        starts=starts,
        sections=sections,
        quoted=quoted,
    )


def _protected(packed: zipfile.ZipFile) -> set[str]:
    """The files of a book that are encrypted."""
    handler = _Encryption()
    if has(packed, _ENCRYPTED):
        parse(chunks(packed, _ENCRYPTED, _WHAT), handler, _WHAT)
    return handler.files


class _Container:
    """The path of the file that says what the book consists of."""

    package = ""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "rootfile" and not self.package:
            self.package = attributes.get("full-path", "")

    def data(self, text: str) -> None:
        pass

    def end(self, tag: str) -> None:
        pass


class _Encryption(_Container):
    def __init__(self) -> None:
        self.files: set[str] = set()

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "CipherReference":
            self.files.add(unquote(attributes.get("URI", "")))


class _Package:
    """What a book says of itself, and its files in reading order."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._about = PropertiesHandler()
        self._files: dict[str, str] = {}
        self._order: list[str] = []
        self._in_metadata = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._in_metadata = self._in_metadata or tag == "metadata"
        if self._in_metadata:
            self._about.start(tag, attributes)
        elif tag == "item" and attributes.get("media-type") in _HTML:
            href = unquote(attributes.get("href", "").partition("#")[0])
            place = posixpath.normpath(posixpath.join(self._folder, href))
            self._files[attributes.get("id", "")] = place
        elif tag == "itemref":
            self._order.append(attributes.get("idref", ""))

    def data(self, text: str) -> None:
        if self._in_metadata:
            self._about.data(text)

    def end(self, tag: str) -> None:
        if self._in_metadata:
            self._about.end(tag)
        self._in_metadata = self._in_metadata and tag != "metadata"

    def chapters(self) -> list[str]:
        """The files in reading order."""
        return [self._files[name] for name in dict.fromkeys(self._order) if name in self._files]

    def properties(self) -> Properties:
        """What the book says of itself."""
        return self._about.properties()
