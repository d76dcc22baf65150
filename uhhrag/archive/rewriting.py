"""Rewrites an archive without deleted (compact) or damaged (repair) parts.

Vectors are copied if passages stay."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from uhhrag.archive import embedding
from uhhrag.archive.manifest import Manifest, Vectors
from uhhrag.archive.segments import entry_of
from uhhrag.archive.snapshot import Snapshot, open_corpus
from uhhrag.archive.vector_index import CorpusVectors
from uhhrag.archive.windows import windows
from uhhrag.archive.writing import CorpusWriter, open_writer
from uhhrag.errors import IndexFault


def compact(folder: Path) -> Iterator[int]:
    """Yields old document numbers. Raises as `open_writer`, and IndexFault if damaged."""
    with open_writer(folder) as writer:
        yield from rewrite(folder, writer.state, open_corpus(folder))


def rewrite(folder: Path, state: Manifest, snapshot: Snapshot) -> Iterator[int]:
    """Writes `snapshot` as the state after `state`; yields old document numbers."""
    empty = replace(state, segments=(), text=None, files=None, vectors=None)
    fresh = CorpusWriter(folder, empty, {})
    order: list[NDArray[np.int64]] = []
    same = True
    try:
        for row in sorted(snapshot.files, key=lambda row: (row.document, row.folder, row.name)):
            first, passages = fresh.document, 0
            for document in range(row.document, row.document + row.documents):
                page = snapshot.page(document)
                passages += fresh.add(snapshot.record(document), page)
                numbers = snapshot.passages_of(document)
                order.append(numbers)
                same = same and windows(page.lines) == snapshot.cut(numbers)
                yield document
            renumbered = replace(row, document=first, passages=passages)
            fresh.rows[row.folder, row.name] = renumbered
        vectors = None
        if same and state.vectors:
            numbers = np.concatenate(order) if order else np.empty(0, np.int64)
            vectors = _gathered(folder, snapshot, state.vectors, numbers)
        fresh.commit(vectors=vectors)
    finally:
        fresh.close()


def _gathered(
    folder: Path, snapshot: Snapshot, vectors: Vectors, numbers: NDArray[np.int64]
) -> Vectors:
    """Vectors up to the first missing one.

    Raises IndexFault if one is damaged: its copy would count as sound."""
    without = np.flatnonzero(numbers >= vectors.passages)
    there = numbers[: without[0]] if len(without) else numbers
    reader = CorpusVectors(snapshot, replace(vectors, approximate=None))
    for part in vectors.parts:
        if entry_of(file := snapshot.folder / "vectors" / part.name) != part.file:
            raise IndexFault(f"{file}: is damaged; run: uhhrag archive repair {snapshot.folder}")
    gathered = Vectors(vectors.embedder)
    for start in range(0, len(there), embedding.PART):
        rows = reader.rows(there[start : start + embedding.PART])
        part = embedding.write_part(folder, start, rows)
        gathered = replace(gathered, parts=(*gathered.parts, part))
    if len(there) > embedding.EXACT:
        moved = CorpusVectors(replace(snapshot, folder=folder), gathered)
        made = embedding.make_lists(folder, moved.rows, np.arange(len(there)))
        gathered = replace(gathered, approximate=made)
    return gathered


def size_of(state: Manifest) -> int:
    return sum(entry.size for entry in state.named().values())
