"""EPUB: chapters in reading order, paragraphs numbered within each.

A chapter is a file, named by its first heading. Left out: pictures, and files outside the reading
order.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

from uhhrag.documents.archive import has, member, opened
from uhhrag.documents.blocks import split_blocks
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.html_nodes import blocks_of
from uhhrag.documents.properties import Properties, properties_in
from uhhrag.documents.segmentation import clean, decoded
from uhhrag.documents.xml_trees import Element, attribute, named, xml_tree

_WHAT = "an EPUB book"
_CONTAINER, _ENCRYPTED = "META-INF/container.xml", "META-INF/encryption.xml"
_HTML = {"application/xhtml+xml", "text/html", "application/xml", "text/xml"}
_LONGEST_HEADING = 60
_LOWEST = 3
"""Level of the heading that names a chapter, at most."""
_DECLARED = re.compile(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.-]{2,40})", re.IGNORECASE)


def read_epub(path: Path) -> Iterator[Document | str]:
    """The documents of chapters, and a clause for those not read. Raises Unreadable."""
    with opened(path, _WHAT, ".epub") as packed:
        roots = named(_tree(packed, _CONTAINER), "rootfile")
        package = next((attribute(one, "full-path") for one in roots), "")
        book = _tree(packed, package)
        about = next(map(properties_in, named(book, "metadata")), Properties())
        protected = _protected(packed)
        lost, read = [], 0
        for number, name in enumerate(_chapters(book, posixpath.dirname(package)), start=1):
            if name in protected or not has(packed, name):
                lost.append(name)
                continue
            try:
                for chapter in _chapter(packed, name, number, about):
                    read += 1
                    yield chapter
            except Unreadable:
                lost.append(name)
    if not read:
        other = "has no text that can be read" if lost else "has no text"
        raise Unreadable("is protected against copying" if protected & {*lost} else other)
    if lost:
        some = "files are" if len(lost) > 1 else "file is"
        yield f"{len(lost)} {some} missing, protected or damaged: {clean(', '.join(lost[:8]))}"


def _chapter(
    packed: zipfile.ZipFile, name: str, number: int, about: Properties
) -> Iterator[Document]:
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


def _tree(packed: zipfile.ZipFile, name: str) -> Element:
    return xml_tree(member(packed, name, _WHAT), _WHAT)


def _protected(packed: zipfile.ZipFile) -> set[str]:
    if not has(packed, _ENCRYPTED):
        return set()
    references = named(_tree(packed, _ENCRYPTED), "CipherReference")
    return {unquote(attribute(one, "URI")) for one in references}


def _chapters(book: Element, folder: str) -> list[str]:
    files = {}
    for item in named(book, "item"):
        contents = "nav" in attribute(item, "properties").split()
        if attribute(item, "media-type") in _HTML and not contents:
            href = unquote(attribute(item, "href").partition("#")[0])
            files[attribute(item, "id")] = posixpath.normpath(posixpath.join(folder, href))
    order = dict.fromkeys(attribute(one, "idref") for one in named(book, "itemref"))
    return [files[name] for name in order if name in files]
