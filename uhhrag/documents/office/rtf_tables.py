"""Merged cells of RTF, unknown to pandoc: each row's extra cell tells the edges."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from uhhrag.documents.pandoc.program import nodes_in

_MARK = "\ufdd2"
"""No text has this character; a row's right edges follow."""
_NEAR = 40
"""Edges no farther apart, in twentieths of a point, are one."""
_EDGE = re.compile(r"(-?\d+)([vh]?)")
_TOLD = re.compile(rf"{_MARK}[-\d,vh]*")
CELL_END = "\ufdd6"
"""Likewise; ends a cell of a table within a cell."""
_LOOKS = {"Strong", "Emph", "Underline"}
_MERGED = {b"clvmrg": "v", b"clmrg": "h"}
"""Words before a cell that continues the one above or on its left."""

_SAID_AFTER = {b"trowd", b"intbl", b"cell", b"pard", b"plain"}
_OPENING = {b"trowd", b"intbl", b"cell"}
_FILLED = {b"trowd", b"cell", b"row"}
_NEXT, _FAR = re.compile(rb"\\(par|intbl|cell|row)(?![a-z])"), 4_000


class RowEdges:
    def __init__(self) -> None:
        self._edges: list[str] = []
        self._merged = ""
        self._open = self._begins = self._bare = self._apart = False
        self._rows = 0
        """Of the table right above, or of this."""

    def see(self, word: bytes, number: int | None) -> None:
        self._edges = [] if word == b"trowd" else self._edges
        self._merged = _MERGED.get(word, self._merged)
        if word == b"cellx":
            self._edges.append(f"{number or 0}{self._merged}")
            self._merged = ""
        self._begins = word in _OPENING and not self._open
        self._bare = word not in _FILLED and (self._bare or word == b"intbl")
        self._apart = word == b"par" and not self._open and self._rows > 1
        if word == b"row":
            self._rows += 1
        elif word == b"par":
            self.leave()
        self._open = word in _OPENING or (self._open and word != b"row")

    @property
    def inside(self) -> bool:
        return self._open

    def said_after(self, word: bytes) -> str:
        """RTF for "a row begins" and "this is in a table", which some programs omit; a paragraph
        between tables parted only by an empty one. Some programs write one after each row."""
        begins = r"\trowd " if self._begins and word != b"cell" else ""
        begins += rf"{_MARK}\par " if self._apart else ""
        return begins + r"\intbl " * (self._open and word in _SAID_AFTER)

    def shut(self, word: bytes | None, raw: bytes, at: int) -> None:
        """Closes a cell-less row if the paragraph that begins at `at` is outside, as LibreOffice
        writes a table in a page's head."""
        begins = self._bare and word == b"pard"
        follows = _NEXT.search(raw, at, at + _FAR) if begins else None
        if follows and follows[1] == b"par":
            self._open = self._bare = False

    def leave(self) -> None:
        """What follows is in a row with text, or not right below a table."""
        self._rows, self._bare = self._rows if self._open else 0, False

    def end(self) -> str:
        """RTF to end an open row, or ""."""
        was, self._open = self._open, False
        return r"\cell \row " if was else ""

    def cell(self) -> str:
        """RTF of the extra cell, "" without edges."""
        return f"{{{_MARK}{','.join(self._edges)}}}\\cell " if self._edges else ""


def with_spans(nodes: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Pandoc's blocks with spans as the rows say, and tables in cells."""
    nodes = _with_tables(nodes)
    for node in nodes:
        if node["t"] == "Table":
            rows = [row for body in node["c"][4] for row in (*body[2], *body[3])]
            _span(rows)
            for cell in (cell for _, cells in rows for cell in cells):
                cell[4] = _with_tables(cell[4])
    for part in nodes_in(nodes):  # of what pandoc takes for no row, and of gaps
        if _TOLD.fullmatch(_letters(part)):
            part |= {"t": "Str", "c": ""}
    return nodes


def _with_tables(nodes: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Paragraphs of several cells, by `CELL_END`, become rows; one alone sets words beside each
    other."""
    held = [(one, _cells(one["c"]) if one["t"] in ("Para", "Plain") else []) for one in nodes]
    made: list[dict[str, Any]] = []
    for several, run in groupby(held, lambda pair: len(pair[1]) > 1):
        rows = [*run]
        if several and len(rows) > 1:
            made.append(_table([cells for _, cells in rows]))
        else:
            made += [one | {"c": _beside(cells)} if cells else one for one, cells in rows]
    return made


def _beside(cells: Sequence[list[Any]]) -> list[Any]:
    return [node for cell in cells for node in (*cell, {"t": "Space"})]


def _cells(nodes: Sequence[Any]) -> list[list[Any]]:
    """Drops what follows the last cell end, if it has no letters."""
    cells = _parted(nodes)
    said = len(cells) < 2 or any(map(_letters, nodes_in(cells[-1])))
    return cells if said else cells[:-1]


def _parted(nodes: Sequence[Any]) -> list[list[Any]]:
    """Runs, parted where cells end, also within bold ones."""
    cells: list[list[Any]] = [[]]
    for node in nodes:
        parts = [[node]]
        if node["t"] in _LOOKS:
            parts = [[node | {"c": part}] for part in _parted(node["c"])]
        elif CELL_END in (text := _letters(node)):
            parts = [[node | {"t": "Str", "c": part}] for part in text.split(CELL_END)]
        cells[-1] += parts[0]
        cells += parts[1:]
    return cells


def _table(rows: Sequence[Sequence[list[Any]]]) -> dict[str, Any]:
    plain, no = {"t": "AlignDefault"}, ["", [], []]
    cells = [[no, [[no, plain, 1, 1, [{"t": "Plain", "c": c}]] for c in row]] for row in rows]
    columns = [[plain, {"t": "ColWidthDefault"}]] * max(map(len, rows))
    return {"t": "Table", "c": [no, [None, []], columns, [no, []], [[no, 0, [], cells]], [no, []]]}


def _letters(node: dict[str, Any]) -> str:
    """Of a leaf node; monospaced letters are code for pandoc."""
    kind = node.get("t")
    return str(node["c"] if kind == "Str" else node["c"][1] if kind == "Code" else "")


def _span(rows: Sequence[list[Any]]) -> None:
    edges = [_taken_out(row[1]) for row in rows]
    columns = _columns({int(edge) for row in edges for edge, _ in row})
    above: dict[int, list[Any]] = {}
    for row, known in zip(rows, edges, strict=True):
        held: dict[int, list[Any]] = {}
        shown: list[list[Any]] = []
        start = 0
        for cell, (edge, merged) in zip(row[1], known, strict=False):
            end = columns[int(edge)]
            if merged == "h" and shown:
                shown[-1][3] += end - start
            elif merged == "v" and start in above:
                held[start] = above[start]
                held[start][2] += 1
            else:
                cell[3] = max(1, end - start)
                shown.append(cell)
                held[start] = cell
            start = end
        row[1] = [*shown, *row[1][len(known) :]]
        above = held


def _taken_out(cells: list[Any]) -> list[tuple[str, str]]:
    for at, cell in enumerate(cells):
        text = "".join(map(_letters, nodes_in(cell[4])))
        if text.startswith(_MARK):
            del cells[at:]
            return _EDGE.findall(text)
    return []


def _columns(edges: Iterable[int]) -> dict[int, int]:
    """The column, from 1, that ends at each edge.

    >>> _columns([2000, 4000, 4015, 9000])
    {2000: 1, 4000: 2, 4015: 2, 9000: 3}
    """
    columns: dict[int, int] = {}
    number, last = 0, -_NEAR
    for edge in sorted(edges):
        if not number or edge - last > _NEAR:
            number, last = number + 1, edge
        columns[edge] = number
    return columns


def boxes_apart(boxes: list[str]) -> str:
    """Text boxes as paragraphs; empties the list."""
    held = re.sub(r"\\(?:trowd|intbl) ", "", "".join(boxes))
    boxes.clear()
    return f"\\par{{\\pard {held}\\par}}"
