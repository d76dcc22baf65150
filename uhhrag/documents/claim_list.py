"""Lists of claims: lines of text, JSON lines, or a table with a column `claim`.

The first row with a cell `claim` names the columns; rows above it are notes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

from uhhrag.documents.sheets import Sheet
from uhhrag.errors import InputError
from uhhrag.records import Claim
from uhhrag.text.characters import one_line, text_lines
from uhhrag.text.dates import iso_date, read_date
from uhhrag.text.delimited import DELIMITERS, delimited_rows
from uhhrag.text.encodings import decode

TABLES = (".csv", ".tsv", ".tab")
"""Endings of files of delimited values."""
JSON_LINES = (".jsonl", ".ndjson")
WORKBOOKS = {
    ".xlsx": "xlsx:xlsx_sheets",
    ".xlsm": "xlsx:xlsx_sheets",
    ".xls": "xls:xls_sheets",
    ".ods": "ods:ods_sheets",
}
"""Endings of workbooks, each with the function that reads sheets in the reading process."""
_TEXTS = ("claim", "text", "statement")
_DATES = ("claim_date", "date")
_SPEAKERS = ("speaker", "author")
_NOTES = 50
"""Rows among which the names of the columns are looked for."""
_NO_TEXT = (b"PK\x03\x04", b"%PDF-", b"\xd0\xcf\x11\xe0", b"{\\rtf", b"\x1f\x8b")
"""What files of Office, PDF, RTF and packed ones begin with."""
_MARKS = "\ufeff\u200b\u2060"

ListRow = tuple[int, Mapping[str, Any]]
"""The line or row of a claim, from 1, and its fields."""


def list_claims(raw: bytes, name: str, ending: str, most: int | None = None) -> tuple[Claim, ...]:
    """The claims of a file, at most `most`, by `ending`; without one, objects are JSON lines.
    Raises InputError for no claim, a row without one, or no text."""
    text = _text(raw, name)
    if ending in JSON_LINES or (not ending and text.lstrip().startswith("{")):
        rows: Iterable[ListRow] = _objects(text, name)
    elif ending in TABLES:
        rows = _delimited(text, name, "" if ending == ".csv" else "\t")
    else:
        rows = ((n, {"claim": line}) for n, line in _filled(text))
    return claims_of_rows(rows, name, "line", most)


def claims_of_rows(
    rows: Iterable[ListRow], name: str, unit: str, most: int | None = None
) -> tuple[Claim, ...]:
    """The claims of rows, at most `most`. Raises InputError for none, or a row without one."""
    numbered = enumerate(islice(rows, most))
    claims = tuple(_claim(i, row, f"{name}, {unit} {n}") for i, (n, row) in numbered)
    if not claims:
        raise InputError(f"{name}: holds no claim; write one per line, or a column claim")
    return claims


def sheet_claims(sheets: Iterable[Sheet], name: str, most: int | None) -> tuple[Claim, ...]:
    """The claims of the first visible sheet with that column. Raises as `claims_of_rows`."""
    fault = InputError(f"{name}: is empty")
    for sheet in sheets:
        if sheet.hidden or not sheet.rows:
            continue
        width = max((max(cells, default=-1) for _, cells in sheet.rows), default=-1) + 1
        rows = (
            (number, [cells.get(at, "") for at in range(width)]) for number, cells in sheet.rows
        )
        try:
            return claims_of_rows(rows_by_name(rows, name), name, "row", most)
        except InputError as error:
            fault = error
    raise fault


def _text(raw: bytes, name: str) -> str:
    if raw.startswith(_NO_TEXT):
        raise InputError(f"{name}: is a document or a packed file; save its claims as text or CSV")
    content = decode(raw)
    if content.lost:
        line = content.text[: content.text.index("\ufffd")].count("\n") + 1
        raise InputError(f"{name}, line {line}: {content.fault}")
    if "\x00" in content.text:
        raise InputError(f"{name}: is not text (it holds zero bytes); save it as text or CSV")
    if not content.text.strip():
        raise InputError(f"{name}: is empty; copy it again")
    return content.text


def _filled(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text_lines(text), start=1):
        if line.strip().strip(_MARKS):
            yield number, line


def _objects(text: str, name: str) -> Iterator[ListRow]:
    """The objects of JSON lines; U+2028 ends no line."""
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{name}, line {number}: is not JSON") from error
        if not isinstance(row, dict):
            raise InputError(f"{name}, line {number}: is not a JSON object with a claim")
        yield number, {str(key).lower(): value for key, value in row.items()}


def _delimited(text: str, name: str, delimiter: str) -> Iterator[ListRow]:
    delimiter = delimiter or max(DELIMITERS, key=lambda one: _columns(text, one))
    try:
        rows = delimited_rows(text, delimiter, strict=True)
        yield from rows_by_name(((row.line, row.cells) for row in rows), name)
    except ValueError as error:
        raise InputError(f"{name}: is not CSV that can be read: {error}") from error


def _columns(text: str, delimiter: str) -> int:
    r"""The number of columns, by this delimiter, of the row that names them.

    >>> [_columns("Of 2020, draft\nclaim;date\n", delimiter) for delimiter in ",;"]
    [0, 2]
    """
    with suppress(ValueError):
        for row in islice(delimited_rows(text, delimiter), _NOTES):
            if any(cell in _TEXTS for cell in map(_named, row.cells)):
                return len(row.cells)
    return 0


def _named(cell: str) -> str:
    return cell.strip(_MARKS + " \t\r\n").lower()


def rows_by_name(rows: Iterable[tuple[int, Sequence[str]]], name: str) -> Iterator[ListRow]:
    """The rows below the names of columns, by these. Raises InputError without a column claim."""
    filled = ((number, row) for number, row in rows if any(map(str.strip, row)))
    first: list[str] = []
    for _, row in islice(filled, _NOTES):
        names = [*map(_named, row)]
        first = first or names
        if any(text in names for text in _TEXTS):
            break
    else:
        has = f"; it has: {', '.join(filter(None, first))[:200]}" if first else ""
        raise InputError(f"{name}: has no column claim{has}")
    for number, row in filled:
        if any(map(str.strip, row[len(names) :])):
            raise InputError(
                f"{name}, line {number}: has more cells than there are columns; put a claim that "
                "has the delimiter in it into quotes"
            )
        yield number, dict(zip(names, row, strict=False))


def _claim(number: int, row: Mapping[str, Any], where: str) -> Claim:
    text = _first(row, _TEXTS)
    if not text:
        raise InputError(f"{where}: has no claim ({', '.join(_TEXTS)})")
    day = _first(row, _DATES)
    if day and read_date(day) is None:  # as a spreadsheet shows it
        day = iso_date(day) or day
    return Claim(number, text, day, _first(row, _SPEAKERS))


def _first(row: Mapping[str, Any], names: Sequence[str]) -> str | None:
    values = (row.get(name) for name in names)
    filled = (value for value in values if isinstance(value, str) and value.strip())
    return next(map(one_line, filled), None)
