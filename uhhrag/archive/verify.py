"""Checks an archive; rewrites it without deleted (compact) or damaged (repair) parts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path

import numpy as np
import orjson
from numpy.typing import NDArray

from uhhrag.archive import embedding, file_table, manifest
from uhhrag.archive.file_table import FileRow
from uhhrag.archive.manifest import FileEntry, Manifest, Segment, Vectors
from uhhrag.archive.segments import SegmentReader, entry_of, windows
from uhhrag.archive.snapshot import Snapshot, of_parts, open_snapshot
from uhhrag.archive.vector_index import ArchiveVectors
from uhhrag.archive.writing import (
    COPIES,
    ArchiveWriter,
    open_writer,
    put,
    sole_writer,
    tidy,
    unlisted_files,
)
from uhhrag.documents.listing import display_path
from uhhrag.errors import IndexFault
from uhhrag.system import atomic, locks
from uhhrag.system.checks import FileCheck, fault_alone, unfinished_files
from uhhrag.system.checksums import sha256_of_file
from uhhrag.system.terminal import first_of, quantity


def check_archive(folder: Path) -> Iterator[FileCheck]:
    """Reports unlisted files too. Raises IndexFault without an archive or if it is written."""
    manifest.require_archive(folder)
    busy = IndexFault(f"{folder}: another uhhrag is writing it; verify it when that has ended")
    with locks.no_writer(folder / locks.NAME, busy):
        state, fault = _state(folder)
        yield FileCheck(folder / manifest.NAME, fault)
        if state is None:
            return
        for name, entry in state.named().items():
            yield FileCheck(folder / name, fault_of(folder / name, entry))
        yield _copy(folder, state)
        for path in unlisted_files(folder, state):
            yield FileCheck(path, "is left over or does not belong here")
        yield from unfinished_files(folder)


def _copy(folder: Path, state: Manifest) -> FileCheck:
    copy = folder / COPIES / f"{manifest.draft(state.number)}.json"
    try:
        same = copy.read_bytes() == manifest.to_bytes(state)
        return FileCheck(copy, "" if same else "is not as it was written")
    except OSError as error:
        return FileCheck(copy, f"cannot be read: {error.strerror}")


def _state(folder: Path) -> tuple[Manifest | None, str]:
    try:
        return manifest.read(folder)[0], ""
    except IndexFault as fault:
        return None, fault_alone(fault, folder / manifest.NAME, folder)


def fault_of(file: Path, entry: FileEntry) -> str:
    """`""` if sound."""
    try:
        if file.stat().st_size != entry.size:
            return f"has {quantity(file.stat().st_size, 'byte')}, not {entry.size:,}"
        return "" if sha256_of_file(file) == entry.sha256 else "its SHA-256 has changed"
    except OSError as error:
        return f"cannot be read: {error.strerror}"


@dataclass(frozen=True, slots=True)
class Repair:
    lines: tuple[str, ...] = ()
    update: bool = False
    """Files must be read again."""
    embed: bool = False
    """Passages must be embedded again."""


def repair(folder: Path) -> Repair:
    """Drops damaged parts, to be made again. Raises IndexFault without a manifest."""
    manifest.require_archive(folder)
    lines: list[str] = []
    with sole_writer(folder):
        state, fault = _state(folder)
        if state is None:
            state = _newest_copy(folder, fault)
            lines.append(f"{manifest.NAME}: {fault}; its copy is in place again")
            atomic.write_file(folder / manifest.NAME, manifest.to_bytes(state))
        tidy(folder, state)
        named = state.named().items()
        checked = ((name, fault_of(folder / name, entry)) for name, entry in named)
        faults = {name: why for name, why in checked if why}
        lines += [f"{name}: {why}" for name, why in faults.items()]
        if (copy := _copy(folder, state)).fault:
            lines.append(f"{copy.file.relative_to(folder)}: {copy.fault}; it is made again")
            atomic.write_file(copy.file, manifest.to_bytes(state))
        if not faults:
            return Repair(tuple(lines))
        vectors = _sound_vectors(state, faults)
        without_vectors = replace(state, vectors=vectors)
        starts = {f"segments/{segment.name}/": segment for segment in state.segments}
        broken = [s for start, s in starts.items() if any(n.startswith(start) for n in faults)]
        table = any(name.startswith("files/") for name in faults)
        if table:
            lines.append("which files were removed is not known any more; update, and remove them")
        if broken or table or any(name.startswith("text/") for name in faults):
            names = _rewrite_sound(folder, without_vectors, broken, table)
        else:
            names = []
            put(folder, replace(without_vectors, number=state.number + 1))
        after, _ = manifest.read(folder)
    lost = vectors != state.vectors or after.behind > state.behind
    gone = quantity(state.counts.files - after.counts.files, "file")
    gone += f" ({first_of(names)})" if names else ""
    documents = quantity(state.counts.documents - after.counts.documents, "document")
    lines.append(f"dropped: {gone}, {documents}")
    if after.behind > state.behind:
        lines.append(f"{quantity(after.behind, 'passage')} without a vector now")
    return Repair(tuple(lines), bool(broken) or table, lost)


def _newest_copy(folder: Path, fault: str) -> Manifest:
    for file in sorted((folder / COPIES).glob("*.json"), reverse=True):
        with suppress(IndexFault):
            state, _ = manifest.read(folder, f"{COPIES}/{file.name}")
            if all((folder / name).exists() for name in state.named()):
                return state
    raise IndexFault(
        f"{folder / manifest.NAME}: {fault}, and no sound copy of it is left; make the archive "
        "again: uhhrag ingest FOLDER --out ANOTHER_FOLDER"
    )


def _sound_vectors(state: Manifest, faults: dict[str, str]) -> Vectors | None:
    vectors = state.vectors
    if vectors is None:
        return None
    sound = takewhile(lambda part: f"vectors/{part.name}" not in faults, vectors.parts)
    left = replace(vectors, parts=tuple(sound))
    lists = vectors.approximate
    if lists and (f"vectors/{lists.name}" in faults or lists.passages > left.passages):
        left = replace(left, approximate=None)
    return left


def _rewrite_sound(
    folder: Path, state: Manifest, broken: list[Segment], table_is_broken: bool
) -> list[str]:
    """Gives the names of dropped files, as far as known."""
    rows = () if table_is_broken else file_table.read(folder, state).values()
    lost = {row for row in rows if any(_reaches(row, segment) for segment in broken)}
    sound = [row for row in rows if row not in lost]
    kept = (segment for segment in state.segments if segment not in broken)
    readers = tuple(SegmentReader(folder / "segments" / one.name, one) for one in kept)
    snapshot = of_parts(folder, state, readers, file_table.as_table(sound))
    for _ in rewrite(folder, state, snapshot):
        pass
    return [display_path(row.name) for row in rows if row in lost and row.documents]


def _reaches(row: FileRow, segment: Segment) -> bool:
    end = segment.document + segment.documents
    return row.document < end and segment.document < row.document + row.documents


def compact(folder: Path) -> Iterator[int]:
    """Yields old document numbers. Raises as `open_writer`, and IndexFault if damaged."""
    with open_writer(folder) as writer:
        yield from rewrite(folder, writer.state, open_snapshot(folder))


def rewrite(folder: Path, state: Manifest, snapshot: Snapshot) -> Iterator[int]:
    """Writes `snapshot` as the state after `state`; yields old document numbers."""
    empty = replace(state, segments=(), text=None, files=None, vectors=None)
    fresh = ArchiveWriter(folder, empty, {})
    order: list[NDArray[np.int64]] = []
    same = True
    try:
        for row in sorted(snapshot.files, key=lambda row: (row.document, row.folder, row.name)):
            first, passages = fresh.document, 0
            for document in range(row.document, row.document + row.documents):
                page = snapshot.page(document)
                passages += fresh.add(orjson.loads(snapshot.content(document)), page)
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
    """Vectors up to the first missing one. Raises IndexFault if damaged."""
    without = np.flatnonzero(numbers >= vectors.passages)
    there = numbers[: without[0]] if len(without) else numbers
    reader = ArchiveVectors(snapshot, replace(vectors, approximate=None))
    for part in vectors.parts:
        if entry_of(file := snapshot.folder / "vectors" / part.name) != part.file:
            raise manifest.fault(file, "is damaged", snapshot.folder)
    gathered = Vectors(vectors.embedder)
    for start in range(0, len(there), embedding.PART):
        rows = reader.rows(there[start : start + embedding.PART])
        part = embedding.write_part(folder, start, rows)
        gathered = replace(gathered, parts=(*gathered.parts, part))
    if len(there) > embedding.EXACT:
        moved = ArchiveVectors(replace(snapshot, folder=folder), gathered)
        made = embedding.make_lists(folder, moved.rows, np.arange(len(there)))
        gathered = replace(gathered, approximate=made)
    return gathered


def size_of(state: Manifest) -> int:
    return sum(entry.size for entry in state.named().values())
