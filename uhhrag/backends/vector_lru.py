"""Vectors kept in memory across claims.

Of 121,939 sentences distinct within 60 reference claims, 30,244 are distinct over all."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from uhhrag.protocols import Embedder

LIMIT = 200_000
"""Vectors in memory: 300 MB at 384 dimensions."""


def memoised(embed: Embedder, limit: int = LIMIT) -> Embedder:
    """An embedder that keeps the `limit` last used vectors. Thread-safe."""
    return _MemoisedEmbedder(embed, limit)


class _MemoisedEmbedder:
    def __init__(self, embed: Embedder, limit: int) -> None:
        self._embed, self._limit = embed, limit
        # Least recently used first.
        self._known: dict[bytes, NDArray[np.float32]] = {}
        self._lock = threading.Lock()

    def __call__(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        with self._lock:
            return self._vectors(texts) if texts else self._embed(texts)

    def _vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        known = self._known
        keys = [_key(text) for text in texts]
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        rows = {key: known.pop(key) for key in dict.fromkeys(keys) if key in known}
        if new:
            rows.update(zip(new, self._embed(list(new.values())), strict=True))
        known.update((key, rows[key]) for key in dict.fromkeys(keys))
        while len(known) > self._limit:
            del known[next(iter(known))]
        return np.stack([rows[key] for key in keys])


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
