from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from uhhrag.documents.archive import opened, read_properties
from uhhrag.documents.document import Document
from uhhrag.documents.marks import in_font, plain_runs
from uhhrag.documents.sheets.cell_format import plain
from uhhrag.documents.sheets.workbook import MOST_COLUMNS, MergedCells, Sheet, sheet_documents
from uhhrag.documents.xml_trees import Element, attribute, count, ended, is_struck, local, named
from uhhrag.text.dates import iso_date, written

_NOUN = "an OpenDocument spreadsheet"
_MOST_BYTES = 2**30
_TIME = re.compile(r"\d{1,2}:\d\d(?::\d\d)?(?:\s?[AP]M\b)?", re.IGNORECASE)
_ERRORS = ("#N/A", "#REF!", "#DIV/0!", "#VALUE!", "#NAME?", "#NUM!", "#NULL!", "Err:")
_LENGTH = re.compile(r"(\d{1,3}(?:\.\d{1,9})?)(in|cm|mm|pt)")
_POINTS = {"in": 72, "cm": 28.35, "mm": 2.835, "pt": 1}
_VALUES = ("string-value", "date-value", "value")
_HIDDEN = ("collapse", "filter")
_STYLES = ("style", "number-style", "currency-style", "percentage-style")
_BOXES = ("text-box", "custom-shape", "rect", "ellipse", "caption")
_SPACES, _ASIDE = ("s", "tab", "line-break"), ("", "annotation", "frame")


def read_ods(path: Path) -> Iterator[Document | str]:
    with opened(path, _NOUN, ".ods", _MOST_BYTES) as packed:
        about = read_properties(packed, "meta.xml")
    yield from sheet_documents(ods_sheets(path), about)


def ods_sheets(path: Path) -> Iterator[Sheet]:
    looks: dict[str, _Look] = {}
    hidden: set[str] = set()
    with opened(path, _NOUN, ".ods", _MOST_BYTES) as packed:
        table = _Table(looks)
        kinds = (*_STYLES, *_BOXES, "table-column", "table-row", "table")
        names = [*filter(packed.__contains__, ("styles.xml",)), "content.xml"]
        for element in chain(*(ended(packed.chunks(name), _NOUN, *kinds) for name in names)):
            kind = local(element)
            if kind in _STYLES:
                above = looks.get(attribute(element, "parent-style-name"), _Look())
                looks |= {attribute(element, "name"): _look(element, above)}
                shown = [attribute(one, "display") for one in named(element, "table-properties")]
                hidden |= {attribute(element, "name")} if "false" in shown else set()
            elif kind in _BOXES:
                table.sheet.boxes |= any("".join(one.itertext()).strip() for one in element)
            elif kind == "table-column":
                table.add_column(element)
            elif kind == "table-row":
                table.add_row(element)
                element.clear()
            else:
                table.sheet.name = attribute(element, "name")
                table.sheet.hidden = attribute(element, "style-name") in hidden
                yield table.sheet
                table = _Table(looks)


class _Look(NamedTuple):
    how: str = ""
    """How text is set, as in `plain_runs`."""
    font: str = ""
    number: str = ""
    """The name of a number's style."""
    red: bool = False
    indent: str = ""
    color: str = ""
    """"" if it depends on conditions."""
    fill: str = ""


@dataclass(slots=True)
class _Table:
    looks: Mapping[str, _Look]
    sheet: Sheet = field(default_factory=lambda: Sheet(""))
    hidden: set[int] = field(default_factory=set)
    columns: int = 0
    rows: int = 0

    def add_column(self, column: Element) -> None:
        times = count(column, "number-columns-repeated")
        if attribute(column, "visibility") in _HIDDEN:
            self.hidden |= set(range(self.columns, self.columns + times))
        self.columns += times

    def add_row(self, row: Element) -> None:
        repeated = count(row, "number-rows-repeated")
        cells = self._cells(row)
        for number in range(self.rows + 1, self.rows + 1 + (repeated if cells else 0)):
            if self.sheet.is_full():
                break
            unseen = attribute(row, "visibility") in _HIDDEN
            self.sheet.add(number, cells, self.hidden, hidden=unseen)
        self.rows += repeated

    def _cells(self, row: Element) -> dict[int, str]:
        cells: dict[int, str] = {}
        column = 0
        for cell in row:
            times = count(cell, "number-columns-repeated")
            text = self._text(cell)
            if text.strip() and not text.startswith(_ERRORS):
                cells |= dict.fromkeys(range(column, min(column + times, MOST_COLUMNS)), text)
            wide, high = (count(cell, f"number-{name}-spanned") for name in ("columns", "rows"))
            if (wide > 1 or high > 1) and len(self.sheet.merged) < 1_000:
                top = self.rows + 1
                merged = MergedCells(top, top + high - 1, column, column + wide - 1)
                self.sheet.merged = (*self.sheet.merged, merged)
            column += times
        return cells

    def _text(self, cell: Element) -> str:
        lines = [one for one in cell if local(one) == "p"]
        look = self.looks.get(attribute(cell, "style-name"), _Look())
        runs = [run for line in lines for run in ((" ", ""), *self._runs(line, "", look.font))]
        text = plain_runs(runs[1:]) if lines else _bare(cell)
        if attribute(cell, "formula") and not (lines or text):
            self.sheet.not_computed += 1
        behind = look.fill if look.fill.startswith("#") else "#ffffff"
        if look.how == "struck" or look.color == behind:
            return ""
        red = look.number in self.looks and self.looks[look.number].red
        if red and attribute(cell, "value").startswith("-") and not re.search("[-−(]", text):
            return f"-{text}"
        if truth := attribute(cell, "boolean-value"):
            return "yes" if truth == "true" else "no"
        day = iso_date(attribute(cell, "date-value")[:10])
        return _written_out(text, day) if day else text and look.indent + text

    def _runs(self, element: Element, how: str, font: str) -> Iterator[tuple[str, str]]:
        look = self.looks.get(attribute(element, "style-name"), _Look())
        how, font = look.how or how, look.font or font
        yield in_font(element.text or "", font), how
        for one in element:
            if local(one) in _SPACES:
                yield " " * count(one, "c", 64), ""
            elif local(one) not in _ASIDE:
                yield from self._runs(one, how, font)
            yield in_font(one.tail or "", font), how


def _bare(cell: Element) -> str:
    value = next(filter(None, (attribute(cell, name) for name in _VALUES)), "")
    if attribute(cell, "value-type") == "date":
        return value[:10]
    if attribute(cell, "value-type") == "percentage" and value.isascii():
        with suppress(ValueError, OverflowError):
            return f"{plain(float(value) * 100)}%"
    return f"{value} {attribute(cell, 'currency')}".strip()


def _written_out(shown: str, iso: str) -> str:
    """Spells out dates; the rest, such as a year, stays."""
    parts = re.findall(r"\d{1,4}|[^\W\d]+", _TIME.sub("", shown))
    figures = {int(part) for part in parts if part.isdecimal()}
    year, month, day = map(int, iso.split("-")) if len(iso) == 10 else (-1, -1, -1)
    years = {year, year % 100}
    of_name = {year % 100 if "".join(parts[1:]).isdecimal() else -1}  # "May-24"
    if len(parts) > 2 and day in figures and years & figures:
        made = written(iso)
    elif len(parts) == 2 and figures == {day, month}:
        made = written(iso).rpartition(" ")[0]
    elif len(parts) == 2 and figures in (of_name, *({month, one} for one in years)):
        made = written(iso[:7])
    else:
        return shown
    time = _TIME.search(shown)
    return f"{made} {time[0]}" if time else made


def _look(style: Element, above: _Look) -> _Look:
    look = next(named(style, "text-properties"), style)
    font = attribute(look, "font-name") or above.font
    number = attribute(style, "data-style-name") or above.number
    red = attribute(look, "color").lower() == "#ff0000"
    says = any("line-through" in key or "text-position" in key for key in look.attrib)
    how = _how(look) if says else above.how
    behind = next(named(style, "table-cell-properties"), style)
    mapped = any(local(one) == "map" for one in style)
    color = "" if mapped else attribute(look, "color").lower() or above.color
    fill = attribute(behind, "background-color").lower() or above.fill
    return _Look(how, font, number, red, _indent(style) or above.indent, color, fill)


def _indent(style: Element) -> str:
    """Two spaces per level of 10 points."""
    look = next(named(style, "paragraph-properties"), style)
    margin = _LENGTH.fullmatch(attribute(look, "margin-left"))
    if margin is None or attribute(look, "text-align") == "end":
        return ""
    return "  " * round(float(margin[1]) * _POINTS[margin[2]] / 10)


def _how(look: Element) -> str:
    if is_struck(look):
        return "struck"
    place = attribute(look, "text-position").partition(" ")[0]
    small = "superscript" if place == "super" or place.rstrip("%").isdecimal() else "subscript"
    return "" if place in ("", "0%") else small
