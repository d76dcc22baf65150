"""Documents cut into passages, as a knowledge store's JSON lines and as tables; never changed."""

from __future__ import annotations

import os
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from uhhrag.archive.manifest import FileEntry, Segment, fault
from uhhrag.errors import IndexFault
from uhhrag.records import Page, source_of
from uhhrag.system import arrow_buffers, atomic
from uhhrag.system.address_space import allow_open_files
from uhhrag.system.checksums import sha256, sha256_of_file
from uhhrag.system.writing import new_file
from uhhrag.text.dates import OF_FILE, dated, read_date, site

MAX_PASSAGE_CHARS = 1200
"""Characters: 256 tokens, MiniLM's limit."""
DOCUMENTS, PLACES, PASSAGES = "documents.jsonl", "documents.parquet", "passages.parquet"
_PLACES = pa.schema(
    [
        ("offset", pa.int64()),
        ("length", pa.int32()),
        ("crc", pa.uint32()),
        ("day", pa.int32()),
        ("host", pa.string()),
        ("url", pa.string()),
    ]
)
_PASSAGES = pa.schema([("document", pa.int32()), ("line", pa.int32()), ("lines", pa.int32())])
_KEPT = (
    *("url", "url2text", "title", "site", "author", "date", "dated_by", "file", "pages"),
    *("unit", "ocr", "sections", "language", "quoted", "mails", "note"),
)
LARGEST = 2**31 - 1
"""Numbers are int32."""


class Window(NamedTuple):
    line: int
    lines: int


def windows(lines: Sequence[str], longest: int = MAX_PASSAGE_CHARS) -> list[Window]:
    """About equal, at most `longest` characters; a longer line stands alone.

    >>> windows(["aaaa", "bbbb", "cccc"], longest=9)
    [Window(line=0, lines=2), Window(line=2, lines=1)]
    """
    total = sum(map(len, lines))
    wanted = total / max(1, -(-total // longest))
    cut: list[Window] = []
    first, size, done = 0, 0, 0
    for number, line in enumerate(lines):
        over = size + len(line) > longest
        if number > first and (over or done + len(line) / 2 > wanted * (len(cut) + 1)):
            cut.append(Window(first, number - first))
            first, size = number, 0
        size += len(line)
        done += len(line)
    if len(lines) > first:
        cut.append(Window(first, len(lines) - first))
    return cut


def text_of(title: str, lines: Sequence[str]) -> str:
    """
    >>> text_of("Rain", ["It rained.", "Then it stopped."])
    'Rain. It rained. Then it stopped.'
    """
    head = f"{title.rstrip(' .')}. " if title.strip() else ""
    return head + " ".join(lines)


def day_of(page: Page) -> int:
    """As 20201031; negative if only from file metadata, 0 if undated.

    >>> day_of(Page("https://a.example/2020/10/31/rain", ("It rained.",)))
    20201031
    """
    source = dated(source_of(page))
    last = read_date(source.date) if source.dated_by else None
    day = int(f"{last:%Y%m%d}") if last else 0
    return -day if source.dated_by == OF_FILE else day


class SegmentWriter:
    """`document` and `passage` are the first numbers."""

    def __init__(self, folder: Path, document: int, passage: int) -> None:
        folder.mkdir(parents=True)
        self.folder, self.document, self.passage = folder, document, passage
        self._file = new_file(folder / DOCUMENTS)
        self._places: list[tuple[Any, ...]] = []
        self._passages: list[tuple[int, int, int]] = []

    @property
    def documents(self) -> int:
        return len(self._places)

    @property
    def passages(self) -> int:
        return len(self._passages)

    def add(self, record: dict[str, Any], page: Page) -> list[tuple[int, Window]]:
        always = ("url", "url2text")
        kept = {name: record[name] for name in _KEPT if name in always or record.get(name)}
        content = orjson.dumps(kept) + b"\n"
        number, first = self.documents, self.passage + self.passages
        place = (self._file.tell(), len(content), zlib.crc32(content))
        self._places.append((*place, day_of(page), site(page.url), page.url))
        self._file.write(content)
        cut = windows(page.lines)
        self._passages += [(number, *window) for window in cut]
        return list(enumerate(cut, start=first))

    def finish(self) -> Segment:
        """Forces all to disk."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        places = arrow_buffers.table_of(self._places, _PLACES)
        passages = arrow_buffers.table_of(self._passages, _PASSAGES)
        return _written(self.folder, self.document, self.passage, places, passages)

    def close(self) -> None:
        self._file.close()


def _written(
    folder: Path, document: int, passage: int, places: pa.Table, passages: pa.Table
) -> Segment:
    atomic.write_file(folder / PLACES, arrow_buffers.packed(places))
    atomic.write_file(folder / PASSAGES, arrow_buffers.packed(passages))
    files = {name: entry_of(folder / name) for name in (DOCUMENTS, PLACES, PASSAGES)}
    return Segment(folder.name, document, places.num_rows, passage, passages.num_rows, files)


def join(folder: Path, segments: Sequence[Segment]) -> Segment:
    """Writes consecutive segments into a new `folder`. Raises IndexFault if damaged."""
    allow_open_files(len(segments))
    readers = [SegmentReader(folder.with_name(segment.name), segment) for segment in segments]
    document = segments[0].document
    folder.mkdir()
    offsets = []
    with new_file(folder / DOCUMENTS) as file:
        for reader in readers:
            offsets.append(reader.offset + file.tell())
            file.write(reader.documents())
        file.flush()
        os.fsync(file.fileno())
    places = pa.concat_tables([reader.places for reader in readers])
    places = places.set_column(0, _PLACES.field(0), pa.array(np.concatenate(offsets)))
    numbers = np.concatenate([(r.document - document, r.line, r.lines) for r in readers], axis=1)
    passages = pa.table(list(numbers), schema=_PASSAGES)
    return _written(folder, document, segments[0].passage, places, passages)


def entry_of(file: Path) -> FileEntry:
    return FileEntry(file.stat().st_size, sha256_of_file(file))


class SegmentReader:
    """Readable after deletion. Raises IndexFault if damaged, FileNotFoundError if missing."""

    def __init__(self, folder: Path, segment: Segment) -> None:
        self.folder, self.segment = folder, segment
        self.places = _table(folder / PLACES, segment.files[PLACES], _PLACES)
        passages = _table(folder / PASSAGES, segment.files[PASSAGES], _PASSAGES)
        self._file = os.open(folder / DOCUMENTS, os.O_RDONLY)
        self.offset, self._length, self._crc = (
            self.places[name].to_numpy() for name in ("offset", "length", "crc")
        )
        self.day: NDArray[np.int32] = self.places["day"].to_numpy()
        self.document: NDArray[np.int32] = passages["document"].to_numpy() + segment.document
        self.line: NDArray[np.int32] = passages["line"].to_numpy()
        self.lines: NDArray[np.int32] = passages["lines"].to_numpy()

    def __del__(self) -> None:
        if hasattr(self, "_file"):
            os.close(self._file)

    def documents(self) -> bytes:
        return sound(self.folder / DOCUMENTS, self.segment.files[DOCUMENTS], self.folder.parents[1])

    def content(self, document: int) -> bytes:
        at = document - self.segment.document
        content = os.pread(self._file, int(self._length[at]), int(self.offset[at]))
        if zlib.crc32(content) != int(self._crc[at]):
            where, why = self.folder / DOCUMENTS, f"is damaged (document {document})"
            raise fault(where, why, self.folder.parents[1])
        return content


def sound(file: Path, entry: FileEntry, archive: Path) -> bytes:
    content = file.read_bytes()
    if sha256(content) != entry.sha256:
        raise fault(file, "is damaged (its SHA-256 has changed)", archive)
    return content


def _table(file: Path, entry: FileEntry, schema: pa.Schema) -> pa.Table:
    table = pq.read_table(arrow_buffers.reader_of(sound(file, entry, file.parents[2])))
    if table.schema != schema:
        raise IndexFault(f"{file}: has other columns; it was written by another version of uhhrag")
    return table.combine_chunks()
