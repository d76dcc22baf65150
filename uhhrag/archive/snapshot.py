"""One state of an archive, readable after deletion; 65 bytes a passage."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from uhhrag.archive import file_table, manifest
from uhhrag.archive.file_table import FileRow
from uhhrag.archive.manifest import Manifest
from uhhrag.archive.segments import SegmentReader, text_of
from uhhrag.archive.text_index import TextReader
from uhhrag.errors import IndexFault
from uhhrag.records import Page
from uhhrag.store.knowledge_store import Skipped, page_of
from uhhrag.system.address_space import allow_open_files
from uhhrag.system.checksums import sha256, sha256_of_file

T = TypeVar("T")
_TRIES = 20


@dataclass(frozen=True)
class Snapshot:
    """Reading documents raises IndexFault for damaged bytes."""

    folder: Path
    manifest: Manifest
    digest: str
    """Unique to the state."""
    segments: tuple[SegmentReader, ...]
    table: pa.Table
    text: TextReader | None
    day: NDArray[np.int32]
    """By document, as `segments.day_of`."""
    live: NDArray[np.bool_]
    """By document."""
    document: NDArray[np.int32]
    """By passage."""
    line: NDArray[np.int32]
    """By passage: first line."""
    lines: NDArray[np.int32]
    """By passage: number of lines."""

    @property
    def made_of(self) -> str:
        """Equal for equal files of a source or store, though stored anew; else `digest`."""
        if self.manifest.folders:
            return self.digest
        files = sorted((row.sha256, row.documents, row.lines) for row in self.files)
        return sha256(f"{files} {self.manifest.counts}")

    @cached_property
    def files(self) -> tuple[FileRow, ...]:
        return tuple(FileRow(**row) for row in self.table.to_pylist())

    def by_document(self, name: str) -> pa.ChunkedArray:
        """The column "url" or "host"; "" if unknown."""
        columns = [reader.places[name].combine_chunks() for reader in self.segments]
        return pa.chunked_array(columns, pa.string())

    def content(self, document: int) -> bytes:
        """Its JSON line, as in a knowledge store."""
        return self._reader(document).content(document)

    def _reader(self, document: int) -> SegmentReader:
        after = bisect_right(self.segments, document, key=lambda one: one.segment.document)
        return self.segments[after - 1]

    def page(self, document: int) -> Page:
        page = page_of(self.content(document), str(self._reader(document).folder))
        if isinstance(page, Skipped):
            raise IndexFault(f"{page.place}: document {document}: {page.why}")
        return page

    def pages(self) -> dict[int, Page]:
        """Without deleted ones."""
        return {number: self.page(number) for number in np.flatnonzero(self.live).tolist()}

    def passages_of(self, document: int) -> NDArray[np.int64]:
        first, stop = np.searchsorted(self.document, (document, document + 1))
        return np.arange(first, stop)

    def cut(self, numbers: NDArray[np.int64]) -> list[tuple[int, int]]:
        """(first line, number of lines) each."""
        first, lines = self.line[numbers].tolist(), self.lines[numbers].tolist()
        return list(zip(first, lines, strict=True))

    def passage(self, number: int) -> tuple[Page, range]:
        first = int(self.line[number])
        return self.page(int(self.document[number])), range(first, first + int(self.lines[number]))

    def passage_text(self, number: int) -> str:
        page, place = self.passage(number)
        return text_of(page.title, page.part(place))


def open_snapshot(folder: Path) -> Snapshot:
    """Raises IndexFault."""
    return opened_with(folder, lambda snapshot: snapshot)


def opened_with(folder: Path, use: Callable[[Snapshot], T]) -> T:
    """Runs `use`, again if a writer came between. Raises IndexFault, and as `use`."""
    for _ in range(_TRIES):
        state, digest = manifest.read(folder)
        try:
            return use(_sound(folder, state, digest))
        except IndexFault:
            if manifest.read(folder)[1] == digest:
                raise
    raise IndexFault(f"{folder}: changes faster than it can be opened; try again")


def _sound(folder: Path, state: Manifest, digest: str) -> Snapshot:
    try:
        files = len(state.segments) + len(state.vectors.parts if state.vectors else ())
        allow_open_files(files)
        table = file_table.table_of(folder, state)
        text = TextReader(folder / "text" / state.text.name) if state.text else None
        named = ((folder / "segments" / segment.name, segment) for segment in state.segments)
        readers = tuple(SegmentReader(place, segment) for place, segment in named)
        return of_parts(folder, state, readers, table, digest, text)
    except OSError as error:
        if isinstance(error, FileNotFoundError) and error.filename:
            raise manifest.fault(Path(error.filename), "is missing", folder) from error
        why = f"cannot be read: {error.strerror}"
        raise IndexFault(f"{error.filename or folder}: {why}") from error
    except (ValueError, KeyError, IndexError, TypeError, pa.ArrowException) as error:
        why = f"its parts do not fit together ({error!r:.80})"
        raise manifest.fault(folder, why, folder) from error


def of_parts(
    folder: Path,
    state: Manifest,
    readers: tuple[SegmentReader, ...],
    table: pa.Table,
    digest: str = "",
    text: TextReader | None = None,
) -> Snapshot:
    day = np.zeros(state.documents, np.int32)
    document, line, lines = (np.zeros(state.passages, np.int32) for _ in range(3))
    for segment in state.segments:
        document[segment.passage : segment.passage + segment.passages] = segment.document
    for reader in readers:
        segment = reader.segment
        day[segment.document : segment.document + segment.documents] = reader.day
        own = slice(segment.passage, segment.passage + segment.passages)
        document[own], line[own], lines[own] = reader.document, reader.line, reader.lines
    live = file_table.live(table, state.documents)
    return Snapshot(folder, state, digest, readers, table, text, day, live, document, line, lines)


class ArchivePages(Mapping[str, tuple[Page, ...]]):
    """By address, read on demand. Raises IndexFault for damaged bytes."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._urls = snapshot.by_document("url")

    def __getitem__(self, url: str) -> tuple[Page, ...]:
        documents = self._documents(url)
        if not documents:
            raise KeyError(url)
        return tuple(map(self._snapshot.page, documents))

    def __contains__(self, url: object) -> bool:
        return isinstance(url, str) and bool(self._documents(url))

    def __iter__(self) -> Iterator[str]:
        return iter(self._alive().to_pylist())

    def __len__(self) -> int:
        return len(self._alive())

    def folder_of(self, page: Page) -> Path | None:
        """None if page or file is missing or changed."""
        row = self._row_of(page)
        folders = self._snapshot.manifest.folders  # none of pages that are no files of their own
        folder = Path(folders[row.folder]) if row and folders else None
        return folder if row and folder and _is_as_read(row, folder) else None

    def is_as_read(self, page: Page, folder: Path) -> bool:
        row = self._row_of(page)
        return row is not None and _is_as_read(row, folder)

    def _row_of(self, page: Page) -> FileRow | None:
        table = self._snapshot.table
        rows = table.filter(pc.equal(table["name"], page.file)).to_pylist()
        for document in self._documents(page.url):
            for row in rows:
                behind = document - row["document"]
                if 0 <= behind < row["documents"] and self._snapshot.page(document) == page:
                    return FileRow(**row)
        return None

    def _documents(self, url: str) -> list[int]:
        same = pc.equal(self._urls, pa.scalar(url, pa.string()))
        numbers = pc.indices_nonzero(same).to_pylist()
        return [number for number in numbers if self._snapshot.live[number]]

    def _alive(self) -> pa.Array:
        return pc.unique(self._urls.filter(pa.array(self._snapshot.live)))


def _is_as_read(row: FileRow, folder: Path) -> bool:
    path = folder / unquote(row.name)
    try:
        return path.stat().st_size == row.size and sha256_of_file(path) == row.sha256
    except OSError:
        return False
