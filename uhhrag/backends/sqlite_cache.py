"""Checksummed values in SQLite; damaged ones count as missing."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uhhrag.errors import unusable_memory
from uhhrag.system.writing import require_own

_KEYS_PER_QUERY = 900
"""Older SQLites take at most 999 values."""


@dataclass(frozen=True, slots=True)
class CacheTable:
    name: str
    column: str
    options: str
    """SQL after the definition."""
    checksum: Callable[[bytes], bytes]
    """Of key + value; stands before the value."""
    synchronous: str

    def checksummed(self, key: bytes, value: bytes) -> bytes:
        return self.checksum(key + value) + value

    def value_in(self, key: bytes, stored: Any) -> bytes | None:
        """None if damaged."""
        size = len(self.checksum(b""))
        if not isinstance(stored, bytes) or self.checksummed(key, stored[size:]) != stored:
            return None
        return stored[size:]


VECTORS = CacheTable(
    "vectors",
    "row",
    " WITHOUT ROWID",
    lambda content: hashlib.blake2b(content, digest_size=8).digest(),
    synchronous="NORMAL",
)
REPLIES = CacheTable(
    "replies", "value", "", lambda content: hashlib.sha256(content).digest(), synchronous="FULL"
)


class SqliteCache:
    """Shared by processes; threads take turns. All methods raise RunError for an unusable file."""

    def __init__(self, file: Path, table: CacheTable) -> None:
        self._file, self._table = file, table
        try:
            require_own(file)
            # Not always by the thread that opened it, but by one at a time.
            self._memory = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
            self._memory.text_factory = bytes  # damage can turn a value into invalid text
            self._memory.execute("PRAGMA journal_mode = WAL")
            self._memory.execute(f"PRAGMA synchronous = {table.synchronous}")
            self._memory.execute(
                f"CREATE TABLE IF NOT EXISTS {table.name} "
                f"(key BLOB PRIMARY KEY, {table.column} BLOB){table.options}"
            )
            self._state = self._forgotten()
        except (OSError, sqlite3.Error, ValueError) as error:  # ValueError: not UTF-8
            raise unusable_memory(file, error) from error

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        rows: list[tuple[bytes, Any]] = []
        self._state = self._forgotten()
        query = f"SELECT key, {self._table.column} FROM {self._table.name} WHERE key IN "  # noqa: S608
        try:
            for start in range(0, len(keys), _KEYS_PER_QUERY):
                some = keys[start : start + _KEYS_PER_QUERY]
                rows += self._memory.execute(f"{query}({','.join('?' * len(some))})", some)
        except (sqlite3.Error, ValueError) as error:
            raise unusable_memory(self._file, error) from error
        values = ((key, self._table.value_in(key, stored)) for key, stored in rows)
        return {key: value for key, value in values if value is not None}

    def put(self, values: Mapping[bytes, bytes]) -> None:
        """Not if all was forgotten since `get`: they may be of what was deleted."""
        rows = [(key, self._table.checksummed(key, value)) for key, value in values.items()]
        try:
            self._memory.execute("BEGIN IMMEDIATE")
            if self._forgotten() == self._state:
                self._memory.executemany(
                    f"INSERT OR REPLACE INTO {self._table.name} VALUES (?, ?)",  # noqa: S608
                    rows,
                )
            self._memory.execute("COMMIT")
        except (sqlite3.Error, ValueError) as error:
            raise unusable_memory(self._file, error) from error

    def forget(self) -> None:
        """Deletes all values, off the disk too, and closes it."""
        try:
            with closing(self._memory) as memory:
                memory.execute("PRAGMA secure_delete = ON")
                memory.execute("BEGIN IMMEDIATE")
                memory.execute(f"DELETE FROM {self._table.name}")  # noqa: S608
                memory.execute(f"PRAGMA user_version = {self._forgotten() + 1}")
                memory.execute("COMMIT")
                memory.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except (sqlite3.Error, ValueError) as error:
            raise unusable_memory(self._file, error) from error

    def _forgotten(self) -> int:
        """How often."""
        return int(self._memory.execute("PRAGMA user_version").fetchone()[0])
