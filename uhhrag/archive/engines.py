"""Ranks passages by full text and vectors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from uhhrag.archive.filters import DocumentFilter
from uhhrag.archive.snapshot import Snapshot
from uhhrag.archive.vector_index import CorpusVectors

Matching = Callable[[str, int, DocumentFilter], NDArray[np.int64]]
"""(query, depth, filter) → best passages."""
Nearest = Callable[[NDArray[np.float32], int, DocumentFilter], NDArray[np.int64]]
"""(vector, depth, filter) → nearest passages."""


@dataclass(frozen=True, slots=True)
class Engines:
    """An engine is None if the archive lacks it."""

    matching: Matching | None
    nearest: Nearest | None


def engines_of(snapshot: Snapshot, *, by_vectors: bool = True) -> Engines:
    """Raises as `CorpusVectors`."""
    vectors = snapshot.manifest.vectors
    has_vectors = bool(vectors and vectors.parts and by_vectors)
    nearest = CorpusVectors(snapshot, vectors).nearest if vectors and has_vectors else None
    text = snapshot.text
    if text is None:
        return Engines(None, nearest)
    return Engines(lambda query, depth, out: text.search(query, depth, out.text)[0], nearest)
