"""Visible cells of any workbook."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import NamedTuple

from uhhrag.documents.document import Document
from uhhrag.documents.segmentation import clean
from uhhrag.documents.tables.rows import MOST_ROWS, require_some, table_document
from uhhrag.documents.tables.values import Row, day_speller
from uhhrag.system.terminal import first_of, quantity

MOST_COLUMNS = 16_384
_LONGEST_NAME = 60
_HEADING_ROWS, _LONG = 30, 200
BOXES = "has text boxes that are not read; put their text into cells"


class MergedCells(NamedTuple):
    """Ends included: rows as numbered, columns from 0."""

    top: int
    bottom: int
    left: int
    right: int


@dataclass(slots=True)
class Sheet:
    name: str
    rows: list[tuple[int, dict[int, str]]] = field(default_factory=list)
    """Row numbers, cells by column; nothing hidden or blank."""
    merged: tuple[MergedCells, ...] = ()
    hidden: bool = False
    hidden_rows: int = 0
    hidden_columns: set[int] = field(default_factory=set)
    """Those with cells."""
    not_computed: int = 0
    """Formulas without a value."""
    boxes: bool = False
    """Whether text boxes have text."""

    def add(self, number: int, cells: Mapping[int, str], unseen: Set[int], *, hidden: bool) -> None:
        """`unseen` columns are left out; a `hidden` row is only counted."""
        if hidden:
            self.hidden_rows += bool(cells)
            return
        self.hidden_columns |= unseen & cells.keys()
        self.rows.append((number, {at: text for at, text in cells.items() if at not in unseen}))

    def is_full(self) -> bool:
        return len(self.rows) > MOST_ROWS


def sheet_documents(sheets: Iterable[Sheet], about: Mapping[str, str]) -> Iterator[Document | str]:
    yield from require_some(_documents(sheets, about))


def _documents(sheets: Iterable[Sheet], about: Mapping[str, str]) -> Iterator[Document | str]:
    hidden: list[str] = []
    not_computed, boxes = 0, False
    for sheet in sheets:
        not_computed += sheet.not_computed
        name = clean(sheet.name)[:_LONGEST_NAME]
        hidden += hidden_in(sheet)
        if sheet.hidden:
            continue
        boxes |= sheet.boxes
        told = {**about, "key": name, "title": about.get("title") or name}
        spelt = day_speller(text for _, row in sheet.rows for text in row.values())
        cells = [(n, {at: spelt(text) for at, text in row.items()}) for n, row in sheet.rows]
        rows = spread(cells, sheet.merged)
        yield from table_document(rows, f"sheet {name}, row", _over(rows, sheet.merged), **told)
    if not_computed:
        some = "cells have formulas" if not_computed > 1 else "cell has a formula"
        yield f"{not_computed} {some} that no program has computed; open the file and save it"
    if boxes:
        yield BOXES
    if hidden:
        yield f"hidden and not read: {first_of(hidden)}; unhide what is to be read"


def hidden_in(sheet: Sheet) -> list[str]:
    name = f"sheet {clean(sheet.name)[:_LONGEST_NAME]}"
    counts = ((sheet.hidden_rows, "row"), (len(sheet.hidden_columns), "column"))
    parts = [f"{quantity(count, of)} of {name}" for count, of in counts if count]
    return [name] if sheet.hidden else parts


def _over(rows: Sequence[tuple[int, Row]], merged: Sequence[MergedCells]) -> set[int]:
    """Rows with one cell, over all columns."""
    columns = {at for _, row in rows for at in row}
    first, last = min(columns, default=0), max(columns, default=0)
    wide = (one for one in merged if one.left <= first < last <= one.right)
    alone = {number for number, row in rows if len(row) == 1}
    return {one.top for one in wide if one.top == one.bottom} & alone


def spread(
    rows: Sequence[tuple[int, dict[int, str]]], merged: Sequence[MergedCells]
) -> list[tuple[int, Row]]:
    """Merged cells are in all their rows and, near the top if not alone, in all their columns."""
    numbered = dict(rows)
    first = [number for number, _ in rows[:_HEADING_ROWS]]
    for one in merged[:MOST_ROWS]:
        text = numbered.get(one.top, {}).get(one.left, "")
        columns = range(one.left, one.right + 1)
        near = bool(first) and one.top <= first[-1] and len(columns) <= _LONG
        wide = near and any(at not in columns for at in numbered.get(one.top, {}))
        short = len(text) <= _LONG
        shown = dict.fromkeys(columns if wide and short else (one.left,), text)
        for number in range(one.top, min(one.bottom, one.top + MOST_ROWS) + 1):
            if number in numbered:
                cells = {at: t for at, t in numbered[number].items() if at not in columns}
                held = text and (short or number == one.top)
                numbered[number] = {**cells, **shown} if held else cells
    return [(number, dict(sorted(cells.items()))) for number, cells in numbered.items()]
