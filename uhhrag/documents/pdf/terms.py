"""Names above indented values, as browsers print lists of terms."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from uhhrag.documents.blocks import named
from uhhrag.documents.pdf.lines import Line, distance
from uhhrag.documents.segmentation import MARK
from uhhrag.text.fragments import is_ended

_ITEM = re.compile(rf"(?:{MARK}|\d[\d.]*)\s")
_MOST_WORDS, _WIDEST = 6, 0.5
"""Of a name; its greatest share of the page's widest line."""
_LEAST_INDENT, _MOST_INDENT, _NEAR = 1.5, 4.0, 2.2
"""Of a value, and its distance from the name, in ems."""
_LEAST = 3
"""Pairs of a list."""


def with_terms(lines: Sequence[Line]) -> list[Line]:
    """Lines whose names are joined with the values below them, where several pairs alternate."""
    widths: dict[int, float] = {}
    for line in lines:
        if line.segments:
            widths[line.page] = max(widths.get(line.page, 0.0), line.right - line.left)
    pairs = [_are_pair(*two, widths) for two in pairwise(lines)]
    shown: list[Line] = []
    at = 0
    while at < len(lines):
        end = at
        while end < len(pairs) and pairs[end]:
            end += 2
        if end - at < 2 * _LEAST:
            end = at + 1
            shown.append(lines[at])
        shown += [_joined(*lines[n : n + 2]) for n in range(at, end - 1, 2)]
        at = end
    return shown


def _are_pair(name: Line, value: Line, widths: dict[int, float]) -> bool:
    several = len(name.segments) != 1 or len(value.segments) != 1
    if name.page != value.page or several or name.row or value.row:
        return False
    short = len(name.text.split()) <= _MOST_WORDS and not is_ended(name.text)
    short = short and name.right - name.left <= _WIDEST * widths[name.page]
    indent = (value.left - name.left) / name.size
    listed = _ITEM.match(name.text) or _ITEM.match(value.text) or name.text.endswith((",", ";"))
    placed = _LEAST_INDENT <= indent <= _MOST_INDENT and 0 < distance(name, value) <= _NEAR
    return bool(short and placed and not listed and name.text[:1].isupper())


def _joined(name: Line, value: Line) -> Line:
    text, (first,), (other,) = named(name.text, value.text), name.segments, value.segments
    segment = first._replace(text=text, right=max(first.right, other.right))
    return name._replace(text=text, segments=(segment,))
