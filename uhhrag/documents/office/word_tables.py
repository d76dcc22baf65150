"""Tables of Word, every row as wide as the table, for pandoc."""

from __future__ import annotations

from uhhrag.documents.office.shared import is_on, value_at
from uhhrag.documents.xml_trees import Element, kin, local, named, take_out, whole_number

_MOST_COLUMNS = 1_000


def even_out(table: Element) -> None:
    """Pad rows: pandoc drops cells that the grid lacks."""
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
    """The parts of a table or row, not those of inner tables."""
    parts = named(holder, name)
    return [one for one in parts if next(one.iterancestors(holder.tag), None) is holder]


def _number(element: Element, *path: str) -> int:
    return min(whole_number(value_at(element, *path)), _MOST_COLUMNS)
