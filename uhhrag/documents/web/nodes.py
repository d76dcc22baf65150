"""HTML → nodes like pandoc's; a block's text run is a paragraph."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import Any

from uhhrag.documents.blocks import Block
from uhhrag.documents.marks import FORMS, numeral
from uhhrag.documents.pandoc.blocks import ITEM, blocks_of_pandoc
from uhhrag.documents.pandoc.program import read_by_pandoc
from uhhrag.documents.plain.text_tables import typed_blocks
from uhhrag.documents.web.notes import is_aside, is_mark
from uhhrag.documents.web.tree import html_tree
from uhhrag.documents.xml_trees import (
    Element,
    count,
    is_bare,
    local,
    take_out,
    whole_number,
    written,
)
from uhhrag.text.fragments import is_ended

BLOCKS = {
    *("address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "div", "dl"),
    *("dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5"),
    *("h6", "header", "hgroup", "hr", "html", "li", "main", "menu", "nav", "ol", "option", "p"),
    *("pre", "section", "search", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr"),
    *("ul", "details", "dialog", "legend"),
}
_ENTITY = re.compile(r"&(?:#\d{2,5}|#x[0-9a-f]{2,5}|[a-z]{2,6});", re.IGNORECASE)
"""Characters escaped twice."""
_ROWS, _SPANS = ("thead", "tbody", "tfoot"), ("rowspan", "colspan")
_TYPED = ("text", "number", "date", "email", "tel")
_ANSWER = re.compile(
    r"\W*(?:rat(?:ing|ed)\W+)?(?:(?:mostly|partly|half|largely|not|completely)[\s-]+)?(?:true|false|yes|no|correct|incorrect"
    r"|misleading|mixture|unproven|unverified|fake|wrong|pants[\s-]on[\s-]fire|\d+(?:\.\d)?"
    r"(?: out of | of |/)\d+(?: stars?)?)\W*",
    re.IGNORECASE,
)
"""What a picture's text adds to a page: a rating or an answer."""
Node = dict[str, Any]


def blocks_of(text: str, *, code: bool = True) -> list[Block]:
    root = html_tree(text)
    nodes = [] if root is None else nodes_of(root.find("body"))
    return blocks_of_pandoc(nodes, code=code, layout=True)


def nodes_of(element: Element, *, page: bool = False) -> list[Node]:
    """`page`: of a web page, not a mail or chapter."""
    return list(_Nodes(page).blocks(element))


def is_block(element: Element) -> bool:
    """Whether it is or holds one."""
    return any(local(one) in BLOCKS for one in element.iter())


@dataclass(slots=True)
class _Nodes:
    page: bool
    plain: bool = False
    """Line breaks count."""
    heading: bool = False
    """`<br>` is a space."""
    depth: int = 0
    """Open lists."""

    def blocks(self, element: Element) -> Iterator[Node]:
        depth = self.depth = self.depth + (local(element) in ("ul", "ol"))
        run = self._text(element.text)
        for child in element:
            if is_block(child):
                yield from _paragraph(run, depth)
                run = []
                yield from self._block(child)
            else:
                run += self._inline(child)
            run += self._text(child.tail)
        yield from _paragraph(run, depth)
        self.depth -= local(element) in ("ul", "ol")

    def _block(self, element: Element) -> Iterator[Node]:
        name = local(element)
        if re.fullmatch("h[1-6]", name):
            self.heading = True
            yield _node("Header", [int(name[1]), None, self._inlines(element)])
            self.heading = False
        elif name == "blockquote":
            yield _node("BlockQuote", list(self.blocks(element)))
        elif name == "pre" and next(element.iter("code"), None) is not None:
            yield _node("CodeBlock", [None, "".join(element.itertext())])
        elif name == "pre" and (typed := typed_blocks("".join(element.itertext()))):
            yield _node("Blocks", typed)
        elif name == "pre":
            self.plain = True
            yield from self.blocks(element)
            self.plain = False
        elif name == "ol" and (numbers := _numbers(element)):
            self.depth += 1
            for number, item in zip(numbers, element, strict=True):
                first, *more = [*self.blocks(item), _node("Para", [])]
                shown = [_node("Str", f"{number}. "), *first["c"]]
                yield from [_node("Para", shown) if first["t"] == "Para" else first, *more]
            self.depth -= 1
        elif name == "dl" and _is_of_terms(element):
            yield _node("DefinitionList", list(self._terms(element)))
        elif name == "figure":
            captions = list(element.iter("figcaption"))
            shown = [node for one in captions for node in self.blocks(one)]
            for one in captions:
                take_out(one)
            yield _node("Figure", [None, [None, shown], list(self.blocks(element))])
        elif name == "table" and _is_of_pairs(element):
            yield from self._pairs(element)
        else:
            table = name == "table" and _is_regular(element)
            yield from self._table(element) if table else self.blocks(element)

    def _pairs(self, table: Element) -> Iterator[Node]:
        """Names with values; "• Total" below a box's "Population" belongs to it."""
        above: list[Node] = []
        for row in table.iter("caption", "tr"):
            if local(row) == "caption" or len(row) < 2:
                yield from self.blocks(row)
                above = self._inlines(row)
                continue
            for cell, value in zip(row[::2], row[1::2], strict=True):
                within = above = above if "•" in (cell.text or "") else []
                cell.text = (cell.text or "").replace("•", " – " * bool(within))
                named = [*within, *self._inlines(cell)]
                yield _node("DefinitionList", [[named, [list(self.blocks(value))]]])

    def _terms(self, element: Element) -> Iterator[list[Any]]:
        term: list[Node] = []
        meanings: list[list[Node]] = []
        for one in element.iter("dt", "dd"):
            if next(one.iterancestors("dl"), None) is not element:
                continue
            if local(one) == "dd":
                meanings.append(list(self.blocks(one)))
                continue
            if term or meanings:
                yield [term, meanings]
            term, meanings = self._inlines(one), []
        yield [term, meanings]

    def _table(self, element: Element) -> Iterator[Node]:
        parts: dict[str, list[Any]] = {name: [] for name in _ROWS}
        titles = []
        for child in element:
            name = local(child)
            if name == "caption":
                titles += list(self.blocks(child))
            for row in child.iterchildren("tr") if name in _ROWS else (child,):
                if local(row) == "tr":
                    parts[name if name in _ROWS else "tbody"].append(self._row(row))
        head, body, foot = ([None, parts[name]] for name in _ROWS)
        yield _node("Table", [None, [None, titles], None, head, [[None, 0, [], body[1]]], foot])

    def _row(self, row: Element) -> list[Any]:
        """Mark "th" if all cells are names, or None; then cells."""
        cells = list(row.iterchildren("td", "th"))
        mark = "th" if all(_kind(one) == "th" for one in cells) else None
        held = [(*(count(one, name, 1_000) for name in _SPANS), self._cell(one)) for one in cells]
        return [mark, [[None, None, *one] for one in held]]

    def _cell(self, cell: Element) -> list[Node]:
        """A lone heading is plain text; lines that are no sentences are joined."""
        nodes = list(self.blocks(cell))
        if not nodes:  # what a picture stands for
            return [*_paragraph([_node("Str", one.get("alt", "")) for one in cell.iter("img")])]
        kinds = [node["t"] for node in nodes]
        if not (self.page or local(cell) == "th"):
            return nodes
        if kinds == ["Header"]:
            return [_node("Para", nodes[0]["c"][2])]
        if {*kinds} != {"Para"}:
            return nodes
        parts = [part for node in nodes for part in (*node["c"], _BREAK)]
        lines = "".join("\n" if part is _BREAK else str(part["c"]) for part in parts).split("\n")
        if any(map(is_ended, filter(None, lines[:-2]))):
            return nodes
        return [_node("Para", [_SPACE if part is _BREAK else part for part in parts])]

    def _inlines(self, element: Element) -> list[Node]:
        nodes = self._text(element.text)
        for child in element:
            apart = [_SPACE] if local(child) in BLOCKS else []
            nodes += apart + self._inline(child) + apart + self._text(child.tail)
        return nodes

    def _inline(self, element: Element) -> list[Node]:
        name = local(element)
        if name == "br":
            return [_SPACE if self.heading else _BREAK]
        if name == "input" and element.get("type") in ("checkbox", "radio"):
            return [_node("Str", "☒ " if "checked" in element.attrib else "☐ ")]
        if name == "input" and element.get("type", "text") in _TYPED:
            return self._text(element.get("value"))
        if name == "img" or element.get("role") == "img" or not (len(element) or element.text):
            return self._text(_shown_by(element)) or self._inlines(element)
        if name == "math":
            read = read_by_pandoc(written(element), "html")["blocks"]
            return [part for node in read for part in node["c"] if isinstance(part, dict)]
        inner = self._inlines(element)
        if is_aside(element):
            return []
        if name == "a" and local(element.getparent()) != "sup" and is_mark(element):
            return [_node("Superscript", [_node("Link", [None, inner])])]
        if name in ("sup", "sub"):
            return [_node("Superscript" if name == "sup" else "Subscript", inner)]
        if name == "a":
            return [_node("Link", [None, inner])]
        if name == "q":
            return [_node("Quoted", [_node("DoubleQuote"), inner])]
        return inner

    def _text(self, text: str | None) -> list[Node]:
        if not text:
            return []
        text = unescape(text) if _ENTITY.search(text) else text
        if not self.plain:
            return [_node("Str", re.sub(r"[ \t\r\n\f]+", " ", text))]
        lines = ([_node("Str", line), _BREAK] for line in text.split("\n"))
        return [node for line in lines for node in line][:-1]


def _node(kind: str, content: Any = None) -> Node:
    return {"t": kind, "c": content}


_SPACE, _BREAK = _node("Str", " "), _node("LineBreak")


def _paragraph(run: list[Node], depth: int = 0) -> Iterator[Node]:
    if any(node["t"] != "Str" or node["c"].strip() for node in run):
        yield _node("Para", [*([_node("Str", ITEM * depth)] if depth else []), *run])


def _numbers(items: Element) -> list[str]:
    """[] for 1, 2, …, or if not all children are items."""
    step = -1 if "reversed" in items.attrib else 1
    number = whole_number(items.get("start", "")) or (len(items) if step < 0 else 1)
    numbers: list[int] = []
    for one in items:
        number = whole_number(one.get("value", "")) or number
        numbers.append(number)
        number += step
    plain = numbers == [*range(1, len(items) + 1)] or {*map(local, items)} != {"li"}
    form = FORMS.get(items.get("type", "").strip(), "")
    return [] if plain else [numeral(one, form) for one in numbers]


def _shown_by(picture: Element) -> str:
    """A sign such as ✅, or an answer; else ""."""
    text = next(filter(None, map(picture.get, ("alt", "aria-label", "title"))), "")
    return text if not any(map(str.isalnum, text)) or _ANSWER.fullmatch(text) else ""


def _kind(cell: Element) -> str:
    name = local(cell)  # "th" also for one in bold
    while len(cell) == 1 and not any(map(str.isalnum, (cell.text or "") + (cell[0].tail or ""))):
        cell = cell[0]
    return "th" if local(cell) in ("b", "strong") else name


def _is_of_pairs(table: Element) -> bool:
    rows = [[*map(_kind, row)] for row in table.iter("tr") if len(row) != 1]
    titled = len(rows) > 1 and all(row == ["th", "td"] * (len(row) // 2) for row in rows)
    return titled and not table.findall(".//table") and _is_regular(table)


def _is_regular(table: Element) -> bool:
    rows = [table, *table.iterchildren(*_ROWS)]
    held = [one for row in rows for one in row if local(one) not in (*_ROWS, "caption", "colgroup")]
    cells = (local(one) in ("td", "th") for row in held for one in row)
    regular = all(local(one) in ("tr", "col") for one in held) and all(cells)
    return regular and is_bare(*rows, *held)


def _is_of_terms(terms: Element) -> bool:
    groups = [terms, *terms.iterchildren("div")]
    parts = (local(one) in ("dt", "dd", "div") for group in groups for one in group)
    return all(parts) and is_bare(*groups)
