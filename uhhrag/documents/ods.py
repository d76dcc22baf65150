"""ODS: each sheet a document of what its cells show, each row a sentence with its number.

Left out: comments, charts, text boxes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from uhhrag.documents.archive import chunks, opened
from uhhrag.documents.cell_format import plain
from uhhrag.documents.document import Document
from uhhrag.documents.marks import plain_runs
from uhhrag.documents.properties import read_properties
from uhhrag.documents.sheets import (
    MOST_COLUMNS,
    About,
    MergedCells,
    Sheet,
    sheet_documents,
)
from uhhrag.documents.xml_events import parse
from uhhrag.text.dates import OF_FILE, iso_date, written

_WHAT = "an OpenDocument spreadsheet"
_MOST_BYTES = 2**30
_TIME = re.compile(r"\d{1,2}:\d\d(?::\d\d)?(?:\s?[AP]M\b)?", re.IGNORECASE)
_ERRORS = ("#N/A", "#REF!", "#DIV/0!", "#VALUE!", "#NAME?", "#NUM!", "#NULL!", "Err:")
_VALUES = ("string-value", "date-value", "boolean-value", "value")
_HIDDEN = ("collapse", "filter")
_ASIDE = {"annotation", "shapes", "tracked-changes"}
_ASIDE |= {"frame", "g", "custom-shape", "rect", "ellipse", "caption"}


def read_ods(path: Path) -> Iterator[Document | str]:
    """The documents of visible sheets. Raises Unreadable."""
    with opened(path, _WHAT, ".ods", _MOST_BYTES) as packed:
        about = read_properties(packed, "meta.xml", _WHAT)
    said = About(about.title, about.author, about.date, OF_FILE)
    yield from sheet_documents(ods_sheets(path), said)


def ods_sheets(path: Path) -> list[Sheet]:
    """The sheets of a spreadsheet. Raises Unreadable."""
    handler = _Content()
    with opened(path, _WHAT, ".ods", _MOST_BYTES) as packed:
        parse(chunks(packed, "content.xml", _WHAT), handler, _WHAT)
    return handler.sheets


@dataclass(slots=True)
class _Content:
    sheets: list[Sheet] = field(default_factory=list)
    _hidden_styles: set[str] = field(default_factory=set)
    _hidden_columns: set[int] = field(default_factory=set)
    _style: str = ""
    _columns: int = 0
    _number: int = 0
    _repeated: int = 1
    _row_hidden: bool = False
    _cells: dict[int, str] = field(default_factory=dict)
    _column: int = 0
    _cell: Mapping[str, str] = field(default_factory=dict)
    _text: list[tuple[str, str]] = field(default_factory=list)
    _how: dict[str, str] = field(default_factory=dict)
    _spans: list[str] = field(default_factory=list)
    _open: bool = False
    _shown: bool = False
    """Whether the cell has a paragraph, empty or not."""
    _aside: int = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag in _ASIDE:
            self._aside += 1
        elif self._aside:
            return
        elif tag == "style":
            self._style = attributes.get("name", "")
        elif tag == "text-properties":
            self._how[self._style] = _how(attributes)
        elif tag == "span":
            self._spans.append(self._how.get(attributes.get("style-name", ""), ""))
        elif tag == "table-properties" and attributes.get("display") == "false":
            self._hidden_styles.add(self._style)
        elif tag == "table":
            hidden = attributes.get("style-name") in self._hidden_styles
            self.sheets.append(Sheet(attributes.get("name", ""), hidden=hidden))
            self._hidden_columns, self._columns, self._number = set(), 0, 0
        elif tag == "table-column":
            count = _times(attributes, "number-columns-repeated")
            if attributes.get("visibility") in _HIDDEN:
                self._hidden_columns |= set(range(self._columns, self._columns + count))
            self._columns += count
        elif tag == "table-row":
            self._repeated = _times(attributes, "number-rows-repeated")
            self._row_hidden = attributes.get("visibility") in _HIDDEN
            self._cells, self._column = {}, 0
        elif tag in ("table-cell", "covered-table-cell"):
            self._cell, self._shown = attributes, False
            self._text.clear()
        elif tag == "p":
            self._open = self._shown = True
            self._text += [(" ", "")] if self._text else []
        elif tag in ("s", "tab", "line-break") and self._open:
            self._text.append((" ", ""))

    def data(self, text: str) -> None:
        if self._open and not self._aside:
            self._text.append((text, next(filter(None, self._spans), "")))

    def end(self, tag: str) -> None:
        if tag in _ASIDE:
            self._aside -= 1
        elif self._aside:
            return
        elif tag == "span":
            self._spans.pop()
        elif tag == "p":
            self._open = False
        elif tag in ("table-cell", "covered-table-cell"):
            self._end_cell()
        elif tag == "table-row" and self.sheets:
            self._end_row(self.sheets[-1])

    def _end_cell(self) -> None:
        cell = self._cell
        count = _times(cell, "number-columns-repeated")
        text = plain_runs(self._text) if self._shown else _bare(cell)
        if "formula" in cell and not (self._shown or text) and self.sheets:
            self.sheets[-1].not_computed += 1
        if self._how.get(cell.get("style-name", "")) == "struck":
            text = ""
        if cell.get("value-type") == "date":
            text = _written_out(text, iso_date(cell.get("date-value", "")[:10]))
        if text.strip() and not text.startswith(_ERRORS):
            last = min(self._column + count, MOST_COLUMNS)
            self._cells |= dict.fromkeys(range(self._column, last), text)
        wide = _times(cell, "number-columns-spanned")
        high = _times(cell, "number-rows-spanned")
        if self.sheets and (wide > 1 or high > 1):
            sheet, top = self.sheets[-1], self._number + 1
            merged = MergedCells(top, top + high - 1, self._column, self._column + wide - 1)
            sheet.merged = (*sheet.merged, merged) if len(sheet.merged) < 1_000 else sheet.merged
        self._column += count

    def _end_row(self, sheet: Sheet) -> None:
        last = self._number + (self._repeated if self._cells else 0)
        for number in range(self._number + 1, last + 1):
            if sheet.is_full():
                break
            sheet.add(number, self._cells, self._hidden_columns, hidden=self._row_hidden)
        self._number += self._repeated


def _bare(cell: Mapping[str, str]) -> str:
    """The value of a cell whose program wrote no text for it.

    >>> _bare({"value-type": "percentage", "value": "0.255"})
    '25.5%'
    >>> _bare({"value": "5", "currency": "EUR"})
    '5 EUR'
    """
    value = next((cell[name] for name in _VALUES if name in cell), "")
    if cell.get("value-type") == "date":
        return value[:10]
    if cell.get("value-type") == "percentage" and value.isascii():
        with suppress(ValueError, OverflowError):
            return f"{plain(float(value) * 100)}%"
    return f"{value} {cell.get('currency', '')}".strip()


def _written_out(shown: str, iso: str) -> str:
    """A day and its time, the day without doubt; what else is shown, such as a year, stays.

    >>> _written_out("03/05/24 10:30", "2024-05-03"), _written_out("May 2024", "2024-05-01")
    ('3 May 2024 10:30', 'May 2024')
    """
    parts = re.findall(r"\d{1,4}|[^\W\d]+", _TIME.sub("", shown))
    figures = {int(part) for part in parts if part.isdecimal()}
    year, month, day = map(int, iso.split("-")) if len(iso) == 10 else (-1, -1, -1)
    years = {year, year % 100}
    if len(parts) > 2 and day in figures and years & figures:
        made = written(iso)
    elif len(parts) == 2 and figures == {day, month}:
        made = written(iso).rpartition(" ")[0]
    elif len(parts) == 2 and figures in ({month, one} for one in years):
        made = written(iso[:7])
    else:
        return shown
    time = _TIME.search(shown)
    return f"{made} {time[0]}" if time else made


def _how(look: Mapping[str, str]) -> str:
    """How a run of text is set (`plain_runs`)."""
    if look.get("text-line-through-style", "none") != "none":
        return "struck"
    place = look.get("text-position", "").partition(" ")[0]
    small = "superscript" if place == "super" or place.rstrip("%").isdecimal() else "subscript"
    return "" if place in ("", "0%") else small


def _times(attributes: Mapping[str, str], name: str) -> int:
    text = attributes.get(name, "1")
    return min(int(text), 2**20) if text.isascii() and text.isdigit() and len(text) < 10 else 1
