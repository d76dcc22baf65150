"""Tables of pandoc's JSON and of tab stops: spans, column names, layout."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, zip_longest
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from uhhrag.documents.blocks import TABLE_END, Block
from uhhrag.documents.document import HEADING_SEPARATOR
from uhhrag.documents.plain.text_tables import LEAST_ROWS, cells_of
from uhhrag.documents.segmentation import MARK, RUN_MARK, clean
from uhhrag.documents.tables.headings import joined_names
from uhhrag.documents.tables.values import LONG_CELL, are_classes, is_figure

Cell = list[Block]
_Look = TypeVar("_Look")
_MOST_HEADS, _WIDEST = 6, 1_000
_BREAK = {"t": "LineBreak"}
TAB = "\ufdd1"
"""Not in any text; what follows is at the next tab stop."""


class Span(NamedTuple):
    down: int
    """Rows that it spans."""
    across: int
    """Columns that it spans."""
    cell: Cell


def beside_others(row: Sequence[Span]) -> list[Span]:
    """A lone heading beside other cells becomes text."""
    return _as_text(row) if sum(bool(one.cell) for one in row) > 1 else list(row)


def alone_as_text(row: Sequence[Span]) -> list[Span]:
    """A row's only block, such as a group's heading, becomes text."""
    return _as_text(row) if sum(len(one.cell) for one in row) == 1 else list(row)


def _as_text(row: Sequence[Span]) -> list[Span]:
    return [
        one._replace(cell=[replace(one.cell[0], level=0)]) if len(one.cell) == 1 else one
        for one in row
    ]


def spread(rows: Iterable[Sequence[Span]], heads: int) -> Iterator[list[Cell]]:
    """Cells by column. Those that span rows are in each, those that span columns in the first,
    names (the first `heads` rows) in all."""
    spanning: dict[int, tuple[int, Cell]] = {}
    for number, cells in enumerate(rows):
        row: list[Cell] = []
        given = iter(cells)
        while True:
            left, above = spanning.pop(len(row), (0, []))
            if left:
                if left > 1:
                    spanning[len(row)] = left - 1, above
                row.append(above)
                continue
            span = next(given, None)
            if span is None:
                break
            for at in range(max(1, min(span.across, _WIDEST - len(row)))):
                several = sum(bool(one.cell) for one in cells) > 1 or not cells[0].cell
                names = number < heads and several
                shown = span.cell if names or at == 0 else []
                if span.down > 1:
                    spanning[len(row)] = span.down - 1, shown
                row.append(shown)
        yield row


def rows_of_names(rows: Sequence[Sequence[Span]], heads: int, named: Sequence[bool]) -> int:
    """The first `heads` rows, and rows without figures below names that span (below a `named` row,
    only `named` ones)."""
    count = heads or 1
    for at, cells in enumerate(rows[:_MOST_HEADS]):
        if at >= count:
            break
        wide = len(cells) > 1 and at == count - 1 and any(one.across > 1 for one in cells)
        wide = wide and (any(named[at + 1 : at + 2]) or not any(named[at : at + 1]))
        count = max(count + wide, *(at + one.down for one in cells), 0)
    texts = [RUN_MARK.sub("", cell_text(one.cell)) for row in rows[heads:count] for one in row]
    figures = [*filter(is_figure, texts)]
    words = not figures or (len(figures) > 1 and are_classes(figures))
    return count if count < len(rows) and words else heads


def parted(row: Sequence[Any]) -> list[Sequence[Any]]:
    """If a row's cells have equally many lines, some of them figures, a row per line."""
    mark, cells = row
    lines = [_lines(nodes) for *_, nodes in cells]
    filled = [one for one in lines if one]
    whole = all(down == across == 1 for _, _, down, across, _ in cells)
    counts = {*map(len, filled)}
    if not whole or len(filled) < 2 or len(counts) != 1 or counts == {1}:
        return [row]
    texts = [["".join(map(_word, line)).strip() for line in one] for one in filled]
    figures = any(all(map(is_figure, one)) for one in texts)
    if not figures or any(map(is_figure, texts[0])) or len({*texts[0]}) < len(texts[0]):
        return [row]
    (count,) = counts
    shown = [one or [[]] * count for one in lines]
    rows = (zip(cells, one, strict=True) for one in zip(*shown, strict=True))
    return [
        [mark, [[*cell[:4], [{"t": "Plain", "c": line}]] for cell, line in one]] for one in rows
    ]


def _lines(nodes: Sequence[Any]) -> list[list[Any]]:
    """Of a cell with nothing but lines, else one."""
    if any(node["t"] not in ("Para", "Plain") for node in nodes):
        return [[]]
    breaks = ((part, part["t"] == "LineBreak") for node in nodes for part in (*node["c"], _BREAK))
    runs = (list(run) for ends, run in groupby(breaks, key=itemgetter(1)) if not ends)
    return [[part for part, _ in run] for run in runs]


def _word(node: Any) -> str:
    within = node["c"] if node["t"] in ("Strong", "Emph", "Underline") else ()
    return str(node["c"]) if node["t"] == "Str" else "".join(map(_word, within))


def is_bold(cells: Sequence[Any]) -> bool:
    nodes = [node for *_, held in cells for node in held]
    lines = all(node["t"] in ("Para", "Plain") for node in nodes)
    return lines and {part["t"] for node in nodes for part in node["c"]} == {"Strong"}


def named_rows(
    rows: Sequence[list[Cell]], heads: int, looks: Sequence[_Look]
) -> Iterator[tuple[list[Cell], _Look]]:
    """Rows with looks; the first `heads`, if several, become one."""
    names = rows[:heads]
    below = len(names) if len(names) > 1 and is_data(names) else 0
    texts = (dict(enumerate(map(cell_text, row))) for row in rows[:below])
    joint = joined_names(*texts, between=HEADING_SEPARATOR).values()
    shown = [[[Block(one)] for one in joint], *rows[below:]] if below else rows
    return zip(shown, looks[max(0, below - 1) :], strict=True)


def is_data(rows: Sequence[Sequence[Cell]]) -> bool:
    several = [sum(map(bool, row)) > 1 for row in rows]
    return sum(several) > 1 and all(is_short(cell) for row in rows for cell in row)


def is_short(cell: Sequence[Block]) -> bool:
    """Longer cells make a table layout."""
    return len(cell) < 2 and is_plain(cell) and len(cell_text(cell)) <= LONG_CELL


def is_plain(cell: Sequence[Block]) -> bool:
    return not any(block.level or block.cells for block in cell)


def cell_text(cell: Sequence[Block]) -> str:
    """A comma ends an item above another, unless a sign does."""
    text = ""
    for block, below in zip_longest(cell, cell[1:]):
        parts = (text, block.text, *(part for part, _ in block.more))
        text = " ".join(filter(None, parts))
        listed = below and block.depth and below.depth
        text += "," if listed and text[-1:].isalnum() else ""
    return text


def laid_out(cells: Sequence[Cell]) -> Iterator[Block]:
    """Short cells share a line; else each stands alone."""
    if all(map(is_short, cells)) and sum(map(bool, cells)) > 1:
        first, *others = filter(None, map(cell_text, cells))
        listed = re.fullmatch(MARK, RUN_MARK.sub("", first))
        item = listed and len(others) == 1 and RUN_MARK.sub("", others[0])[:1].isalpha()
        yield Block((" " if item else " | ").join((first, *others)))
        return
    named = [cell for cell in cells if cell and is_short(cell) and not cell[0].level]
    if len(named) > 1 and any(block.cells for cell in cells for block in cell):
        yield Block(" | ".join(map(cell_text, named)))  # what a table within is about
        cells = [cell for cell in cells if cell not in named]
    yield from (block for cell in cells for block in cell)


def tabbed(blocks: Sequence[Block]) -> Iterator[Block]:
    """Lines with the same tab stops become table rows."""
    rows: list[tuple[str, ...]] = [()]  # from the last
    for block in reversed(blocks):
        line = block.text.strip(TAB).replace(TAB, "\t")
        cells = tuple(cells_of(line)) if TAB in block.text and not block.more else ()
        corner = block.text.startswith(TAB) and 1 < len(cells) == len(rows[-1]) - 1
        rows.append(("", *cells) if corner else cells)
    pairs = zip(blocks, rows[:0:-1], strict=True)
    for count, run in groupby(pairs, key=lambda pair: len(pair[1])):
        held = list(run)
        if count > 1 and len(held) >= LEAST_ROWS:
            yield from (Block(page=one.page, cells=cells) for one, cells in held)
            yield TABLE_END
        else:
            yield from (_untabbed(one) for one, _ in held)


def _untabbed(block: Block) -> Block:
    parts = [(block.text, block.page), *block.more]
    if not any(TAB in text for text, _ in parts):
        return block
    first, *more = ((clean(text.replace(TAB, " ")), page) for text, page in parts)
    return replace(block, text=first[0], more=tuple(more))
