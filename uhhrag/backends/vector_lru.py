"""No text embedded twice, across the claims of a run too.

The stores of a claims file share many sentences: over the 60 real claims of the reference data
121,939 distinct sentences a claim are 30,244 distinct ones in all.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from uhhrag.protocols import Embedder

KEPT = 200_000
"""Vectors kept, the least recently used leave: 300 MB at 384 dimensions."""


def memoised(embed: Embedder, limit: int = KEPT) -> Embedder:
    """The same embedder with a memory, for use from several threads too, one at a time. Exact,
    since a text's vector depends on the text alone."""
    known: dict[bytes, NDArray[np.float32]] = {}
    lock = threading.Lock()

    def embed_alone(texts: Sequence[str], /) -> NDArray[np.float32]:
        with lock:
            return embed_new(texts)

    def embed_new(texts: Sequence[str], /) -> NDArray[np.float32]:
        if not texts:
            return embed(texts)
        keys = [_key(text) for text in texts]
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        rows = {key: known.pop(key) for key in dict.fromkeys(keys) if key in known}
        if new:
            rows.update(zip(new, embed(list(new.values())), strict=True))
        known.update((key, rows[key]) for key in dict.fromkeys(keys))
        while len(known) > limit:
            del known[next(iter(known))]
        return np.stack([rows[key] for key in keys])

    return embed_alone


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
