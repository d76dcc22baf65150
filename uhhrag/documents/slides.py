"""PPTX, by pandoc: the text of each slide with its number.

Left out: hidden slides, which are named, notes of the speaker, pictures.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from uhhrag.documents.archive import has, member, opened
from uhhrag.documents.blocks import Block, document_of
from uhhrag.documents.document import Document
from uhhrag.documents.office import targets, zipped
from uhhrag.documents.pandoc import read_by_pandoc
from uhhrag.documents.pandoc_blocks import blocks_of_pandoc
from uhhrag.documents.properties import read_properties
from uhhrag.documents.xml_trees import attribute, named, xml_tree
from uhhrag.text.dates import OF_FILE

_WHAT = "a presentation"
_DECK = "ppt/presentation.xml"
_NOT_GIVEN = ("ppt/media/", "ppt/embeddings/", "ppt/fonts/")


def read_pptx(path: Path) -> Iterator[Document | str]:
    """The document of a presentation, each paragraph with the number of its slide, and a clause for
    slides that are hidden. Raises Unreadable where it is encrypted, damaged or would unpack to more
    than any text does."""
    with opened(path, _WHAT, ".pptx") as packed:
        about = read_properties(packed, "docProps/core.xml", _WHAT)
        hidden = _hidden_slides(packed)
        kept = [name for name in packed.namelist() if not name.startswith(_NOT_GIVEN)]
        content = zipped({name: member(packed, name, _WHAT) for name in kept})
    nodes = read_by_pandoc(content, "pptx")["blocks"]
    slides = [(number, slide) for number, slide in _slides(nodes) if number not in hidden]
    blocks = [replace(block, page=number) for number, slide in slides for block in slide]
    fields = {"title": about.title, "author": about.author, "date": about.date}
    yield document_of(blocks, unit="slide", dated_by=OF_FILE, **fields)
    if hidden:
        some = "slides are" if len(hidden) > 1 else "slide is"
        numbers = ", ".join(map(str, sorted(hidden)[:8])) + (", …" if len(hidden) > 8 else "")
        yield f"{len(hidden)} {some} hidden and not read: {numbers}"


def _hidden_slides(packed: zipfile.ZipFile) -> set[int]:
    """The numbers of the slides that are not shown."""
    if not has(packed, _DECK):
        return set()
    parts = targets(packed, _DECK, _WHAT)
    hidden = set()
    slides = named(xml_tree(member(packed, _DECK, _WHAT), _WHAT), "sldId")
    for number, slide in enumerate(slides, start=1):
        name = next((v for k, v in slide.attrib.items() if k.endswith("}id")), "")
        part = parts.get(name, "")
        if has(packed, part):
            root = xml_tree(member(packed, part, _WHAT), _WHAT)
            hidden |= {number} if attribute(root, "show", "1") in ("0", "false") else set()
    return hidden


def _slides(nodes: Sequence[Mapping[str, Any]]) -> list[tuple[int, list[Block]]]:
    """The blocks of each slide, by its number."""
    slides: list[tuple[int, list[Mapping[str, Any]]]] = []
    for node in nodes:
        number = _slide(node)
        if number or not slides:
            slides.append((number or 1, []))
        slides[-1][1].append(node)
    return [(number, blocks_of_pandoc(held, code=True)) for number, held in slides]


def _slide(node: Mapping[str, Any]) -> int:
    """The number of the slide that a heading opens, 0 for what opens none."""
    name = node["c"][1][0] if node["t"] == "Header" else ""
    match = re.fullmatch(r"slide-(\d{1,6})", name)
    return int(match[1]) if match else 0
