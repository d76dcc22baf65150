"""XLSX: each sheet a document, each row a sentence with its number.

A formula is read as the value that was last computed. Left out: charts, comments, text boxes, and
errors such as #N/A.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from uhhrag.documents.archive import chunks, has, opened
from uhhrag.documents.document import Document
from uhhrag.documents.properties import read_properties
from uhhrag.documents.segmentation import clean
from uhhrag.documents.table_rows import Row, require_some, table_document, table_lines
from uhhrag.documents.xlsx_cells import code_of, shown, unescaped
from uhhrag.documents.xml_events import feed, parse
from uhhrag.text.dates import OF_FILE

_WHAT = "an Excel workbook"
_MOST_BYTES = 2**30
_SHEETS, _COLUMNS = 1_000, 16_384
_LONGEST_NAME = 60
_LETTERS = re.compile(r"([A-Z]{1,3})\d")


def read_xlsx(path: Path) -> Iterator[Document | str]:
    """The documents of the sheets of a workbook. Raises Unreadable where it is encrypted, damaged
    or empty, or would unpack to more than any table does."""
    with opened(path, _WHAT, ".xlsx", _MOST_BYTES) as packed:
        yield from require_some(_sheets(packed))


def _sheets(packed: zipfile.ZipFile) -> Iterator[Document | str]:
    root = _relations(packed, "")
    main = next((t for kind, t in root.values() if kind == "officeDocument"), "xl/workbook.xml")
    book, related = _Workbook(), _relations(packed, main)
    parse(chunks(packed, main, _WHAT), book, _WHAT)
    parts = dict(related.values())
    texts, styles = _Texts(), _Styles()
    for name, handler in (("sharedStrings", texts), ("styles", styles)):
        if name in parts and has(packed, parts[name]):
            parse(chunks(packed, parts[name], _WHAT), handler, _WHAT)
    about = read_properties(packed, "docProps/core.xml", _WHAT)
    for name, relation in book.sheets[:_SHEETS]:
        kind, target = related.get(relation, ("", ""))
        if kind != "worksheet" or not has(packed, target):
            continue  # a sheet that is a chart
        sheet = _Sheet(texts.texts, styles.codes(), book.from_1904)
        name = clean(name)[:_LONGEST_NAME]
        yield from table_document(
            table_lines(_rows(packed, target, sheet)),
            f"sheet {name}, row",
            key=name,
            title=about.title or name,
            author=about.author,
            date=about.date,
            dated_by=OF_FILE,
        )


def _rows(packed: zipfile.ZipFile, name: str, sheet: _Sheet) -> Iterator[tuple[int, Row]]:
    for _ in feed(chunks(packed, name, _WHAT), sheet, _WHAT):
        yield from sheet.rows
        sheet.rows.clear()


class _Relation(NamedTuple):
    kind: str
    target: str


def _relations(packed: zipfile.ZipFile, part: str) -> Mapping[str, _Relation]:
    """What a part of the package refers to, by the names it uses; none where it says nothing."""
    folder, _, name = part.rpartition("/")
    where = posixpath.join(folder, "_rels", f"{name}.rels")
    handler = _Relations(folder)
    if has(packed, where):
        parse(chunks(packed, where, _WHAT), handler, _WHAT)
    return handler.relations


class _Silent:
    """A handler that is told of nothing."""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        pass

    def end(self, tag: str) -> None:
        pass

    def data(self, text: str) -> None:
        pass


class _Relations(_Silent):
    def __init__(self, folder: str) -> None:
        self._folder = folder
        self.relations: dict[str, _Relation] = {}

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "Relationship":
            kind = attributes.get("Type", "").rpartition("/")[2]
            target = posixpath.normpath(
                posixpath.join("/", self._folder, attributes.get("Target", ""))
            )
            self.relations[attributes.get("Id", "")] = _Relation(kind, target.lstrip("/"))


class _Workbook(_Silent):
    """`sheets` are the names of the sheets with the names of their relations."""

    def __init__(self) -> None:
        self.sheets: list[tuple[str, str]] = []
        self.from_1904 = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "sheet":
            self.sheets.append((attributes.get("name", ""), attributes.get("id", "")))
        elif tag == "workbookPr":
            self.from_1904 = attributes.get("date1904") in ("1", "true")


class _Texts(_Silent):
    """The texts that cells share, in order; how a word is pronounced is left out."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._here: list[str] = []
        self._open = self._aside = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._aside = self._aside or tag == "rPh"
        self._open = tag == "t" and not self._aside

    def end(self, tag: str) -> None:
        self._open = False
        if tag == "rPh":
            self._aside = False
        elif tag == "si":
            self.texts.append(unescaped("".join(self._here)))
            self._here.clear()

    def data(self, text: str) -> None:
        if self._open:
            self._here.append(text)


class _Styles(_Silent):
    """The number format of each style of a cell."""

    def __init__(self) -> None:
        self._codes: dict[int, str] = {}
        self._formats: list[int] = []
        self._cells = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._cells = self._cells or tag == "cellXfs"
        number = _whole(attributes.get("numFmtId"))
        if tag == "numFmt":
            self._codes[number] = attributes.get("formatCode", "")[:200]
        elif tag == "xf" and self._cells:
            self._formats.append(number)

    def end(self, tag: str) -> None:
        self._cells = self._cells and tag != "cellXfs"

    def codes(self) -> list[str]:
        """What each style shows, as `xlsx_cells.code_of` names it."""
        return [code_of(number, self._codes) for number in self._formats]


@dataclass(slots=True)
class _Sheet:
    """The rows of a sheet that were read and not yet taken."""

    texts: list[str]
    codes: list[str]
    from_1904: bool
    rows: list[tuple[int, Row]] = field(default_factory=list)
    _cells: dict[int, str] = field(default_factory=dict)
    _number: int = 0
    _column: int = -1
    _kind: str = ""
    _style: int = 0
    _value: list[str] = field(default_factory=list)
    _open: bool = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._open = tag in ("v", "t")
        if tag == "row":
            self._number = _whole(attributes.get("r")) or self._number + 1
            self._cells, self._column = {}, -1
        elif tag == "c":
            self._column = _column(attributes.get("r", ""), self._column + 1)
            self._kind = attributes.get("t", "n")
            self._style = _whole(attributes.get("s"))
            self._value.clear()

    def data(self, text: str) -> None:
        if self._open:
            self._value.append(text)

    def end(self, tag: str) -> None:
        self._open = False
        if tag == "c" and self._column < _COLUMNS and (value := self._shown("".join(self._value))):
            self._cells[self._column] = value
        elif tag == "row":
            self.rows.append((self._number, self._cells))

    def _shown(self, value: str) -> str:
        if self._kind == "s":
            at = _whole(value, len(self.texts))
            return self.texts[at] if at < len(self.texts) else ""
        if self._kind == "b":
            return "yes" if value == "1" else "no" if value == "0" else ""
        if self._kind == "n" and value:
            code = self.codes[self._style] if self._style < len(self.codes) else ""
            return shown(value, code, from_1904=self.from_1904)
        return "" if self._kind == "e" else unescaped(value)


def _whole(text: str | None, otherwise: int = 0) -> int:
    """A whole number that is not negative.

    >>> _whole("12"), _whole(" 7 "), _whole("-1"), _whole(None)
    (12, 7, 0, 0)
    """
    text = (text or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else otherwise


def _column(reference: str, otherwise: int) -> int:
    """
    >>> _column("C7", 0), _column("AA1", 0), _column("", 4)
    (2, 26, 4)
    """
    letters = _LETTERS.match(reference)
    if not letters:
        return otherwise
    column = 0
    for letter in letters[1]:
        column = column * 26 + ord(letter) - 64
    return column - 1
