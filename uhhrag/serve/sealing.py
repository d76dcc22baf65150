"""Rows of the desk's file, each with a checksum over its columns."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from uhhrag.system.checksummed_json import digest


class _Table(NamedTuple):
    entry: str
    columns: tuple[str, ...]
    """Sealed, in this order."""


_REVIEWS = ("key", "seen", "at", "label", "wrong", "note", "marks", "reviewer", "appearance")
_ATTACHED = ("key", "at", "side", "sentence", "source")
_LATER = {"reviews": 2, "attached": 1}
"""How many columns at the end the first seals lack, which hold while these are empty."""
SEALED: Mapping[str, _Table] = {
    "asked": _Table("claim", ("at", "ground", "claim", "date", "speaker")),
    "outcomes": _Table("verdict on claim", ("number", "at", "record")),
    "outcome_rows": _Table("line of claim", ("number", "row")),
    "earlier_outcomes": _Table("earlier verdict", ("number", "at", "record")),
    "reviews": _Table("review", (*_REVIEWS, "kept", "actor", "acted")),
    "attached": _Table("attached sentence", (*_ATTACHED, "reviewer")),
    "drafts": _Table("draft", ("at", "target", "draft")),
    "draft_rows": _Table("title of draft", ("number", "title", "claims")),
    "draft_checks": _Table("checked sentence", ("draft", "position", "number")),
}


def insert(run: Any, table: str, *values: str | int | None) -> int:
    """Insert or replace a row; gives its number."""
    columns = (*SEALED[table].columns, "seal")
    cursor = run(
        f"INSERT OR REPLACE INTO {table} ({', '.join(columns)}) "  # noqa: S608 - names of our own
        f"VALUES ({', '.join('?' * len(columns))})",
        (*values, digest(values)),
    )
    return int(cursor.lastrowid or 0)


def change(run: Any, table: str, place: int, **new: str) -> None:
    """Change columns of a row, and seal it anew."""
    columns = SEALED[table].columns
    query = f"SELECT {', '.join(columns)} FROM {table} WHERE rowid = ?"  # noqa: S608
    row = dict(zip(columns, run(query, (place,)).fetchone(), strict=True)) | new
    sets = ", ".join(f"{name} = ?" for name in (*new, "seal"))
    values = (*new.values(), digest([*row.values()]), place)
    run(f"UPDATE {table} SET {sets} WHERE rowid = ?", values)  # noqa: S608


def delete(run: Any, *tables: str, **place: str | int) -> None:
    ((column, value),) = place.items()
    for table in tables:
        run(f"DELETE FROM {table} WHERE {column} = ?", (value,))  # noqa: S608 - names of our own


def select(run: Any, table: str, rest: str = "", *values: str | int) -> list[tuple[Any, ...]]:
    """Each row follows its number. Raises sqlite3.DatabaseError for a damaged one."""
    found = list(checked(run, table, rest, *values))
    with whole():
        for _, _, fault in found:
            if fault:
                raise ValueError(fault)
    return [(number, *row) for number, row, _ in found]


def among(names: Sequence[str]) -> str:
    """SQL condition; "", so all rows, without names."""
    return f"WHERE key IN ({', '.join('?' * len(names))})" if names else ""


def checked(
    run: Any, table: str, rest: str = "", *values: str | int
) -> Iterator[tuple[int, list[Any], str]]:
    """Number, row, and fault or ""."""
    entry, columns = SEALED[table]
    statement = f"SELECT rowid, seal, {', '.join(columns)} FROM {table} {rest}"  # noqa: S608
    later = _LATER.get(table, 0)
    for number, seal, *row in run(statement, values):
        first = row[: len(row) - later]
        sound = seal == digest(row) or (seal == digest(first) and not any(row[len(first) :]))
        yield number, row, "" if sound else f"{entry} {number}: the checksum does not match"


def seal_all(run: Any) -> None:
    """Rows of earlier versions have no seal."""
    for table in SEALED:
        for number, _, _ in list(checked(run, table, "WHERE seal = ''")):
            change(run, table, number)


@contextmanager
def whole() -> Iterator[None]:
    """Raises sqlite3.DatabaseError for an entry that cannot be decoded."""
    try:
        yield
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise sqlite3.DatabaseError(
            f"an entry is damaged ({error}); put a copy of the desk's file in its place"
        ) from error
