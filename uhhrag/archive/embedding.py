from __future__ import annotations

import math
import os
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from uhhrag.archive import manifest
from uhhrag.archive.manifest import Approximate, Manifest, VectorPart, Vectors
from uhhrag.archive.segments import entry_of
from uhhrag.archive.snapshot import Snapshot, open_snapshot
from uhhrag.archive.vector_index import ArchiveVectors
from uhhrag.archive.writing import open_writer, put
from uhhrag.indexing.vectors import EmbedderId, require_unit
from uhhrag.protocols import Embedder
from uhhrag.system import atomic
from uhhrag.system.writing import own_folder, remove

PART = 8192
"""Passages per file, the most that a kill loses."""
BATCH_SIZE = 256
"""Passages per call."""
EXACT = 200_000
"""Most passages without lists: 150 MB of float16 (MiniLM)."""
_OUTSIDE = 0.25
"""Share of unlisted passages above which lists are made again."""
EmbedAll = Callable[[Iterable[tuple[str, ...]]], Generator[NDArray[np.float32], None, None]]
"""Batches of texts → vectors, in order."""
RowsOf = Callable[[NDArray[np.int64]], NDArray[np.float16]]
_SAMPLE = 40
"""Training vectors per list."""


def waiting(state: Manifest, identity: EmbedderId) -> int:
    return state.passages - _begun(state, identity).passages


def embed_passages(folder: Path, embed: Embedder, identity: EmbedderId) -> Iterator[int]:
    return embed_passages_by(folder, lambda batches: (embed(batch) for batch in batches), identity)


def embed_passages_by(folder: Path, embed_all: EmbedAll, identity: EmbedderId) -> Iterator[int]:
    """Yields each new passage's number; replaces another embedder's vectors. Raises as
    `open_writer` and `embed_all`, and ModelError unless vectors have unit length."""
    with open_writer(folder):
        snapshot = open_snapshot(folder)
        state = snapshot.manifest
        vectors = _begun(state, identity)
        firsts = range(vectors.passages, state.passages, PART)
        parts = [range(first, min(first + PART, state.passages)) for first in firsts]
        with closing(embed_all(_texts(parts, snapshot))) as made:
            for part in parts:
                rows, done = np.zeros((len(part), identity.dimension), np.float16), 0
                try:
                    for turn in _turns(part):
                        if len(alive := _alive(turn, snapshot)):
                            require_unit(unit := next(made), 1e-2)
                            rows[alive - part.start] = unit
                        done = turn.stop - part.start
                        yield from turn
                finally:  # also if it is stopped within a part
                    if done:
                        written = write_part(folder, part.start, rows[:done])
                        vectors = replace(vectors, parts=(*vectors.parts, written))
                        state = _committed(folder, state, vectors)
        _list_many(folder, snapshot, state, vectors)


def _turns(part: range) -> Iterator[range]:
    return (part[start : start + BATCH_SIZE] for start in range(0, len(part), BATCH_SIZE))


def _texts(parts: Iterable[range], snapshot: Snapshot) -> Iterator[tuple[str, ...]]:
    for part in parts:
        for turn in _turns(part):
            if len(alive := _alive(turn, snapshot)):
                yield tuple(snapshot.passage_text(int(number)) for number in alive)


def _alive(turn: range, snapshot: Snapshot) -> NDArray[np.int64]:
    numbers = np.arange(turn.start, turn.stop)
    return numbers[snapshot.live[snapshot.document[numbers]]]


def _begun(state: Manifest, identity: EmbedderId) -> Vectors:
    there = state.vectors
    return there if there and there.embedder.vectors == identity.vectors else Vectors(identity)


def write_part(folder: Path, first: int, rows: NDArray[np.float16]) -> VectorPart:
    file = _unused(folder, f"{manifest.draft(first)}-{len(rows)}", ".f16")
    atomic.write_file(file, rows.tobytes())
    return VectorPart(file.name, first, len(rows), entry_of(file))


def _unused(folder: Path, stem: str, suffix: str) -> Path:
    """Readers may hold an earlier file of the same passages."""
    parent, number = folder / "vectors", 0
    own_folder(parent)
    while (file := parent / f"{stem}-{number}{suffix}").exists():
        number += 1
    return file


def _committed(folder: Path, state: Manifest, vectors: Vectors) -> Manifest:
    new = replace(state, number=state.number + 1, vectors=vectors)
    put(folder, new)
    return new


def _list_many(folder: Path, snapshot: Snapshot, state: Manifest, vectors: Vectors) -> None:
    alive = snapshot.live[snapshot.document]
    listed = vectors.approximate.passages if vectors.approximate else 0
    outside = 1 - float(alive[:listed].sum()) / max(1, int(alive.sum()))
    if alive.sum() <= EXACT or (listed and outside <= _OUTSIDE):
        return
    rows_of = ArchiveVectors(snapshot, replace(vectors, approximate=None)).rows
    made = make_lists(folder, rows_of, np.flatnonzero(alive))
    _committed(folder, state, replace(vectors, approximate=made))


def make_lists(folder: Path, rows_of: RowsOf, numbers: NDArray[np.int64]) -> Approximate:
    lists = max(1, round(4 * math.sqrt(len(numbers))))
    index = _trained(rows_of, numbers, lists)
    for start in range(0, len(numbers), 65_536):
        part = numbers[start : start + 65_536]
        index.add_with_ids(rows_of(part).astype(np.float32), part)
    file = _unused(folder, f"lists-{len(numbers)}", ".faiss")
    draft = file.with_name(f".{file.name}.part")
    remove(draft)
    faiss.write_index(index, str(draft))
    with draft.open("rb") as handle:
        os.fsync(handle.fileno())
    draft.replace(file)
    return Approximate(file.name, int(numbers[-1]) + 1, lists, entry_of(file))


def _trained(rows_of: RowsOf, numbers: NDArray[np.int64], lists: int) -> Any:
    chosen = np.random.default_rng(0).permutation(len(numbers))[: _SAMPLE * lists]
    sample = rows_of(numbers[np.sort(chosen)]).astype(np.float32)
    dimension = sample.shape[1]
    kind = faiss.ScalarQuantizer.QT_8bit
    coarse = faiss.IndexFlatIP(dimension)
    index = faiss.IndexIVFScalarQuantizer(
        coarse, dimension, lists, kind, faiss.METRIC_INNER_PRODUCT
    )
    index.train(sample)
    return index
