"""Lists of claims: lines, JSON lines, tables with a cell `claim` among column names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any

from uhhrag.documents.formats import FORMATS
from uhhrag.documents.sheets.workbook import Sheet, hidden_in, spread
from uhhrag.documents.tables.rows import MOST_ROWS
from uhhrag.documents.whose_words import is_claim
from uhhrag.errors import InputError
from uhhrag.records import Claim
from uhhrag.system.terminal import first_of
from uhhrag.text.characters import one_line, text_lines
from uhhrag.text.dates import iso_date, read_date
from uhhrag.text.delimited import DELIMITERS, SEPARATED, delimited_rows, regular_delimiter
from uhhrag.text.encodings import decode
from uhhrag.text.fragments import is_ended
from uhhrag.text.list_marks import ITEM, without_marks

TABLES, JSON_LINES = FORMATS["table"].endings, FORMATS["rows"].endings
_MARKDOWN = FORMATS["markdown"].endings
_WORKBOOKS = ("xlsx", "xls", "ods")
WORKBOOKS = {
    end: f"sheets.{kind}:{kind}_sheets" for kind in _WORKBOOKS for end in FORMATS[kind].endings
}
"""Sheet readers by ending, for the reading process."""
_TEXTS, _IDS = ("claim", "text", "statement"), ("id", "claim_id", "no", "nr", "number")
_DATES, _SPEAKERS = ("claim_date", "claimdate", "date"), ("speaker", "claimant", "author")
_LONGEST_ID, _NOTES = 40, 50
"""Characters; rows searched for column names."""
_NO_TEXT = (b"PK\x03\x04", b"%PDF-", b"\xd0\xcf\x11\xe0", b"{\\rtf", b"\x1f\x8b")
"""First bytes of zip, PDF, OLE, RTF and gzip files."""
_OBJECT, _OTHER_FORM = re.compile(r'\{\s*"'), re.compile(r"\[\s*\{|<[!?a-z]", re.IGNORECASE)
_SEPARATOR = re.compile('"?sep=', re.IGNORECASE)
_MARKS = "\ufeff\u200b\u2060"
_HEADING, _SET = (
    re.compile(r"\s*#{1,6}\s"),
    re.compile(r"(?<!\w)(\*\*|__)(?=\S)(.+?)(?<=\S)\1(?!\w)|^\s*>\s?(?!\s*\d)", re.MULTILINE),
)
"""Of Markdown: a heading; bold letters and quotations."""
_JSON_LINE = 'write one object a line, such as {"claim": "It rained."}'
_NOTHING = "holds no claim; write one per line, or a column claim"

ListRow = tuple[int, Mapping[str, Any]]
"""Number of a line or row, from 1, and its fields."""


def list_claims(raw: bytes, name: str, ending: str, most: int | None = None) -> tuple[Claim, ...]:
    """The first line tells the form if `ending` does not. Raises InputError."""
    text = _text(raw, name)
    if ending in JSON_LINES:
        rows: Iterable[ListRow] = _objects(text, name)
    elif ending in TABLES:
        rows = _delimited(text, name, "" if ending == ".csv" else "\t")
    else:
        rows = _by_first_line(text, name, markdown=ending in _MARKDOWN)
    return claims_of_rows(rows, name, "line", most)


def _by_first_line(text: str, name: str, *, markdown: bool) -> Iterable[ListRow]:
    text = _SET.sub(r"\2", text) if markdown else text
    start = text.lstrip(_MARKS + " \t\r\n")
    if _OTHER_FORM.match(start):
        what = "markup" if start.startswith("<") else "a JSON list"
        raise InputError(f"{name}: is {what}; give a claim a line, or a file named for its form")
    if _OBJECT.match(start):
        return _objects(text, name)
    lines = [*_filled(text)]
    if markdown:
        lines = [(n, line) for n, line in lines if is_ended(line) or not _HEADING.match(line)]
    first = lines[0][1].strip(_MARKS + " \t") if lines else ""
    names = max(_columns(first, delimiter) for delimiter in DELIMITERS) > 1
    if _SEPARATOR.match(first) or (names and not first.endswith((".", "!", "?"))):
        return _delimited(text, name, "")
    lines = lines[_named(first.strip("#: ")).removesuffix("s") in _TEXTS :]
    return _items([(n, line) for n, line in lines if not is_claim(line)])


def _items(lines: Sequence[tuple[int, str]]) -> Iterator[ListRow]:
    """Without list marks. A line above all items that ends with a colon, or precedes number 1, is
    their heading."""
    lines = _unfolded(lines)
    marks = [ITEM.match(line) for _, line in lines]
    headed = len(lines) > 2 and not marks[0] and all(marks[1:]) and not is_ended(lines[0][1])
    first = marks[1] if headed else None
    headed = bool(first and (lines[0][1].rstrip().endswith(":") or first[1] == "1"))
    bare = without_marks([line for _, line in lines[headed:]])
    for (number, _), text in zip(lines[headed:], bare, strict=True):
        yield number, {"claim": text, "id": ""}  # whose number is that of its line


def _unfolded(lines: Iterable[tuple[int, str]]) -> list[tuple[int, str]]:
    """An unended item continues in lines that are indented or begin in lower case."""
    found: list[tuple[int, str]] = []
    for number, line in lines:
        first, item = found[-1] if found else (0, "")
        goes_on = ITEM.match(item) and not (ITEM.match(line) or is_ended(item))
        if goes_on and (line[0].isspace() or line.lstrip("\"“'(")[:1].islower()):
            found[-1] = first, f"{item} {line.strip()}"
        else:
            found.append((number, line))
    return found


def claims_of_rows(
    rows: Iterable[ListRow], name: str, unit: str, most: int | None = None
) -> tuple[Claim, ...]:
    """Raises InputError for no claim, or a row without one."""
    numbered = enumerate(islice(rows, most))
    claims = tuple(_claim(i, row, name, f"{unit} {n}") for i, (n, row) in numbered)
    if not claims:
        raise InputError(f"{name}: {_NOTHING}")
    return claims


def sheet_claims(
    sheets: Iterable[Sheet], name: str, most: int | None
) -> tuple[tuple[Claim, ...], str]:
    """Of all visible sheets with a column of claims, and what is not read. Raises InputError."""
    fault, found, text = InputError(f"{name}: is empty"), list[Claim](), ""
    hidden, without, names = list[str](), list[str](), {*_TEXTS, *_DATES, *_SPEAKERS}
    for sheet in sheets:
        hidden += hidden_in(sheet)
        if sheet.hidden or not sheet.rows:
            continue
        width = max((max(cells, default=-1) for _, cells in sheet.rows), default=-1) + 1
        down = [one for one in sheet.merged if one.left == one.right]
        spread_rows = spread(sheet.rows, down)
        cells_of = ((n, [cells.get(at, "") for at in range(width)]) for n, cells in spread_rows)
        try:
            rows = rows_by_name(cells_of, name)
        except InputError as error:
            fault = error
            without.append(f"sheet {sheet.name}")
            continue
        if sheet.is_full():
            raise InputError(f"{name}: has more than {MOST_ROWS:,} rows; split it")
        if sheet.not_computed:
            raise InputError(
                f"{name}: sheet {sheet.name} has formulas that no program has computed; open the "
                "file and save it"
            )
        fault = InputError(f"{name}: {_NOTHING}")
        listed = [*rows]
        names |= {*(listed[0][1] if listed else ())}
        column = next((one for one in _TEXTS if listed and one in listed[0][1]), "")
        text = text or column
        if column == text and not all(_named(row[text]) in names for _, row in listed):
            found += claims_of_rows(listed, name, f"sheet {sheet.name}, row", most)
        elif listed:  # of another text, or what says what the columns are
            without.append(f"sheet {sheet.name}")
    if not found:
        raise fault
    left = [f"hidden and not read: {first_of(hidden)}"] if hidden else []
    left += [f"no column of claims in {first_of(without)}"] if without else []
    return tuple(replace(claim, id=at) for at, claim in enumerate(found[:most])), "; ".join(left)


def _text(raw: bytes, name: str) -> str:
    if raw.startswith(_NO_TEXT):
        raise InputError(
            f"{name}: is a document or a packed file; save its claims as text or CSV, or check a "
            "draft by --article"
        )
    content = decode(raw)
    if content.lost:
        line = content.text[: content.text.index("\ufffd")].count("\n") + 1
        raise InputError(f"{name}, line {line}: {content.fault}")
    if "\x00" in content.text:
        raise InputError(f"{name}: is not text (it holds zero bytes); save it as text or CSV")
    if content.unsure:
        raise InputError(f"{name}: {content.fault}")
    if not content.text.strip():
        raise InputError(f"{name}: is empty; copy it again")
    return content.text


def _filled(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text_lines(text), start=1):
        if _says([line]):
            yield number, line


def _says(cells: Iterable[str]) -> bool:
    """Whether it has more than marks, such as a Markdown table's rule."""
    return any(letter.isalnum() for cell in cells for letter in cell)


def _objects(text: str, name: str) -> Iterator[ListRow]:
    """U+2028 ends no line."""
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{name}, line {number}: is not JSON; {_JSON_LINE}") from error
        if not isinstance(row, dict):
            raise InputError(f"{name}, line {number}: is not a JSON object; {_JSON_LINE}")
        yield number, {str(key).lower(): value for key, value in row.items()}


def _delimited(text: str, name: str, delimiter: str) -> Iterator[ListRow]:
    by_name = max(DELIMITERS, key=lambda one: _columns(text, one))
    delimiter = delimiter or (by_name if _columns(text, by_name) else regular_delimiter(text))
    line = 0

    def rows() -> Iterator[tuple[int, Sequence[str]]]:
        nonlocal line
        for row in delimited_rows(text, delimiter, strict=True):
            line = row.line
            yield line, row.cells

    try:
        yield from rows_by_name(rows(), name, narrow=True, apart=SEPARATED.get(delimiter, ""))
    except ValueError as error:
        raise InputError(
            f"{name}, line {line + 1}: is not CSV that can be read: {error}; look at the quotation "
            "marks from there on"
        ) from error


def _columns(text: str, delimiter: str) -> int:
    with suppress(ValueError):
        for row in islice(delimited_rows(text, delimiter), _NOTES):
            if any(cell in _TEXTS for cell in map(_named, row.cells)):
                return len(row.cells)
    return 0


def _named(cell: str) -> str:
    return cell.strip(_MARKS + " \t\r\n*_").lower().replace(" ", "_")


def rows_by_name(
    rows: Iterable[tuple[int, Sequence[str]]], name: str, *, narrow: bool = False, apart: str = ""
) -> Iterator[ListRow]:
    """`narrow`: no row exceeds the columns; `apart`: a clause for the error. Raises InputError."""
    filled = ((number, row) for number, row in rows if _says(row))
    first: list[str] = []
    for _, row in islice(filled, _NOTES):
        names = [*map(_named, row)]
        first = first or [cell.strip(_MARKS).lower() for cell in row]
        if any(text in names for text in _TEXTS):
            break
    else:
        has = f"; it has: {', '.join(filter(None, first))[:200]}{apart}" if first else ""
        advice = f"; rename one to {', '.join(_TEXTS[:-1])} or {_TEXTS[-1]}"
        raise InputError(f"{name}: has no column claim{has}{advice if first else ''}")
    return _named_rows(filled, names, name, narrow=narrow)


def _named_rows(
    rows: Iterable[tuple[int, Sequence[str]]], names: list[str], name: str, *, narrow: bool
) -> Iterator[ListRow]:
    for used in (_TEXTS, _DATES, _SPEAKERS):
        column = next((one for one in used if one in names), "")
        if column and names.count(column) > 1:
            raise InputError(f"{name}: has two columns {column}; rename one")
    for number, row in rows:
        if narrow and any(map(str.strip, row[len(names) :])):
            raise InputError(
                f"{name}, line {number}: has more cells than there are columns; put a claim that "
                "has the delimiter in it into quotes"
            )
        pairs = zip(map(_named, row), names, strict=False)
        if not any(cell == column in _TEXTS for cell, column in pairs):  # no further head
            yield number, dict(zip(names, row, strict=False))


def _claim(number: int, row: Mapping[str, Any], name: str, place: str) -> Claim:
    text, where = _text_in(row, _TEXTS), f"{name}, {place}"
    if not text:
        raise InputError(f"{where}: has no claim ({', '.join(_TEXTS)}); write one, or remove it")
    day = _text_in(row, _DATES)
    if day and read_date(day) is None:  # as a spreadsheet shows it
        day = iso_date(day) or day
    given = _value(row, _DATES)
    if not isinstance(given, str | None) and given == given:  # not NaN, which stands for nothing
        raise InputError(f"{where}: its date {str(given)[:40]} is no text; write it as YYYY-MM-DD")
    own = _value(row, _IDS)
    own = one_line(str(own))[:_LONGEST_ID] if isinstance(own, str | int) else place
    return Claim(number, text, day, _text_in(row, _SPEAKERS), own)


def _value(row: Mapping[str, Any], names: Sequence[str]) -> Any:
    """The first field present, even if empty: others say something else."""
    return next((row[name] for name in names if name in row), None)


def _text_in(row: Mapping[str, Any], names: Sequence[str]) -> str | None:
    value = _value(row, names)
    return (one_line(value) or None) if isinstance(value, str) else None
