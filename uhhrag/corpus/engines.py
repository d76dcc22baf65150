"""The engines that search an opened corpus: its full text and its vectors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from uhhrag.corpus.filters import DocumentFilter
from uhhrag.corpus.snapshot import Snapshot
from uhhrag.corpus.vector_index import CorpusVectors

Matching = Callable[[str, int, DocumentFilter], NDArray[np.int64]]
"""The numbers of the passages that match a query best, best first: so many, of those that stay."""
Nearest = Callable[[NDArray[np.float32], int, DocumentFilter], NDArray[np.int64]]
"""The numbers of the passages nearest to a vector, best first: so many, of those that stay."""


@dataclass(frozen=True, slots=True)
class Engines:
    """What ranks passages: full text, None where there is none, and vectors, None where there are
    none."""

    matching: Matching | None
    nearest: Nearest | None


def engines_of(snapshot: Snapshot, *, by_vectors: bool = True) -> Engines:
    """The engines of an opened corpus; its vectors are opened where they are wanted. Raises
    IndexFault where they cannot be opened."""
    vectors = snapshot.manifest.vectors
    has_vectors = bool(vectors and vectors.parts and by_vectors)
    nearest = CorpusVectors(snapshot, vectors).nearest if vectors and has_vectors else None
    text = snapshot.text
    if text is None:
        return Engines(None, nearest)
    return Engines(lambda query, depth, out: text.search(query, depth, out.text)[0], nearest)
