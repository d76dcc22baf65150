"""PPTX: each slide's text below its title; no notes, hidden slides, unseen letters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from uhhrag.documents.archive import Package, opened, read_properties
from uhhrag.documents.blocks import Block, document_of
from uhhrag.documents.document import Document, some
from uhhrag.documents.office.shared import drawn_text, drawn_texts, unread_objects
from uhhrag.documents.pandoc.blocks import blocks_of_pandoc
from uhhrag.documents.segmentation import clean
from uhhrag.documents.xml_trees import (
    Element,
    attribute,
    count,
    local,
    named,
    take_out,
    whole_number,
)
from uhhrag.system.terminal import first_of

_NOUN = "a presentation"
_DECK = "ppt/presentation.xml"
_TITLES = ("title", "ctrTitle")
_COMPARISON = "twoTxTwoObj"
"""A layout's type."""
_FRAME = ("sldNum", "dt", "ftr", "hdr")
"""Repeated on every slide."""
_UNNAMED = ("", "PowerPoint Presentation")
"""Titles of a deck that nobody named."""
_TRUE = ("1", "true")
_Box = tuple[int, ...]
"""Left, top, right, bottom; () if the layout says where."""
_WHITE = ("FFFFFF", "BG1", "LT1")
_MAX_SHAPES, _TINY = 300, 100
"""Shapes that are put in order, at most; hundredths of a point."""


def read_pptx(path: Path) -> Iterator[Document | str]:
    with opened(path, _NOUN, ".pptx") as packed:
        about = read_properties(packed, "docProps/core.xml")
        parts = packed.targets(_DECK)
        whole = packed.tree(_DECK)
        ids = (one.attrib.values() for one in named(whole, "sldId"))
        names = [next(filter(None, map(parts.get, each)), "") for each in ids]
        ends = next((_numbers(one, "cx", "cy") for one in named(whole, "sldSz")), [])
        slides = {n: packed.tree(name) for n, name in enumerate(names, start=1) if name in packed}
        hidden = [n for n, root in slides.items() if attribute(root, "show", "1") not in _TRUE]
        shown = {n: root for n, root in slides.items() if n not in hidden}
        blocks: list[Block] = []
        for number, root in shown.items():
            take_out(*(one for tree in named(root, "spTree") for one in tree if _is_off(one, ends)))
            drawn = partial(drawn_texts, packed, packed.targets(names[number - 1]))
            under = [*_under(packed, names[number - 1])]
            take_out(*_unseen(root, *under))
            compares = any(attribute(one, "type") == _COMPARISON for one in under)
            found = _blocks(root, drawn, compares=compares)
            blocks += (replace(one, page=number) for one in found)
    if about.get("title", "") in _UNNAMED:
        first = blocks[0].page if blocks else 0
        about["title"] = next((one.text for one in blocks if one.level and one.page == first), "")
    yield document_of(blocks, unit="slide", **about)
    if hidden:
        yield f"{some(len(hidden), 'slide')} hidden and not read: {first_of(hidden)}"
    embedded = (one for root in shown.values() for one in named(root, "oleObj"))
    yield from unread_objects(attribute(one, "progId") for one in embedded)


def _under(packed: Package, name: str) -> Iterator[Element]:
    """A slide's layout, then the layout's master."""
    for kind in ("/slideLayout", "/slideMaster"):
        found = filter(packed.__contains__, packed.targets(name, kind).values())
        if name := next(found, ""):
            yield packed.tree(name)


def _is_off(shape: Element, ends: list[int]) -> bool:
    """Whether it is beside the slide, where drafts and unseen titles are."""
    box = () if _place(shape) in _TITLES else _box_of(shape)
    return bool(box and ends) and any(box[at + 2] < 0 or box[at] > ends[at] for at in (0, 1))


def _blocks(
    root: Element, drawn: Callable[[Element], Iterator[str]], *, compares: bool
) -> Iterator[Block]:
    """Titles first; if the slide `compares`, each of two columns has a heading."""
    take_out(*named(root, "Fallback"))
    for about in named(root, "cNvPr"):
        if attribute(about, "hidden") in _TRUE:
            take_out(about.getparent().getparent())
    take_out(*named(root, "Choice", "AlternateContent"), keep=True)
    kinds = ((one, _place(one)) for tree in named(root, "spTree") for one in _in_order(tree))
    shapes = [(shape, kind) for shape, kind in kinds if kind not in _FRAME]
    compares = compares and all([*named(shape, "ph")] for shape, _ in shapes)
    for shape, kind in sorted(shapes, key=lambda pair: pair[1] not in _TITLES):
        if rows := list(named(shape, "tr")):
            head = any(attribute(one, "firstRow") in _TRUE for one in named(shape, "tblPr"))
            yield from blocks_of_pandoc([_table(rows, head=head)])
        else:
            level = 1 if kind in _TITLES else 2 * (compares and kind == "body")
            texts = chain(((one, 0) for one in drawn(shape)), map(_item, named(shape, "p")))
            made = (Block(clean(one), level=level, depth=deep) for one, deep in texts)
            found = [one for one in made if one.text]
            yield from (replace(one, apart=not at and not level) for at, one in enumerate(found))


def _table(rows: list[Element], *, head: bool) -> dict[str, Any]:
    given = [[None, [_cell(one) for one in named(row, "tc") if _is_own(one)]] for row in rows]
    body = [[None, 0, [], given[head:]]]
    return {"t": "Table", "c": [None, [None, []], None, [None, given[:head]], body, [None, []]]}


def _is_own(cell: Element) -> bool:
    return not any(attribute(cell, name) in _TRUE for name in ("hMerge", "vMerge"))


def _cell(cell: Element) -> list[Any]:
    """As pandoc's JSON."""
    text = [{"t": "Str", "c": " ".join(map(drawn_text, named(cell, "p")))}]
    spans = (count(cell, name) for name in ("rowSpan", "gridSpan"))
    return [None, None, *spans, [{"t": "Plain", "c": text}]]


def _place(shape: Element) -> str:
    return next((attribute(one, "type") for one in named(shape, "ph")), "")


def _item(paragraph: Element) -> tuple[str, int]:
    """Text, and how many items hold it."""
    places = (attribute(one, "lvl") for one in paragraph if local(one) == "pPr")
    return drawn_text(paragraph), whole_number(next(places, ""))


def _box_of(shape: Element) -> _Box:
    for way in ("{*}spPr/{*}xfrm", "{*}grpSpPr/{*}xfrm", "{*}xfrm"):
        for place in shape.iterfind(way):
            x, y = _numbers(next(named(place, "off"), place), "x", "y")
            width, height = _numbers(next(named(place, "ext"), place), "cx", "cy")
            return x, y, x + width, y + height
    return ()


def _numbers(element: Element, *names: str) -> list[int]:
    texts = (attribute(element, name) for name in names)
    return [int(text) if re.fullmatch(r"-?[0-9]{1,11}", text) else 0 for text in texts]


def _in_order(tree: Element) -> Iterator[Element]:
    """As drawn, but behind shapes above in their column and left in their row."""
    left = dict.fromkeys(one for one in tree if local(one) in ("sp", "graphicFrame", "grpSp"))
    boxes = {one: box for one in left if (box := _box_of(one)) and len(left) <= _MAX_SHAPES}
    before = {a: {b for b in boxes if _leads(boxes[b], boxes[a])} for a in boxes}
    while left:
        free = (one for one in left if before.get(one, set()).isdisjoint(left))
        shape = next(free, next(iter(left)))
        del left[shape]
        yield from _in_order(shape) if local(shape) == "grpSp" else (shape,)


def _leads(one: _Box, other: _Box) -> bool:
    """Whether it is above or left of another, overlapping half of the smaller one."""
    sizes = [min(a[at + 2] - a[at] for a in (one, other)) for at in (0, 1)]
    beside = [2 * _both(one, other, at) >= sizes[at] for at in (0, 1)]
    return any(one[at] + one[at + 2] <= 2 * other[at] and beside[1 - at] for at in (0, 1))


def _both(one: _Box, other: _Box, at: int) -> int:
    return min(one[at + 2], other[at + 2]) - max(one[at], other[at])


def _unseen(*trees: Element) -> Iterator[Element]:
    """Runs one point high, clear, or white on nothing but white paper; `trees`: slide, layout,
    master."""
    papers = [one for tree in trees for one in named(tree, "bgPr", "bgRef")]
    maps = (one for tree in trees for one in named(tree, "clrMap", "overrideClrMapping"))
    bright = all(map(_is_white, papers)) and all(attribute(one, "bg1") == "lt1" for one in maps)
    shapes = [[one for tree in named(root, "spTree") for one in tree] for root in trees]
    painted = [_box_of(one) for each in shapes for one in each if _paints(one)]
    for shape in shapes[0]:
        box = _box_of(shape)
        bare = bright and all(_are_apart(box, one) for one in painted)
        for run in named(shape, "r", "fld"):
            look = next(run.iterfind("{*}rPr"), run)
            pale = bare and any(map(_is_white, look.iterfind("{*}solidFill")))
            pale = pale and not [*named(look, "ln", "effectLst")]
            clear = any(attribute(one, "val") == "0" for one in named(look, "alpha"))
            small = 0 < whole_number(attribute(look, "sz")) <= _TINY
            if clear or small or pale:
                yield run


def _are_apart(one: _Box, other: _Box) -> bool:
    return bool(one and other) and min(_both(one, other, at) for at in (0, 1)) <= 0


def _is_white(holder: Element) -> bool:
    told = [*named(holder, "srgbClr", "schemeClr")]
    return len(told) == 1 and not len(told[0]) and attribute(told[0], "val").upper() in _WHITE


def _paints(shape: Element) -> bool:
    looks = [part for look in named(shape, "spPr", "grpSpPr") for part in look]
    fills = [one for one in looks if local(one).endswith("Fill")]
    styled = not fills and any(attribute(one, "idx") != "0" for one in named(shape, "fillRef"))
    painted = any(local(one) != "noFill" and not _is_white(one) for one in fills)
    return styled or painted or bool([*named(shape, "pic", "graphicFrame")])
