"""Shapes of a slide: their places and order, and letters that nobody sees."""

from __future__ import annotations

import re
from collections.abc import Iterator

from uhhrag.documents.xml_trees import Element, attribute, local, named, whole_number

Box = tuple[int, ...]
"""Left, top, right, bottom; () if the layout says where."""
_WHITE = ("FFFFFF", "BG1", "LT1")
_MOST, _TINY = 300, 100
"""Shapes that are put in order, at most; hundredths of a point."""


def box_of(shape: Element) -> Box:
    for way in ("{*}spPr/{*}xfrm", "{*}grpSpPr/{*}xfrm", "{*}xfrm"):
        for place in shape.iterfind(way):
            x, y = numbers(next(named(place, "off"), place), "x", "y")
            width, height = numbers(next(named(place, "ext"), place), "cx", "cy")
            return x, y, x + width, y + height
    return ()


def numbers(element: Element, *names: str) -> list[int]:
    texts = (attribute(element, name) for name in names)
    return [int(text) if re.fullmatch(r"-?[0-9]{1,11}", text) else 0 for text in texts]


def in_order(tree: Element) -> Iterator[Element]:
    """Shapes as they were drawn, but behind those above in their column and left in their row."""
    left = dict.fromkeys(one for one in tree if local(one) in ("sp", "graphicFrame", "grpSp"))
    boxes = {one: box for one in left if (box := box_of(one)) and len(left) <= _MOST}
    before = {a: {b for b in boxes if _leads(boxes[b], boxes[a])} for a in boxes}
    while left:
        free = (one for one in left if before.get(one, set()).isdisjoint(left))
        shape = next(free, next(iter(left)))
        del left[shape]
        yield from in_order(shape) if local(shape) == "grpSp" else (shape,)


def _leads(one: Box, other: Box) -> bool:
    """Whether it is above another, or on its left, with half of the smaller one beside it."""
    sizes = [min(a[at + 2] - a[at] for a in (one, other)) for at in (0, 1)]
    beside = [2 * _both(one, other, at) >= sizes[at] for at in (0, 1)]
    return any(one[at] + one[at + 2] <= 2 * other[at] and beside[1 - at] for at in (0, 1))


def _both(one: Box, other: Box, at: int) -> int:
    return min(one[at + 2], other[at + 2]) - max(one[at], other[at])


def unseen(*trees: Element) -> Iterator[Element]:
    """Runs one point high, clear, or in white with nothing but white paper behind, of a slide above
    its layout and that one's master."""
    papers = [one for tree in trees for one in named(tree, "bgPr", "bgRef")]
    maps = (one for tree in trees for one in named(tree, "clrMap", "overrideClrMapping"))
    bright = all(map(_is_white, papers)) and all(attribute(one, "bg1") == "lt1" for one in maps)
    shapes = [[one for tree in named(root, "spTree") for one in tree] for root in trees]
    painted = [box_of(one) for each in shapes for one in each if _paints(one)]
    for shape in shapes[0]:
        box = box_of(shape)
        bare = bright and all(_are_apart(box, one) for one in painted)
        for run in named(shape, "r", "fld"):
            look = next(run.iterfind("{*}rPr"), run)
            pale = bare and any(map(_is_white, look.iterfind("{*}solidFill")))
            pale = pale and not [*named(look, "ln", "effectLst")]
            clear = any(attribute(one, "val") == "0" for one in named(look, "alpha"))
            small = 0 < whole_number(attribute(look, "sz")) <= _TINY
            if clear or small or pale:
                yield run


def _are_apart(one: Box, other: Box) -> bool:
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
