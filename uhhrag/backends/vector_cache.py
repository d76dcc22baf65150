"""Vectors kept on disk, so that a sentence of a user's documents is embedded once for all claims
that will ever be checked against it. Kept are hashes of texts and vectors, no text.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from uhhrag.errors import unusable_memory
from uhhrag.protocols import Embedder

_AT_ONCE = 512
"""Texts embedded, and safely on disk, before the next ones begin."""
_ASKED = 900
"""Keys a query may have: older SQLites take 999."""


def cached(embed: Embedder, made_by: str, file: Path) -> Embedder:
    """The same embedder with a memory in an SQLite file; `made_by` tells its vectors from those of
    another. Exact, since a text's vector depends on the text alone."""
    try:
        # Each is used by one thread at a time, not always by the one that opened it.
        memory = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        memory.text_factory = bytes  # damage can turn a value into a text that is none
        memory.execute("PRAGMA journal_mode = WAL")
        memory.execute("PRAGMA synchronous = NORMAL")
        memory.execute(
            "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, row BLOB) WITHOUT ROWID"
        )
    except (sqlite3.Error, UnicodeError) as error:
        raise unusable_memory(file, error) from error

    def find(keys: Sequence[bytes]) -> dict[bytes, NDArray[np.float32]]:
        found: dict[bytes, NDArray[np.float32] | None] = {}
        for start in range(0, len(keys), _ASKED):
            some = keys[start : start + _ASKED]
            marks = ",".join("?" * len(some))
            rows = memory.execute(f"SELECT key, row FROM vectors WHERE key IN ({marks})", some)  # noqa: S608
            found.update((key, _read(key, sealed)) for key, sealed in rows)
        return {key: row for key, row in found.items() if row is not None}

    def embed_new(texts: Sequence[str], keys: Sequence[bytes]) -> dict[bytes, NDArray[np.float32]]:
        rows = dict(zip(keys, embed(texts), strict=True))
        memory.execute("BEGIN")
        memory.executemany(
            "INSERT OR REPLACE INTO vectors VALUES (?, ?)",
            [(key, _seal(key, row.astype(np.float32).tobytes())) for key, row in rows.items()],
        )
        memory.execute("COMMIT")
        return rows

    def embed_kept(texts: Sequence[str], /) -> NDArray[np.float32]:
        if not texts:
            return embed(texts)
        keys = [_key(made_by, text) for text in texts]
        try:
            rows = find(list(dict.fromkeys(keys)))
            new = {k: text for k, text in zip(keys, texts, strict=True) if k not in rows}
            unknown = list(new)
            for start in range(0, len(unknown), _AT_ONCE):
                some = unknown[start : start + _AT_ONCE]
                rows.update(embed_new([new[key] for key in some], some))
        except (sqlite3.Error, UnicodeError) as error:
            raise unusable_memory(file, error) from error
        return np.stack([rows[key] for key in keys])

    return embed_kept


def _key(made_by: str, text: str) -> bytes:
    asked = f"{made_by}\0{text}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(asked, digest_size=16).digest()


def _seal(key: bytes, row: bytes) -> bytes:
    return hashlib.blake2b(key + row, digest_size=8).digest() + row


def _read(key: bytes, sealed: Any) -> NDArray[np.float32] | None:
    """The vector, None where it is damaged: then the text is embedded again."""
    if not isinstance(sealed, bytes) or _seal(key, sealed[8:]) != sealed:
        return None
    return np.frombuffer(sealed[8:], np.float32)
