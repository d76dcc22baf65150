"""The desk's schema, and checks against foreign content."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from uhhrag.errors import RunError
from uhhrag.serve.check_table import make_rows
from uhhrag.serve.sealing import SEALED, checked, seal_all
from uhhrag.system import locks
from uhhrag.system.checks import FileCheck
from uhhrag.system.writing import kept_file, require_own

FILE = "desk.sqlite"
FORMAT = 9
_TABLES = """
CREATE TABLE IF NOT EXISTS asked (
    number INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, ground TEXT NOT NULL,
    claim TEXT NOT NULL, date TEXT, speaker TEXT
) STRICT;
CREATE TABLE IF NOT EXISTS outcomes (
    number INTEGER PRIMARY KEY REFERENCES asked, at TEXT NOT NULL, record TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS outcome_rows (
    number INTEGER PRIMARY KEY REFERENCES outcomes, row TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS earlier_outcomes (
    place INTEGER PRIMARY KEY AUTOINCREMENT, number INTEGER NOT NULL, at TEXT NOT NULL,
    record TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS earlier_by_number ON earlier_outcomes (number, place);
CREATE TABLE IF NOT EXISTS reviews (
    number INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, key TEXT NOT NULL,
    seen TEXT NOT NULL, label TEXT, wrong TEXT NOT NULL, note TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS reviews_by_key ON reviews (key, number);
CREATE TABLE IF NOT EXISTS attached (
    number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL, at TEXT NOT NULL,
    side TEXT NOT NULL, sentence TEXT NOT NULL, source TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS attached_by_key ON attached (key, number);
CREATE TABLE IF NOT EXISTS drafts (
    number INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, target TEXT NOT NULL,
    draft TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS draft_rows (
    number INTEGER PRIMARY KEY REFERENCES drafts, title TEXT NOT NULL, claims INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS draft_checks (
    draft INTEGER NOT NULL, position INTEGER NOT NULL, number INTEGER NOT NULL,
    PRIMARY KEY (draft, position)
) STRICT;
CREATE TABLE IF NOT EXISTS kept (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
"""
_NAMES_ANOTHER = bytes.fromhex("d9d505f920a163d7")
"""End of a journal that names another file (https://sqlite.org/fileformat2.html)."""
_SIGNED = (("reviews", "actor"), ("reviews", "acted"), ("attached", "reviewer"))
_ADDED = (
    ("reviews", "marks", "TEXT NOT NULL DEFAULT '{}'"),
    ("reviews", "reviewer", "TEXT NOT NULL DEFAULT ''"),
    ("reviews", "appearance", "TEXT NOT NULL DEFAULT ''"),
    ("reviews", "kept", "TEXT NOT NULL DEFAULT '[]'"),
    *((table, "seal", "TEXT NOT NULL DEFAULT ''") for table in SEALED),
    *((table, name, "TEXT NOT NULL DEFAULT ''") for table, name in _SIGNED),
)
"""Columns that earlier formats lack."""


def make_file(file: Path) -> None:
    """Private, made if missing. Raises OSError for a link or foreign journal."""
    with kept_file(file, 0o600) as handle:
        os.fchmod(handle.fileno(), 0o600)
    _require_own_journal(file)


def check_desk(file: Path) -> Iterator[FileCheck]:
    """Raises RunError for a file in use, or of another kind or version."""
    busy = RunError(f"{file}: uhhrag serve has it open; check it when that has ended")
    try:
        with locks.no_writer(locks.lock_beside(file), busy):
            require_own(file)
            _require_own_journal(file)
            with closing(sqlite3.connect(file)) as connection:
                yield from _entries(file, connection)
    except (OSError, sqlite3.Error) as error:
        raise RunError(
            f"{file}: cannot be used as a desk ({error}); give what `uhhrag serve` wrote"
        ) from error


def _entries(file: Path, connection: sqlite3.Connection) -> Iterator[FileCheck]:
    run = connection.execute
    if run("PRAGMA user_version").fetchone() != (FORMAT,):
        raise sqlite3.DatabaseError("it is of another version; open it once by uhhrag serve")
    _require_own_schema(connection)
    for (said,) in run("PRAGMA integrity_check"):
        yield FileCheck(file, "" if said == "ok" else said)
    for table in SEALED:
        yield from (FileCheck(file, fault) for _, _, fault in checked(run, table))


def _require_own_journal(file: Path) -> None:
    """Raises OSError if it names another file, which SQLite would delete."""
    journal = file.with_name(f"{file.name}-journal")
    require_own(journal)
    if journal.exists() and journal.read_bytes().endswith(_NAMES_ANOTHER):
        raise OSError(errno.EINVAL, f"{journal.name} is of several databases; delete it")


def prepare(connection: sqlite3.Connection) -> None:
    """Raises sqlite3.DatabaseError for another kind or later version."""
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA secure_delete = ON")  # what is removed leaves the file, too
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > FORMAT:
        raise sqlite3.DatabaseError(f"it is of a later version: {version}")
    _make_tables(connection)
    _require_own_schema(connection)
    if version < 8:  # the first that seals them
        seal_all(connection.execute)
    make_rows(connection)
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    connection.commit()


def _make_tables(connection: sqlite3.Connection) -> None:
    connection.executescript(_TABLES)
    for table, name, kind in _ADDED:
        if name not in {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}:
            connection.execute(f"ALTER TABLE {table} ADD COLUMN {name} {kind}")


def _require_own_schema(connection: sqlite3.Connection) -> None:
    """Raises sqlite3.DatabaseError for foreign entries: a trigger could change what is saved."""
    select = "SELECT type, name, sql FROM sqlite_master"
    with closing(sqlite3.connect(":memory:")) as fresh:
        _make_tables(fresh)
        ours = {_plain(*row) for row in fresh.execute(select)}
    for kind, name, sql in connection.execute(select):
        if _plain(kind, name, sql) not in ours:
            raise sqlite3.DatabaseError(f"it has a {kind} {name!r} that is not of a desk")


def _plain(kind: str, name: str, sql: str | None) -> tuple[str, str, str]:
    return kind, name, "".join((sql or "").split())
