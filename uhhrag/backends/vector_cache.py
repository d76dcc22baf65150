from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from uhhrag.backends.sqlite_cache import VECTORS, SqliteCache
from uhhrag.protocols import Embedder

LIMIT = 200_000
"""In vectors: 300 MB at 384 dimensions."""
_BATCH_SIZE = 512
"""In texts."""


def make(file: Path) -> None:
    """The file of `cached`, if missing."""
    SqliteCache(file, VECTORS)


def cached(embed: Embedder, made_by: str, file: Path, most: float = float("inf")) -> Embedder:
    """Stores at most `most` vectors, apart by `made_by`. Raises RunError for an unusable file."""
    cache, room = SqliteCache(file, VECTORS), most

    def embedded(texts: Sequence[str], /) -> NDArray[np.float32]:
        nonlocal room
        if not texts:
            return embed(texts)
        keys = [_key(f"{made_by}\0{text}") for text in texts]
        text_of = dict(zip(keys, texts, strict=True))
        known = cache.get(list(text_of))
        rows = {key: np.frombuffer(value, np.float32) for key, value in known.items()}
        new = [key for key in text_of if key not in rows]
        for start in range(0, len(new), _BATCH_SIZE):
            some = new[start : start + _BATCH_SIZE]
            vectors = embed([text_of[key] for key in some]).astype(np.float32)
            rows.update(zip(some, vectors, strict=True))
            if room >= len(some):
                cache.put({key: rows[key].tobytes() for key in some})
                room -= len(some)
        return np.stack([rows[key] for key in keys])

    return embedded


def memoised(embed: Embedder, limit: int = LIMIT) -> Embedder:
    """Keeps the `limit` last used vectors. Thread-safe."""
    known: dict[bytes, NDArray[np.float32]] = {}  # least recently used first
    lock = threading.Lock()

    def embedded(texts: Sequence[str], /) -> NDArray[np.float32]:
        keys = [_key(text) for text in texts]
        with lock:
            if not texts:
                return embed(texts)
            new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
            rows = {key: known.pop(key) for key in dict.fromkeys(keys) if key in known}
            if new:
                rows.update(zip(new, embed(list(new.values())), strict=True))
            known.update((key, rows[key]) for key in dict.fromkeys(keys))
            while len(known) > limit:
                del known[next(iter(known))]
        return np.stack([rows[key] for key in keys])

    return embedded


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
