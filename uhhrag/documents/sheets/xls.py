"""XLS (Excel up to 2003) by xlrd."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import xlrd

from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.first_bytes import reader_by_content
from uhhrag.documents.marks import plain_runs
from uhhrag.documents.sheets.cell_format import shown, shown_text
from uhhrag.documents.sheets.workbook import MergedCells, Sheet, sheet_documents

_DAMAGED = "is not an Excel workbook, or is damaged"
_RIGHT, _WHITE = 3, (1, 9)


def read_xls(path: Path) -> Iterator[Document | str]:
    """A workbook, or what the file really is."""
    reader = reader_by_content(path, "table")
    yield from reader(path) if reader else sheet_documents(xls_sheets(path), {})


def xls_sheets(path: Path) -> Iterator[Sheet]:
    """Hidden ones are empty."""
    with io.StringIO() as silent:
        try:
            book = xlrd.open_workbook(path, formatting_info=True, on_demand=True, logfile=silent)
            for number in range(book.nsheets):
                yield _sheet(book, book.sheet_by_index(number))
                book.unload_sheet(number)
        except MemoryError:
            raise
        except Exception as error:
            locked = "encrypted" in str(error).lower()
            why = "is encrypted; save a copy without password" if locked else _DAMAGED
            raise Unreadable(why) from error


def _sheet(book: Any, part: Any) -> Sheet:
    sheet = Sheet(part.name, hidden=part.visibility != 0)
    if sheet.hidden:
        return sheet
    hidden = {column for column, look in part.colinfo_map.items() if look.hidden}
    for number in range(part.nrows):
        texts = {
            at: text
            for at in range(part.row_len(number))
            if (text := _text(book, part, number, at))
        }
        look = part.rowinfo_map.get(number)
        sheet.add(number + 1, texts, hidden, hidden=look is not None and bool(look.hidden))
        if sheet.is_full():
            break
    sheet.merged = tuple(
        MergedCells(top + 1, bottom, left, right - 1)
        for top, bottom, left, right in part.merged_cells
    )
    return sheet


def _text(book: Any, part: Any, row: int, column: int) -> str:
    cell = part.cell(row, column)
    font = book.xf_list[cell.xf_index].font_index
    colour, fill = book.font_list[font].colour_index, book.xf_list[cell.xf_index].background
    behind = fill.pattern_colour_index if fill.fill_pattern else _WHITE[0]
    unseen = fill.fill_pattern < 2 and (colour == behind or {colour, behind} == {*_WHITE})
    if book.font_list[font].struck_out or unseen or cell.ctype == xlrd.XL_CELL_ERROR:
        return ""
    known = book.format_map.get(book.xf_list[cell.xf_index].format_key)
    code = known.format_str if known else "General"
    if cell.ctype in (xlrd.XL_CELL_NUMBER, xlrd.XL_CELL_DATE):
        return shown(cell.value, code, from_1904=bool(book.datemode))
    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return "yes" if cell.value else "no"
    text = str(cell.value)
    place = book.xf_list[cell.xf_index].alignment
    indent = "  " * place.indent_level if place.hor_align != _RIGHT else ""
    runs = [(0, font), *part.rich_text_runlist_map.get((row, column), ()), (len(text), font)]
    pieces = [
        (text[start:end], _how(book.font_list[number]))
        for (start, number), (end, _) in pairwise(runs)
    ]
    shown_as = shown_text(plain_runs(pieces), code)
    return shown_as and indent + shown_as


def _how(font: Any) -> str:
    """As in `plain_runs`."""
    return "struck" if font.struck_out else ("", "superscript", "subscript")[font.escapement]
