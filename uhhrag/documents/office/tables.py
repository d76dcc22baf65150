"""Tables of Word and OpenDocument for pandoc: rows as wide as the table, none nested."""

from __future__ import annotations

from uhhrag.documents.office.shared import is_on, value_at
from uhhrag.documents.pandoc.tables import TAB
from uhhrag.documents.plain.text_tables import LEAST_ROWS
from uhhrag.documents.xml_trees import Element, kin, local, named, take_out, whole_number

_MOST_COLUMNS, _WIDEST = 1_000, 63
"""Of a table; of a cell, as Word makes them."""


def even_out(table: Element) -> None:
    """Pads Word rows: pandoc drops cells that the grid lacks."""
    cell, widths = kin(table, "tc"), {}
    for row in _own(table, "tr"):
        cells = _own(row, "tc")
        before = [row.makeelement(cell) for _ in range(_number(row, "trPr", "gridBefore"))]
        row[:0] = before
        widths[row] = len(before) + sum(max(1, _number(one, "tcPr", "gridSpan")) for one in cells)
    most = min(max(widths.values(), default=0), _MOST_COLUMNS)
    for row, width in widths.items():
        row.extend([row.makeelement(cell) for _ in range(width, most)])
    take_out(*table.findall("{*}tblGrid"))
    for mark in filter(is_on, named(table, "tblHeader")):
        _set_bold(mark.getparent().getparent())
    take_out(*named(table, "tblLook"))  # a first row in a look of its own may name nothing
    grid, wide = table.makeelement(kin(table, "tblGrid")), {kin(table, "w"): "1"}
    grid.extend([grid.makeelement(kin(table, "gridCol"), wide) for _ in range(most)])
    table.insert(0, grid)


def _set_bold(row: Element) -> None:
    for run in named(row, "r"):
        looks = next((one for one in run if local(one) == "rPr"), run.makeelement(kin(row, "rPr")))
        looks.append(row.makeelement(kin(row, "b")))
        run.insert(0, looks)


def _own(holder: Element, name: str) -> list[Element]:
    """Without parts of inner tables."""
    parts = named(holder, name)
    return [one for one in parts if next(one.iterancestors(holder.tag), None) is holder]


def _number(element: Element, *path: str) -> int:
    return min(whole_number(value_at(element, *path)), _WIDEST)


def move_out(table: Element) -> None:
    """Turns a nested table's rows into lines with tabs: in cells, pandoc reads only paragraphs and
    lists. One with few rows, or deeper, follows the outermost."""
    around, rows = list(table.iterancestors("{*}table")), [*named(table, "table-row")]
    take_out(*named(table, "section"), keep=True)
    for element in named(table, "h"):
        element.tag = kin(element, "p")
    lines = [*named(table, "p")] if len(around) == 1 and len(rows) >= LEAST_ROWS else []
    if not lines:
        if around:
            around[-1].addnext(table)
        return
    for row in rows:
        table.addprevious(line := table.makeelement(kin(lines[0], "p")))
        for part in [one for cell in row for one in (*cell, cell)]:
            part.tail = TAB if local(part).endswith("cell") else " "
            part.tag = kin(line, "span")
            line.append(part)
    take_out(table)


def fill_first_row(table: Element) -> None:
    """Pads OpenDocument's first row: pandoc reads no more cells of any row."""
    rows = list(named(table, "table-row"))
    columns = max((len(row) for row in rows), default=0)
    cells = [one for row in rows[:1] for one in row if local(one) == "table-cell"]
    for cell in cells[:1]:
        rows[0].extend([cell.makeelement(cell.tag) for _ in range(columns - len(cells))])
