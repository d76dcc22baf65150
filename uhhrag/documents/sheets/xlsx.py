"""XLSX and XLSM by openpyxl."""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from datetime import date
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from openpyxl import load_workbook
from openpyxl.styles.numbers import BUILTIN_FORMATS
from openpyxl.utils import range_boundaries
from openpyxl.worksheet._reader import FORMULA_TAG, VALUE_TAG, WorkSheetParser

from uhhrag.documents.archive import Package, opened, read_properties
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.marks import in_font, plain_runs
from uhhrag.documents.sheets.cell_format import shown, shown_text
from uhhrag.documents.sheets.workbook import (
    BOXES,
    MOST_COLUMNS,
    MergedCells,
    Sheet,
    sheet_documents,
)
from uhhrag.documents.xml_trees import named
from uhhrag.text.dates import written

_NOUN = "an Excel workbook"
_MOST_BYTES = 2**30
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_TRUE = ("1", "true")
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/")
_USUAL = rb"http://schemas.openxmlformats.org/\1/2006/"
"""Namespaces of "Strict Open XML", and as openpyxl knows them."""
_WHITE, _TINY = "rgb 0.0 FFFFFF", 1
_DRAWINGS = "xl/drawings/drawing"


def read_xlsx(path: Path) -> Iterator[Document | str]:
    with opened(path, _NOUN, ".xlsx", _MOST_BYTES) as packed:
        about = read_properties(packed, "docProps/core.xml")
        drawn = (packed.tree(name) for name in packed.namelist() if name.startswith(_DRAWINGS))
        boxes = any(text.text for root in drawn for text in named(root, "t"))
    yield from sheet_documents(xlsx_sheets(path), about)
    if boxes:
        yield BOXES


def xlsx_sheets(path: Path) -> Iterator[Sheet]:
    """Hidden ones are empty."""
    with opened(path, _NOUN, ".xlsx", _MOST_BYTES) as packed:
        strict = False
        for name in (one for one in packed.namelist() if one.endswith(".xml")):
            head = next(packed.chunks(name), b"")
            if b"<!DOCTYPE" in head:
                raise Unreadable("declares a document type; refused")
            strict = strict or bool(_STRICT.search(head))
        usual = _as_usual(packed) if strict else None
    try:
        with usual or path.open("rb") as stream, closing(_book(stream)) as book:
            yield from _sheets(book)
    except MemoryError:
        raise
    except Exception as error:
        raise Unreadable(f"is not {_NOUN}, or is damaged") from error


def _as_usual(packed: Package) -> BinaryIO:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as copy:
        for name in packed.namelist():
            copy.writestr(name, _STRICT.sub(_USUAL, b"".join(packed.chunks(name))))
    return made


def _book(stream: BinaryIO) -> Any:
    with warnings.catch_warnings(action="ignore"):
        return load_workbook(
            stream, read_only=True, data_only=True, keep_links=False, rich_text=True
        )


def _sheets(book: Any) -> Iterator[Sheet]:
    for part in book.worksheets:
        sheet = Sheet(str(part.title), hidden=part.sheet_state != "visible")
        if not sheet.hidden:
            with warnings.catch_warnings(action="ignore"):
                _fill(sheet, book, part)
        yield sheet


def _fill(sheet: Sheet, book: Any, part: Any) -> None:
    looks = _looks(book)
    from_1904 = book.epoch.year == 1904
    with part._get_source() as source:
        strings = part._shared_strings
        parser = _Parser(source, strings, data_only=True, epoch=book.epoch, rich_text=True)
        columns: set[int] = set()
        for number, cells in parser.parse():
            columns = columns or _hidden_columns(parser.column_dimensions)
            row = parser.row_dimensions.pop(str(number), {})
            texts = {
                cell["column"] - 1: text
                for cell in cells
                if cell["column"] <= MOST_COLUMNS
                and (text := _text(cell, looks, from_1904=from_1904))
            }
            sheet.add(number, texts, columns, hidden=row.get("hidden") in _TRUE)
            if sheet.is_full():
                break
        sheet.not_computed = parser.not_computed
        sheet.merged = tuple(_merged(parser.merged_cells))


class _Look(NamedTuple):
    code: str = "General"
    font: Any = None
    indent: str = ""
    unseen: bool = False
    """In the colour behind its letters, or one point high."""


class _Parser(WorkSheetParser):  # type: ignore[misc]
    """Counts formulas without value."""

    not_computed = 0

    def parse_cell(self, element: Any) -> Any:
        bare = not element.findtext(VALUE_TAG) and element.get("t") != "str"
        self.not_computed += bare and element.find(FORMULA_TAG) is not None
        return super().parse_cell(element)


def _hidden_columns(dimensions: Mapping[str, Mapping[str, str]]) -> set[int]:
    hidden = [one for one in dimensions.values() if one.get("hidden") in _TRUE]
    ranges = [range(int(one["min"]) - 1, min(int(one["max"]), MOST_COLUMNS)) for one in hidden]
    return {*chain(*ranges)}


def _merged(found: Any) -> Iterator[MergedCells]:
    for cell in found.mergeCell if found else ():
        with suppress(ValueError, TypeError):
            left, top, right, bottom = range_boundaries(cell.ref)
            yield MergedCells(top, bottom, left - 1, right - 1)


def _looks(book: Any) -> list[_Look]:
    own = list(book._number_formats)
    plain = not book._differential_styles.styles  # looks by condition, or of a table
    looks = []
    for style in book._cell_styles:
        number = style.numFmtId
        east_asian = 27 <= number <= 36 or 50 <= number <= 58  # all of them dates
        built_in = BUILTIN_FORMATS.get(number, "yyyy-mm-dd" if east_asian else "General")
        code = own[number - 164] if 0 <= number - 164 < len(own) else built_in
        place = book._alignments[style.alignmentId]
        indent = "" if place.horizontal == "right" else " " * int(2 * place.indent)
        font, fill = book._fonts[style.fontId], book._fills[style.fillId]
        looks.append(_Look(code, font, indent, plain and _is_unseen(font, fill)))
    return looks


def _is_unseen(font: Any, fill: Any) -> bool:
    kind = getattr(fill, "fill_type", "gradient")
    behind = _shade(fill.fgColor) if kind == "solid" else _WHITE * (kind in (None, "none"))
    return _shade(font.color) == behind or (font.sz or _TINY + 1) <= _TINY


def _shade(color: Any) -> str | None:
    """Without alpha, which Excel ignores."""
    if color is None or (color.type, color.value, color.tint) == ("theme", 0, 0):
        return color and _WHITE
    return f"{color.type} {color.tint} {str(color.value)[-6:]}"


def _text(cell: Mapping[str, Any], looks: Sequence[_Look], *, from_1904: bool) -> str:
    value, style = cell["value"], cell["style_id"]
    code, font, indent, unseen = looks[style] if 0 <= style < len(looks) else _Look()
    if value is None or cell["data_type"] == "e" or unseen or (font is not None and font.strike):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return shown(value, code, from_1904=from_1904)
    if isinstance(value, date):
        return written(value.isoformat()[:10])
    runs = value if isinstance(value, list) else [value]
    texts = ((str(run), getattr(run, "font", None)) for run in runs)
    fonts = ((text, look, look.rFont if look else font and font.name) for text, look in texts)
    text = plain_runs([(in_font(text, name or ""), _how(look)) for text, look, name in fonts])
    text = shown_text(_ESCAPED.sub(lambda match: chr(int(match[1], 16)), text), code)
    return text and indent + text


def _how(font: Any) -> str:
    """As in `plain_runs`."""
    return "struck" if font is not None and font.strike else getattr(font, "vertAlign", None) or ""
