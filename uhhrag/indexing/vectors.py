"""FAISS inner product over unit vectors: cosines. Stored as float16 (docs/benchmarks.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from uhhrag.errors import IndexFault, ModelError
from uhhrag.indexing.choices import Precision
from uhhrag.records import Hit, Passage

FlatIndex = Any


@dataclass(frozen=True, slots=True)
class EmbedderId:
    name: str
    dimension: int
    fingerprint: str
    """Of its files."""
    precision: Precision = Precision.FP32

    def __str__(self) -> str:
        precision = "" if self.precision is Precision.FP32 else f", {self.precision}"
        return f"{self.name} ({self.dimension} d{precision})"

    @property
    def vectors(self) -> tuple[int, str, Precision]:
        """Equal in embedders with comparable vectors."""
        return self.dimension, self.fingerprint, self.precision


def same_embedder(built: EmbedderId, asked: EmbedderId, label: str) -> None:
    """Raises IndexFault unless vectors are comparable."""
    if built.vectors == asked.vectors:
        return
    which = "" if str(built) != str(asked) else " of other files"
    raise IndexFault(
        f"{label} was built with {built} but {asked}{which} was asked for; "
        f"run: uhhrag index DATA --embedder {asked.name} --out ANOTHER_FOLDER"
    )


def build(vectors: NDArray[np.float32]) -> FlatIndex:
    """Of unit rows, shape (passages, dimension). Raises ModelError for others."""
    require_unit(vectors, 1e-3)
    return _filled(float16_index(vectors.shape[1]), vectors)


def require_unit(rows: NDArray[np.float32], tolerance: float) -> None:
    if not are_unit(rows, tolerance):
        raise ModelError("the embedder gave vectors that are not of unit length; it cannot be used")


def are_unit(rows: NDArray[np.float32], tolerance: float) -> bool:
    return bool(np.allclose(np.linalg.norm(rows, axis=1), 1, atol=tolerance))  # False for NaN


def float16_index(dimension: int) -> FlatIndex:
    kind = faiss.ScalarQuantizer.QT_fp16
    return faiss.IndexScalarQuantizer(dimension, kind, faiss.METRIC_INNER_PRODUCT)


def _filled(index: FlatIndex, rows: NDArray[Any]) -> FlatIndex:
    index.add(np.ascontiguousarray(rows, dtype=np.float32))
    return index


_STORED: tuple[tuple[type[Any], Callable[[int], FlatIndex]], ...] = (
    (np.float16, float16_index),
    (np.float32, faiss.IndexFlatIP),
)


def to_bytes(index: FlatIndex) -> bytes:
    return bytes(faiss.serialize_index(index))


def from_bytes(content: bytes, shape: tuple[int, int], label: str) -> FlatIndex:
    """Raises IndexFault unless of `shape` (dimension, passages), with the same bytes anew."""
    dimension, passages = shape
    for number, empty in _STORED if dimension > 0 else ():
        begin = len(content) - np.dtype(number).itemsize * dimension * passages
        if 0 < begin < 1024:
            rows = np.frombuffer(content, number, offset=begin).reshape(passages, dimension)
            index = _filled(empty(dimension), rows)
            if to_bytes(index)[:begin] == content[:begin]:
                return index
    raise IndexFault(f"{label}: is not a FAISS index or does not fit its passages; build it again")


def search(
    index: FlatIndex, passages: Mapping[int, Passage], query: NDArray[np.float32], top: int
) -> list[Hit]:
    """Best first; ties by row. `passages` are by row."""
    if not passages or top < 1:
        return []
    # All of them are asked for, since FAISS is free in which of equals it drops.
    scores, rows = index.search(query.reshape(1, -1).astype(np.float32), index.ntotal)
    order = np.lexsort((rows[0], -scores[0]))
    ranked = ((int(rows[0][i]), float(scores[0][i])) for i in order)
    hits = (Hit(passages[row], score) for row, score in ranked if row in passages)
    return list(islice(hits, top))
