"""Passage vectors, memory-mapped float16. Among many, FAISS's inverted lists (8 bits) select rows
for exact comparison, besides newer ones."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from uhhrag.archive.filters import DocumentFilter
from uhhrag.archive.manifest import Approximate, VectorPart, Vectors, fault
from uhhrag.archive.snapshot import Snapshot
from uhhrag.indexing.vectors import float16_index
from uhhrag.system.machine_cache import sha256_of_files

_faiss: Any = faiss  # whose types do not know the names of parameters
Rows = NDArray[np.float16]
_PROBED = 32
"""Lists read per search."""
_COMPARED = 4
"""Rows compared exactly per row wanted."""
_FEW = 20_000
"""Most passages left by a filter that are all compared exactly."""


class ArchiveVectors:
    """Readable after deletion. Raises IndexFault for missing files, wrong sizes or damaged lists,
    which FAISS would trust."""

    def __init__(self, snapshot: Snapshot, vectors: Vectors) -> None:
        self._snapshot, self._vectors = snapshot, vectors
        self.parts = tuple(map_rows(snapshot.folder, part, vectors) for part in vectors.parts)
        approximate = vectors.approximate
        self._listed = approximate.passages if approximate else 0
        self._lists = open_lists(snapshot.folder, approximate) if approximate else None

    def nearest(
        self, vector: NDArray[np.float32], depth: int, leaving_out: DocumentFilter
    ) -> NDArray[np.int64]:
        """By cosine, best first, ties by number."""
        allowed = self._allowed(leaving_out)
        left = int(allowed.sum())
        if not left or depth < 1:
            return np.empty(0, np.int64)
        if left <= _FEW < len(allowed):
            candidates = np.flatnonzero(allowed)
        else:
            candidates = np.concatenate(
                (self._in_lists(vector, depth, allowed), self._in_rest(vector, depth, allowed))
            )
        scores = self.rows(candidates).astype(np.float32) @ vector.astype(np.float32)
        order = np.lexsort((candidates, -scores))[:depth]
        best: NDArray[np.int64] = candidates[order]
        return best

    def rows(self, numbers: NDArray[np.int64]) -> Rows:
        """Shape (passages, dimension)."""
        gathered = np.empty((len(numbers), self._vectors.embedder.dimension), np.float16)
        firsts = [part.passage for part in self._vectors.parts]
        of_part = np.searchsorted(firsts, numbers, side="right") - 1
        for at in np.unique(of_part):
            chosen = of_part == at
            gathered[chosen] = self.parts[at][numbers[chosen] - firsts[at]]
        return gathered

    def _allowed(self, leaving_out: DocumentFilter) -> NDArray[np.bool_]:
        if leaving_out.staying is None:
            return self._alive
        return self._passages_of(self._snapshot.live & leaving_out.staying)

    @cached_property
    def _alive(self) -> NDArray[np.bool_]:
        return self._passages_of(self._snapshot.live)

    def _passages_of(self, documents: NDArray[np.bool_]) -> NDArray[np.bool_]:
        passages: NDArray[np.bool_] = documents[self._snapshot.document[: self._vectors.passages]]
        return passages

    def _in_lists(
        self, vector: NDArray[np.float32], depth: int, allowed: NDArray[np.bool_]
    ) -> NDArray[np.int64]:
        """A narrower filter reads more lists."""
        if self._lists is None or not allowed[: self._listed].any():
            return np.empty(0, np.int64)
        share = float(allowed[: self._listed].mean())
        probed = min(self._lists.nlist, round(_PROBED / share))
        sel = _selector(allowed[: self._listed])
        parameters = _faiss.SearchParametersIVF(sel=sel, nprobe=probed)
        return _search(self._lists, vector, _COMPARED * depth, parameters)

    def _in_rest(
        self, vector: NDArray[np.float32], depth: int, allowed: NDArray[np.bool_]
    ) -> NDArray[np.int64]:
        rest = allowed[self._listed :]
        if not rest.any():
            return np.empty(0, np.int64)
        parameters = _faiss.SearchParameters(sel=_selector(rest))
        return _search(self._flat, vector, depth, parameters) + self._listed

    @cached_property
    def _flat(self) -> Any:
        index = float16_index(self._vectors.embedder.dimension)
        for part, rows in zip(self._vectors.parts, self.parts, strict=True):
            own = rows[max(0, self._listed - part.passage) :]
            for start in range(0, len(own), 4096):
                index.add(np.ascontiguousarray(own[start : start + 4096], dtype=np.float32))
        return index


def map_rows(folder: Path, part: VectorPart, vectors: Vectors) -> Rows:
    file = folder / "vectors" / part.name
    shape = (part.passages, vectors.embedder.dimension)
    try:
        if file.stat().st_size != 2 * shape[0] * shape[1]:
            raise ValueError("has another size than it was written with")
        rows: Rows = np.memmap(file, np.float16, "r", shape=shape)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise fault(file, str(why), folder) from error
    return rows


def open_lists(folder: Path, approximate: Approximate) -> Any:
    file = folder / "vectors" / approximate.name
    try:
        sound = sha256_of_files([file]) == [approximate.file.sha256]
    except OSError:
        sound = False
    if not sound:
        raise fault(file, "is missing or damaged", folder)
    return faiss.read_index(str(file), faiss.IO_FLAG_MMAP | faiss.IO_FLAG_READ_ONLY)


def _selector(allowed: NDArray[np.bool_]) -> Any:
    bits = np.packbits(allowed, bitorder="little")
    return None if allowed.all() else _faiss.IDSelectorBitmap(bits)


def _search(
    index: Any, vector: NDArray[np.float32], depth: int, parameters: Any
) -> NDArray[np.int64]:
    query = vector.reshape(1, -1).astype(np.float32)
    wanted = min(depth, index.ntotal)
    numbers: NDArray[np.int64] = index.search(query, wanted, params=parameters)[1][0]
    return numbers[numbers >= 0]
