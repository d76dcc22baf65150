"""Vectors cached on disk by hashes of texts."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from uhhrag.backends.sqlite_cache import VECTORS, SqliteCache
from uhhrag.protocols import Embedder

_BATCH_SIZE = 512
"""Texts embedded and stored at a time."""


def cached(embed: Embedder, made_by: str, file: Path, most: int | None = None) -> Embedder:
    """An embedder that looks into an SQLite file first and stores at most `most` vectors.

    `made_by` tells embedders apart. Raises RunError if the file cannot be used."""
    return _CachedEmbedder(embed, made_by, SqliteCache(file, VECTORS), most)


def make(file: Path) -> None:
    """Make the file of `cached` if missing. Raises RunError."""
    SqliteCache(file, VECTORS)


class _CachedEmbedder:
    def __init__(self, embed: Embedder, made_by: str, cache: SqliteCache, most: int | None) -> None:
        self._embed, self._made_by, self._cache = embed, made_by, cache
        self._room = most

    def __call__(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        if not texts:
            return self._embed(texts)
        keys = [_key(self._made_by, text) for text in texts]
        text_of = dict(zip(keys, texts, strict=True))
        rows = {
            key: np.frombuffer(value, np.float32)
            for key, value in self._cache.get(list(text_of)).items()
        }
        new = [key for key in text_of if key not in rows]
        for start in range(0, len(new), _BATCH_SIZE):
            some = new[start : start + _BATCH_SIZE]
            vectors = self._embed([text_of[key] for key in some]).astype(np.float32)
            rows.update(zip(some, vectors, strict=True))
            self._store({key: rows[key].tobytes() for key in some})
        return np.stack([rows[key] for key in keys])

    def _store(self, values: Mapping[bytes, bytes]) -> None:
        if self._room is None:
            self._cache.put(values)
        elif self._room >= len(values):
            self._cache.put(values)
            self._room -= len(values)


def _key(made_by: str, text: str) -> bytes:
    content = f"{made_by}\0{text}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(content, digest_size=16).digest()
