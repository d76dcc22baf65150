"""Pandoc's JSON → blocks, without struck-out text; notes follow their paragraphs.

A table is data, not layout, if several rows have several short cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice, takewhile
from typing import Any

from uhhrag.documents.blocks import TABLE_END, Block, named
from uhhrag.documents.marks import lowered, numeral, raised
from uhhrag.documents.pandoc.tables import (
    TAB,
    Span,
    alone_as_text,
    beside_others,
    cell_text,
    is_bold,
    is_data,
    is_plain,
    is_short,
    laid_out,
    named_rows,
    parted,
    rows_of_names,
    spread,
    tabbed,
)
from uhhrag.documents.pandoc.tex import plain_formula
from uhhrag.documents.segmentation import RUN_MARK, clean, line_width, paragraphs

PAGE_BREAK = "\ufdd0"
"""Ends a page; no text has this character."""
ITEM = "\ufdd4"
"""Nor this; it begins a paragraph, once for each list around it."""
_WIDTH = 90
"""Least characters of a full line; mails wrap at 72."""
_NESTED = {"Emph", "Strong", "Underline", "SmallCaps"}
_SPACES = {"Space": " ", "SoftBreak": " ", "LineBreak": "\n"}
_STATES = {"done", "todo"}
"""Classes of states of headings in Org."""
_QUOTES = {"SingleQuote": "‘’", "DoubleQuote": "“”"}
_Node = Mapping[str, Any]


def blocks_of_pandoc(
    nodes: Sequence[_Node], *, code: bool = False, layout: bool = False
) -> list[Block]:
    """Tables may be `layout`. PAGE_BREAKs count pages; without any, pages are 0."""
    walk = _Walk(code, layout)
    blocks = list(tabbed([*walk.blocks(nodes)]))
    return blocks if walk.page > 1 else [replace(block, page=0) for block in blocks]


@dataclass(slots=True)
class _Walk:
    code: bool
    layout: bool
    page: int = 1
    _notes: list[Sequence[_Node]] = field(default_factory=list)
    _marked: dict[str, str] = field(default_factory=dict)
    """Marks of notes in the last table, with the words that bear them."""
    _tables: int = 0
    """Open tables; notes follow the outermost."""
    _row: str = ""
    """The first cell of the row read."""

    def blocks(self, nodes: Iterable[_Node], quoted: str | None = None) -> Iterator[Block]:
        for node in nodes:
            for block in self._block(node["t"], node.get("c")):
                yield block if quoted is None else replace(block, quoted=quoted)

    def _block(self, kind: str, content: Any) -> Iterator[Block]:
        if kind in ("Para", "Plain"):
            yield from self._paragraph(content, 0)
        elif kind == "Header":
            yield from self._paragraph(content[2], content[0])
        elif kind == "BlockQuote":
            yield from self.blocks(content, "")
        elif kind == "BulletList":
            yield from map(_deeper, chain.from_iterable(map(self.blocks, content)))
        elif kind == "OrderedList":
            for at, item in enumerate(content[1]):
                yield from map(_deeper, self.blocks(_numbered(item, _number(content[0], at))))
        elif kind == "DefinitionList":
            for term, meanings in content:
                yield from self._meaning(term, meanings)
        elif kind == "Div":
            yield from self.blocks(one for one in content[1] if not self._repeats(one, content[0]))
        elif kind == "LineBlock":
            yield from self._paragraph([part for line in content for part in (*line, _BREAK)], 0)
        elif kind == "CodeBlock" and self.code:
            yield from self._texts(content[1], 0)
        elif kind == "Table":
            yield from self.blocks(content[1][1])
            yield from self._table(content)
            yield from self._written_notes()
        elif kind == "Blocks":  # of ours
            yield from content
        elif kind == "Figure":
            yield from self.blocks(content[2])
            yield from self.blocks(content[1][1])

    def _paragraph(self, nodes: Sequence[_Node], level: int) -> Iterator[Block]:
        yield from self._texts(self.text(nodes), level)
        yield from self._written_notes()

    def _written_notes(self) -> Iterator[Block]:
        while self._notes and not self._tables:
            yield from self.blocks(self._notes.pop(0))

    def _texts(self, text: str, level: int) -> Iterator[Block]:
        depth = text.count(ITEM)
        for piece in _pieces(text):
            piece = piece.replace(TAB, " ") if level else piece
            parts = [(clean(one), at) for at, one in enumerate(piece.split(PAGE_BREAK), self.page)]
            self.page = parts[-1][1]
            blank = len(parts) > 1 and not parts[0][0]
            (first, page), *more = parts[blank:]
            if first or any(text for text, _ in more):
                yield Block(first, page, level, more=tuple(more), depth=depth)

    def _repeats(self, node: _Node, around: Sequence[Any]) -> bool:
        """Whether a box's title only names its kind, such as "Note"."""
        if node["t"] != "Div" or node["c"][0][1] != ["title"]:
            return False
        return [one.text.lower() for one in self.blocks([node])] == [*around[1]]

    def _meaning(
        self, term: Sequence[_Node], meanings: Sequence[Sequence[_Node]]
    ) -> Iterator[Block]:
        name = self.text(term)
        explained = [list(self.blocks(meaning)) for meaning in meanings]
        if explained and all(one and is_short(one) for one in explained):
            yield from (replace(one, text=named(name, one.text)) for (one,) in explained)
        else:
            yield from (*self._texts(name, 0), *chain.from_iterable(explained))

    def text(self, nodes: Sequence[_Node], before: str = "") -> str:
        text = before
        for at, node in enumerate(nodes):
            kind: str = node["t"]
            content: Any = node.get("c")
            if kind == "Str":
                text += content
            elif kind in _SPACES:
                text += _SPACES[kind]
            elif kind == "Superscript":
                text += self._raised(text, content, nodes[at + 1 :], linked=False)
            elif kind == "Subscript":
                text += lowered(text, self.text(content))
            elif kind == "Math" and (formula := plain_formula(content[1])).startswith("^"):
                text += raised(text, formula[1:], _first(nodes[at + 1 :]))
            elif kind == "Link" and [part["t"] for part in content[1]] == ["Superscript"]:
                text += self._raised(text, content[1][0]["c"], nodes[at + 1 :], linked=True)
            else:
                text = self._nested(text, kind, content)
        return text

    def _raised(
        self, text: str, mark: Sequence[_Node], following: Sequence[_Node], *, linked: bool
    ) -> str:
        inner = [part for part in mark if part["t"] != "Note"]
        notes = [part for part in mark if part["t"] == "Note"]
        self.text(notes)  # which keeps what they say
        linked = linked or bool(notes) or any(part["t"] == "Link" for part in inner)
        shown = self.text(inner)
        text = RUN_MARK.sub("", text)
        return raised(text, shown, _first(following), linked=linked) or self._noted(text, shown)

    def _noted(self, text: str, mark: str) -> str:
        """The bearer of the note's mark in the table above."""
        text = text.strip(f"{ITEM} ")
        if self._tables and (name := self._bearer(text)):
            self._marked[mark] = name
        begins = not (self._tables or text.rpartition("\n")[2])
        return self._marked.get(mark, "") if begins else ""

    def _nested(self, text: str, kind: str, content: Any) -> str:
        if kind in _NESTED:
            return self.text(content, text)
        if kind in ("Span", "Link", "Cite"):
            state = _state(content) if kind == "Span" else ""
            return text + state if state else self.text(content[1], text)
        if kind == "Quoted":
            marks = _QUOTES[content[0]["t"]]
            return self.text(content[1], text + marks[0]) + marks[1]
        if kind == "Code":
            return text + str(content[1])
        if kind == "Math":
            formula = plain_formula(content[1])
            return text + formula.removeprefix("_" if text[-1:].isalpha() else "")
        if kind == "Note":
            self._notes.append(_numbered(content, self._bearer(text) if self._tables else ""))
        return text

    def _bearer(self, text: str) -> str:
        """What a table's note is about, with a colon: words, or a row and figure."""
        if (text := text.strip()) and not _is_name(text):
            text = f"{self._row} ({text})" if _is_name(self._row) else ""
        return f"{text}: " if text else ""

    def _cells(self, cells: Sequence[Any]) -> Iterator[Span]:
        self._row = ""
        for _, _, down, across, nodes in cells:
            cell = [*tabbed([*self.blocks(nodes)])]
            self._row = self._row or RUN_MARK.sub("", cell_text(cell)).strip()
            yield Span(down, across, cell)

    def _table(self, content: Sequence[Any]) -> Iterator[Block]:
        _, _, _, (_, head), bodies, (_, foot) = content
        page = self.page
        rows = [row for body in bodies for row in (*body[2], *body[3])]
        given = [*head, *(one for row in (*rows, *foot) for one in parted(row))]
        self._marked = self._marked if self._tables else {}
        notes: list[Sequence[Any]] = []
        while len(given) > 2 and len(given[-1][1]) == 1 < given[-1][1][0][3]:
            notes.insert(0, given.pop()[1][0][4])
        self._tables += 1
        held = [[*self._cells(cells)] for _, cells in given]
        self._tables -= 1
        held = held if self.layout else list(map(beside_others, held))
        marks = [mark == "th" or is_bold(cells) for mark, cells in given]
        count = rows_of_names(held, len(head), marks)
        heads = count if count > 1 else min(1, len(head))
        for spans in ([*map(alone_as_text, held)], held):  # as data, else as layout
            every = list(spread(spans, heads))
            plain = not self.layout and all(is_plain(cell) for row in every for cell in row)
            if data := plain or is_data(every):
                break
        if data:
            over = [len(cells) == 1 and cells[0].across > 1 for cells in held]
            looks = [*zip(marks, over, strict=True)]
            for cells, (named, wide) in named_rows(every, count, looks):
                first = next((block for cell in cells for block in cell), Block(page=page))
                at = first.page or page
                texts = tuple(map(cell_text, cells))
                yield Block(page=at, cells=texts, named=named, over=wide)
            yield TABLE_END
        else:
            yield from chain.from_iterable(map(laid_out, every))
        for note in notes:
            yield from self.blocks(note)


_BREAK: _Node = {"t": "LineBreak"}


def _deeper(block: Block) -> Block:
    return replace(block, depth=block.depth + 1)


def _pieces(text: str) -> list[str]:
    if "\n" not in text or PAGE_BREAK in text:
        return re.split(r"\n\s*\n", text)
    lines = [(line, 0) for line in text.split("\n")]
    width = max(_WIDTH, line_width(line for line, _ in lines))
    return ["\n".join(line for line, _ in one) for one in paragraphs(lines, width)]


def _number(given: Sequence[Any], at: int) -> str:
    first, style, around = given[0], given[1]["t"], given[2]["t"]
    if first == 1:
        return ""
    mark = numeral(first + at, style[:1].lower() + style[1:].replace("Alpha", "Letter"))
    return {"OneParen": f"{mark}) ", "TwoParens": f"({mark}) "}.get(around, f"{mark}. ")


def _is_name(text: str) -> bool:
    return text[:1].isalpha() and is_short([Block(text)])


def _state(span: Sequence[Any]) -> str:
    """Of an Org heading, whose own word for it is second class and text."""
    classes: Sequence[str] = span[0][1] if span[0] else ()
    is_state = len(classes) == 2 and span[1] == [{"t": "Str", "c": classes[1]}]
    if not is_state or classes[0] not in _STATES:
        return ""
    return f"{classes[1].capitalize().replace('Todo', 'To do')}: "  # "CANCELED" is no "DONE"


def _numbered(item: Sequence[_Node], number: str) -> Sequence[_Node]:
    if not number or not item or item[0]["t"] not in ("Para", "Plain"):
        return item
    return [{"t": "Plain", "c": [{"t": "Str", "c": number}, *item[0]["c"]]}, *item[1:]]


def _first(nodes: Iterable[_Node]) -> str:
    letters = takewhile(lambda node: node["t"] == "Str" or node["t"] in _SPACES, nodes)
    return "".join(node["c"] if node["t"] == "Str" else " " for node in islice(letters, 3))


def inline_text(nodes: Sequence[_Node]) -> str:
    """Without notes."""
    return clean(_Walk(code=False, layout=False).text(nodes))
