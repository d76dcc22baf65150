"""A pool embedded best first, and left where nothing near the claim comes any more.

Which passages are likely to be near is read from two rankings that cost little: that of BM25, which
knows words that are spelt the same, and that of the cosines of static vectors (the mean of a text's
word embeddings in the embedder's own table), which know words that mean the same. Their reciprocal
ranks are added (Cormack, Clarke and Büttcher 2009). A vector depends on its text alone, so what is
embedded has the bytes that it would have in a pool that is embedded whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from uhhrag.protocols import Embedder

STATIC = "static vectors"
"""What orders a pool beside BM25."""
NEAREST = 10
"""The nearest passages that a patience watches."""
STEP = 256
"""Passages embedded at a time with a patience."""
FLAT = 60
"""What is added to each rank, as in the paper: the first ranks of one ranking do not decide."""
READ = 1000
"""Characters of a passage that its static vector is made of."""


def places_best_first(
    claim: str, texts: Sequence[str], static: Embedder | None
) -> NDArray[np.int64]:
    """The places of a pool's `texts`, the likeliest to be near the claim first; ties by place. The
    texts come best first by BM25, and without `static` vectors that order stands."""
    ranks = np.arange(len(texts))
    if static is None or not texts:
        return ranks
    cosines = static_cosines(claim[:READ], [text[:READ] for text in texts], static)
    by_vectors = np.empty_like(ranks)
    by_vectors[np.argsort(-cosines, kind="stable")] = ranks
    fused = 1 / (FLAT + 1 + ranks) + 1 / (FLAT + 1 + by_vectors)
    return np.argsort(-fused, kind="stable")


def static_cosines(query: str, texts: Sequence[str], static: Embedder) -> NDArray[np.float32]:
    """The cosines of texts to a query by static vectors, to six digits; shape (texts,)."""
    rows = static([query, *texts])
    # No product of matrices, whose last digits may depend on the number of threads.
    cosines: NDArray[np.float32] = (rows[1:] * rows[0]).sum(axis=1).round(6)
    return cosines


def embed_until(
    steps: Iterable[NDArray[np.float32]], claim: NDArray[np.float32], patience: int
) -> NDArray[np.float32]:
    """The vectors of the first steps, shape (passages, dimension), until `patience` passages in a
    row, counted in whole steps, are not among the NEAREST ones to the claim's vector."""
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


def in_steps(
    texts: Sequence[str], places: NDArray[np.int64], embed: Embedder
) -> Iterable[NDArray[np.float32]]:
    """The vectors of the texts at these places, STEP at a time, each computed when it is taken."""
    for start in range(0, len(places), STEP):
        yield embed([texts[place] for place in places[start : start + STEP]])
