"""Embeds a pool best first, by the reciprocal ranks (Cormack, Clarke and Büttcher 2009) of BM25 and
static vectors (means of word embeddings), until nothing more is near."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from uhhrag.evidence.fusion import best_of
from uhhrag.protocols import Embedder

STATIC = "static vectors"
NEAREST = 10
"""Passages that a patience watches."""
STEP = 256
"""Passages at a time."""
READ = 1000
"""Characters of a passage in its static vector."""


def rank_order(claim: str, texts: Sequence[str], static: Embedder | None) -> NDArray[np.int64]:
    """Likeliest first, ties by index. `texts` are in BM25's order, which stands without
    `static`."""
    ranks = np.arange(len(texts))
    if static is None or not texts:
        return ranks
    cosines = static_cosines(claim[:READ], [text[:READ] for text in texts], static)
    by_vectors = np.argsort(-cosines, kind="stable")
    return np.array(best_of([ranks.tolist(), by_vectors.tolist()], len(texts)))


def static_cosines(query: str, texts: Sequence[str], static: Embedder) -> NDArray[np.float32]:
    """To six digits, shape (texts,)."""
    rows = static([query, *texts])
    # No product of matrices, whose last digits may depend on the number of threads.
    cosines: NDArray[np.float32] = (rows[1:] * rows[0]).sum(axis=1).round(6)
    return cosines


def embed_until(
    steps: Iterable[NDArray[np.float32]], claim: NDArray[np.float32], patience: int
) -> NDArray[np.float32]:
    """Shape (passages, dimension); ends after `patience` passages in a row, in whole steps, outside
    the claim's NEAREST."""
    taken: list[NDArray[np.float32]] = []
    nearest, fruitless = np.full(NEAREST, -np.inf, np.float32), 0
    for vectors in steps:
        taken.append(vectors)
        now = np.sort(np.concatenate([nearest, vectors @ claim]))[-NEAREST:]
        fruitless = 0 if now[0] > nearest[0] else fruitless + len(vectors)
        nearest = now
        if fruitless >= patience:
            break
    return np.concatenate(taken)
