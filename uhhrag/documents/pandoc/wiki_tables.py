"""Cells of MediaWiki's tables that span rows and columns, which pandoc takes for single ones."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from uhhrag.documents.pandoc.program import nodes_in

_MARK = "\ufdd5"
"""No text has this character; rows and columns follow."""
_PLAIN = r"[^|!\n\[\]{}<>]"
_CELL = re.compile(
    rf"(?:^[ \t]*[|!](?![|}}+-])|\|\||!!)({_PLAIN}{{0,200}}span{_PLAIN}{{0,200}})\|(?!\|)",
    re.MULTILINE,
)
_SPAN = re.compile(r"(row|col)span[ \t]*=[ \t]*[\"']?(\d{1,3})")
_TOLD = re.compile(rf"{_MARK}(\d+),(\d+);")
_IN_HTML = re.compile(rf"(<t[dh]\b[^>]*)>((?:\s*<p>)?\s*){_TOLD.pattern}")


def with_marks(text: str) -> str:
    """Wiki text whose cells begin with what they span."""
    return _CELL.sub(_marked, text)


def _marked(cell: re.Match[str]) -> str:
    spans = {name: max(1, int(number)) for name, number in _SPAN.findall(cell[1])}
    if not spans:
        return cell[0]
    return f"{cell[0]} {_MARK}{spans.get('row', 1)},{spans.get('col', 1)};"


def html_with_spans(html: str) -> str:
    return _TOLD.sub("", _IN_HTML.sub(r'\1 rowspan="\3" colspan="\4">\2', html))


def with_spans(nodes: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Pandoc's blocks, their cells as wide and high as they say."""
    nodes = list(nodes)
    for node in nodes_in(nodes):
        if node.get("t") == "Table":
            _, _, _, (_, head), bodies, _ = node["c"]
            for _, cells in (*head, *(row for body in bodies for row in (*body[2], *body[3]))):
                for cell in cells:
                    cell[2:4] = _taken_out(cell[4])
    return nodes


def _taken_out(nodes: list[Any]) -> list[int]:
    for part in nodes_in(nodes):
        if part.get("t") == "Str" and (told := _TOLD.match(part["c"])):
            part["c"] = part["c"][told.end() :]
            return [int(told[1]), int(told[2])]
    return [1, 1]
