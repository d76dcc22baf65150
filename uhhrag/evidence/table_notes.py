"""Notes below a table and the rows that bear their marks."""

from __future__ import annotations

import re

from uhhrag.evidence.rows import cells_of
from uhhrag.records import Page

_NOTE = re.compile(r"(?:notes?:? )?(\*{1,3}|[†‡§]|\(?[a-z\d]{1,2}\)|\d{1,2}\.) ", re.IGNORECASE)
_COLUMN = re.compile(r"\bnotes?\b", re.IGNORECASE)
"""Of numbers of notes."""
_MAX_LINES_APART, _MAX_MARKED_ROWS = 12, 3
"""Lines from a note up to its table; rows with one mark."""
_MAX_TABLE_ROWS = 60
"""Rows looked at."""


def rows_noted(page: Page, line: int) -> list[int]:
    """Rows above with a note's mark; [] for a note to columns or many rows."""
    return _borne(page, line)[1]


def _borne(page: Page, line: int) -> tuple[str, list[int]]:
    """A note's mark and rows."""
    note = _NOTE.match(page.lines[line])
    if note is None or _is_row(page, line):
        return "", []
    above = range(line - 1, max(line - _MAX_LINES_APART, 0) - 1, -1)
    last = next((at for at in above if _is_row(page, at)), -1)
    first = last
    while first > max(last - _MAX_TABLE_ROWS, 0) and _is_row(page, first - 1):
        first -= 1
    rows = [at for at in range(first, last + 1) if at >= 0 and _bears(page.lines[at], note[1])]
    return note[1], rows if len(rows) <= _MAX_MARKED_ROWS else []


def notes_of(page: Page, line: int) -> list[int]:
    """Notes whose marks a row bears."""
    last = line
    while last + 1 < len(page.lines) and last - line < _MAX_TABLE_ROWS and _is_row(page, last + 1):
        last += 1
    below = range(last + 1, min(last + 1 + _MAX_LINES_APART, len(page.lines)))
    return [at for at in below if line in rows_noted(page, at)]


def named_by(page: Page, line: int) -> str:
    """Names of a note's rows and the cells with its mark, with a colon.

    >>> named_by(Page("", ("Site: Vik*; Cars: 4", "Site: Ost; Cars: 9", "* Closed in May.")), 2)
    'Site: Vik*:'
    """
    mark, rows = _borne(page, line)
    said = dict.fromkeys(_name(page.lines[at], mark) for at in rows)
    return f"{', '.join(said)}:" if said else ""


def _name(text: str, mark: str) -> str:
    row = cells_of(text)
    first = next(iter(row))
    own = [name for name, value in row.items() if value.endswith(mark)][:1]
    return "; ".join(f"{name}: {row[name]}" for name in dict.fromkeys((first, *own)))


def _is_row(page: Page, line: int) -> bool:
    text = page.lines[line]
    return "; " in text and ": " in text


def _bears(text: str, mark: str) -> bool:
    row = cells_of(text)
    if mark.endswith("."):
        return any(_COLUMN.search(name) and value == mark[:-1] for name, value in row.items())
    before = (value.removesuffix(mark)[-1:] for value in row.values() if value.endswith(mark))
    return any(one != "*" and not (one and (one + mark[0]).isalnum()) for one in before)
