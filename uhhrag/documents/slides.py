"""PPTX by pandoc: each slide's text with its number.

Left out: hidden slides, which are noted, speaker's notes, pictures.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from uhhrag.documents.archive import has, member, opened
from uhhrag.documents.blocks import Block, document_of
from uhhrag.documents.document import Document
from uhhrag.documents.marks import plain_runs
from uhhrag.documents.office import diagram_texts, targets, zipped
from uhhrag.documents.pandoc import read_by_pandoc
from uhhrag.documents.pandoc_blocks import blocks_of_pandoc
from uhhrag.documents.properties import read_properties
from uhhrag.documents.tex import bracketed
from uhhrag.documents.xml_trees import (
    Element,
    attribute,
    local,
    named,
    take_out,
    written,
    xml_tree,
)
from uhhrag.text.dates import OF_FILE

_WHAT = "a presentation"
_DECK = "ppt/presentation.xml"
_SLIDE = re.compile(r"ppt/slides/[^/]+\.xml")
_RELATIONS = ("_rels/.rels", "ppt/_rels/presentation.xml.rels")
_BOX = (
    '<p:sp xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><p:nvSpPr><p:cNvPr id="1" '
    'name=""/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/>{}'
    "</p:txBody></p:sp>"
)
_NOT_GIVEN = ("ppt/media/", "ppt/embeddings/", "ppt/fonts/")


def read_pptx(path: Path) -> Iterator[Document | str]:
    """The document of a presentation by slide, and a clause for hidden ones. Raises Unreadable."""
    with opened(path, _WHAT, ".pptx") as packed:
        about = read_properties(packed, "docProps/core.xml", _WHAT)
        hidden = _hidden_slides(packed)
        kept = [name for name in packed.namelist() if not name.startswith(_NOT_GIVEN)]
        members = {name: member(packed, name, _WHAT) for name in kept}
        for name in filter(_SLIDE.fullmatch, kept):
            members[name] = _tidied(packed, name)
        for name in filter(members.__contains__, _RELATIONS):
            members[name] = _relative(members[name], posixpath.dirname(posixpath.dirname(name)))
        content = zipped(members)
    nodes = read_by_pandoc(content, "pptx")["blocks"]
    slides = [(number, slide) for number, slide in _slides(nodes) if number not in hidden]
    blocks = [replace(block, page=number) for number, slide in slides for block in slide]
    fields = {"title": about.title, "author": about.author, "date": about.date}
    yield document_of(blocks, unit="slide", dated_by=OF_FILE, **fields)
    if hidden:
        some = "slides are" if len(hidden) > 1 else "slide is"
        numbers = ", ".join(map(str, sorted(hidden)[:8])) + (", …" if len(hidden) > 8 else "")
        yield f"{len(hidden)} {some} hidden and not read: {numbers}"


def _relative(content: bytes, folder: str) -> bytes:
    """Relations to members of the archive, from a folder as pandoc knows them."""
    root = xml_tree(content, _WHAT)
    for relation in named(root, "Relationship"):
        target = attribute(relation, "Target")
        if target.startswith("/"):
            relation.set("Target", posixpath.relpath(target, f"/{folder}"))
    return written(root)


def _tidied(packed: zipfile.ZipFile, name: str) -> bytes:
    """A slide without hidden and struck-out text; groups, diagrams and merged cells as text."""
    root = xml_tree(member(packed, name, _WHAT), _WHAT)
    parts = targets(packed, name, _WHAT)
    for element in named(root, "Fallback"):
        take_out(element)
    for element in named(root, "AlternateContent", "Choice"):
        take_out(element, keep=True)
    for about in named(root, "cNvPr"):
        if attribute(about, "hidden", "0") in ("1", "true"):
            take_out(about.getparent().getparent())
    for group in reversed(list(named(root, "grpSp"))):
        take_out(group, keep=True)
    for formula in named(root, "m"):
        if local(formula.getparent()) == "p":
            _write_formula(formula)
    for frame in named(root, "graphicFrame"):
        mark = next(named(frame, "relIds"), None)
        part = parts.get(attribute(mark, "dm"), "") if mark is not None else ""
        if has(packed, part):
            _write_box(frame, diagram_texts(xml_tree(member(packed, part, _WHAT), _WHAT)))
        elif next(named(frame, "tbl"), None) is None:
            take_out(frame)
    for paragraph in named(root, "p"):
        _join_runs(paragraph)
    for row in named(root, "tr"):
        _fill_merged(row)
    return written(root)


def _write_formula(formula: Element) -> None:
    """Put a formula as a run of text in its place."""
    paragraph = formula.getparent()
    space = f"{paragraph.tag.rpartition('}')[0]}}}"
    run = paragraph.makeelement(f"{space}r")
    run.append(run.makeelement(f"{space}t"))
    run[0].text = _line(formula)
    paragraph.replace(formula, run)


def _line(element: Element) -> str:
    """What a formula shows, on one line."""
    if local(element) == "t":
        return element.text or ""
    parts = [text for one in element if (text := _line(one))]
    if local(element) == "f":
        return "/".join(map(bracketed, parts))
    text = ("^" if local(element) == "sSup" else "").join(parts)
    return f"({text})" if local(element) == "d" else text


def _write_box(frame: Element, texts: Sequence[str]) -> None:
    paragraphs = "".join(f"<a:p><a:r><a:t>{escape(text)}</a:t></a:r></a:p>" for text in texts)
    box = xml_tree(_BOX.format(paragraphs).encode(), _WHAT)
    frame.getparent().replace(frame, box)


def _join_runs(paragraph: Element) -> None:
    for of_text, group in groupby(list(paragraph), key=lambda one: local(one) == "r"):
        runs = list(group)
        if of_text:
            first = next(named(runs[0], "t"), None)
            text = plain_runs(
                [("".join(t.text or "" for t in named(r, "t")), _how(r)) for r in runs]
            )
            if first is not None:
                first.text = text
                for run in runs[1:]:
                    take_out(run)


def _how(run: Element) -> str:
    """How a run of letters is set (`plain_runs`)."""
    look = next(named(run, "rPr"), run)
    if attribute(look, "strike", "noStrike") != "noStrike":
        return "struck"
    base = attribute(look, "baseline", "0").rstrip("%")
    return "" if base in ("0", "") else "subscript" if base.startswith("-") else "superscript"


def _fill_merged(row: Element) -> None:
    above = row.getprevious()
    for at, cell in enumerate(list(row)):
        beside = row[at - 1] if attribute(cell, "hMerge") and at else None
        over = (
            above[at]
            if attribute(cell, "vMerge") and above is not None and at < len(above)
            else None
        )
        source = beside if beside is not None else over
        text = next(named(source, "txBody"), None) if source is not None else None
        if text is not None and cell is not source:
            for old in named(cell, "txBody"):
                take_out(old)
            cell.insert(0, deepcopy(text))


def _hidden_slides(packed: zipfile.ZipFile) -> set[int]:
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
    slides: list[tuple[int, list[Mapping[str, Any]]]] = []
    for node in nodes:
        number = _slide(node)
        if number or not slides:
            slides.append((number or 1, []))
        if not number or node["c"][2] != [{"t": "Str", "c": f"Slide {number}"}]:  # no title
            slides[-1][1].append(node)
    return [(number, blocks_of_pandoc(held, code=True)) for number, held in slides]


def _slide(node: Mapping[str, Any]) -> int:
    name = node["c"][1][0] if node["t"] == "Header" else ""
    match = re.fullmatch(r"slide-(\d{1,6})", name)
    return int(match[1]) if match else 0
