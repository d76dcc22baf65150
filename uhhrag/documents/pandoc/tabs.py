"""Lines of one layout of tab stops → rows of a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from uhhrag.documents.blocks import TABLE_END, Block
from uhhrag.documents.plain.text_tables import LEAST_ROWS, cells_of
from uhhrag.documents.segmentation import clean

TAB = "\ufdd1"
"""Not in any text; what follows is at the next tab stop."""


def tabbed(blocks: Sequence[Block]) -> Iterator[Block]:
    rows: list[tuple[str, ...]] = [()]  # from the last
    for block in reversed(blocks):
        cells = _tab_cells(block)
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


def _tab_cells(block: Block) -> tuple[str, ...]:
    line = block.text.strip(TAB).replace(TAB, "\t")
    return tuple(cells_of(line)) if TAB in block.text and not block.more else ()


def _untabbed(block: Block) -> Block:
    parts = [(block.text, block.page), *block.more]
    if not any(TAB in text for text, _ in parts):
        return block
    first, *more = ((clean(text.replace(TAB, " ")), page) for text, page in parts)
    return replace(block, text=first[0], more=tuple(more))
