"""EPUB: a document per file, named by its first heading; numbered paragraphs."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from uhhrag.documents.archive import Package, opened, properties_in
from uhhrag.documents.blocks import split_blocks
from uhhrag.documents.document import Document, Unreadable, some
from uhhrag.documents.segmentation import clean
from uhhrag.documents.web.html import page_text
from uhhrag.documents.web.nodes import blocks_of
from uhhrag.documents.web.styles import with_styles
from uhhrag.documents.xml_trees import Element, attribute, named
from uhhrag.system.terminal import first_of
from uhhrag.text.encodings import decode

_NOUN = "an EPUB book"
_CONTAINER, _ENCRYPTED = "META-INF/container.xml", "META-INF/encryption.xml"
_HTML = {"application/xhtml+xml", "text/html", "application/xml", "text/xml"}
_LONGEST_HEADING = 60
_LOWEST = 3
"""Lowest level of headings that name chapters."""


def read_epub(path: Path) -> Iterator[Document | str]:
    with opened(path, _NOUN, ".epub") as packed:
        roots = named(packed.tree(_CONTAINER), "rootfile")
        package = next((attribute(one, "full-path") for one in roots), "")
        book = packed.tree(package)
        about: dict[str, Any] = next(map(properties_in, named(book, "metadata")), {})
        locks = packed.tree(_ENCRYPTED) if _ENCRYPTED in packed else book
        protected = {unquote(attribute(one, "URI")) for one in named(locks, "CipherReference")}
        sheets = [one for one in packed.namelist() if one.endswith(".css")]
        styles = {one: decode(packed.member(one)).text for one in sheets}
        lost, read = [], 0
        for number, name in enumerate(_chapters(book, posixpath.dirname(package)), start=1):
            chapter = None
            with suppress(Unreadable):  # also if missing
                chapter = None if name in protected else _chapter(packed, name, styles, number)
            if chapter is None:
                lost.append(name)
            elif chapter.lines:
                read += 1
                yield replace(chapter, **about)
    if not read:
        other = "has no text that can be read" if lost else "has no text"
        raise Unreadable("is protected against copying" if protected & {*lost} else other)
    if lost:
        yield f"{some(len(lost), 'file')} missing, protected or damaged: {clean(first_of(lost))}"


def _chapter(packed: Package, name: str, styles: Mapping[str, str], number: int) -> Document:
    text = page_text(packed.member(name)).text
    blocks = blocks_of(with_styles(text, styles, name))
    found = split_blocks(blocks)
    begins = {*found.starts}
    paragraphs = accumulate(int(at in begins) for at in range(len(found.lines)))
    named = next((block.text for block in blocks if 0 < block.level <= _LOWEST), "")
    heading = named[:_LONGEST_HEADING].strip() or f"section {number}"
    unit = f"{heading}, paragraph"
    return replace(found, pages=tuple(paragraphs), key=str(number), unit=unit)


def _chapters(book: Element, folder: str) -> list[str]:
    files = {}
    for item in named(book, "item"):
        contents = "nav" in attribute(item, "properties").split()
        if attribute(item, "media-type") in _HTML and not contents:
            href = unquote(attribute(item, "href").partition("#")[0])
            files[attribute(item, "id")] = posixpath.normpath(posixpath.join(folder, href))
    order = dict.fromkeys(attribute(one, "idref") for one in named(book, "itemref"))
    return [files[name] for name in order if name in files]
