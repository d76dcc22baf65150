"""The user's files. Their documents are numbered consecutively; those in no row are deleted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any
from unicodedata import normalize
from urllib.parse import unquote

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from uhhrag.archive.manifest import ArchiveCounts, FileSet, Manifest
from uhhrag.archive.segments import entry_of, sound
from uhhrag.documents.changed import is_outdated
from uhhrag.errors import InputError
from uhhrag.system import arrow_buffers, atomic
from uhhrag.system.writing import own_folder


@dataclass(frozen=True, slots=True)
class FileRow:
    folder: int
    """Index in `Manifest.folders`."""
    name: str
    """Path in the folder, percent-encoded."""
    size: int
    mtime_ns: int
    sha256: str
    reader: str
    document: int = 0
    """Number of its first document."""
    documents: int = 0
    lines: int = 0
    passages: int = 0
    removed: bool = False
    """Stays out until added again."""
    why: str = ""
    """What was not read, or ""."""
    language: str = ""
    """The commonest besides English, or ""."""
    unreadable: bool = False
    """Read again only after a change; a picture that waits for Tesseract has no `why`."""

    @property
    def state(self) -> dict[str, Any]:
        """Equal if the file is unchanged."""
        names = ("size", "mtime_ns", "sha256", "reader")
        return {name: getattr(self, name) for name in names}


_TYPES = {"str": pa.string(), "int": pa.int64(), "bool": pa.bool_()}
_SCHEMA = pa.schema([(field.name, _TYPES[str(field.type)]) for field in fields(FileRow)])


def write(folder: Path, name: str, rows: Iterable[FileRow]) -> FileSet:
    file = folder / "files" / f"{name}.parquet"
    own_folder(file.parent)
    atomic.write_file(file, arrow_buffers.packed(as_table(rows)))
    return FileSet(name, {file.name: entry_of(file)})


def as_table(rows: Iterable[FileRow]) -> pa.Table:
    return arrow_buffers.table_of(map(astuple, rows), _SCHEMA)


def table_of(folder: Path, manifest: Manifest) -> pa.Table:
    """Raises IndexFault if damaged, FileNotFoundError if gone."""
    if manifest.files is None:
        return _SCHEMA.empty_table()
    ((name, entry),) = manifest.files.files.items()
    content = sound(folder / "files" / name, entry, folder)
    return pq.read_table(arrow_buffers.reader_of(content))


def read(folder: Path, manifest: Manifest) -> dict[tuple[int, str], FileRow]:
    rows = (FileRow(**row) for row in table_of(folder, manifest).to_pylist())
    return {(row.folder, row.name): row for row in rows}


def live(table: pa.Table, documents: int) -> NDArray[np.bool_]:
    """
    >>> rows = [{"document": 1, "documents": 2}]
    >>> live(pa.Table.from_pylist(rows), 4).tolist()
    [False, True, True, False]
    """
    change = np.zeros(documents + 1, np.int32)
    first, number = (table[name].to_numpy() for name in ("document", "documents"))
    np.add.at(change, first, 1)
    np.add.at(change, first + number, -1)
    alive: NDArray[np.bool_] = np.cumsum(change[:documents]) > 0
    return alive


def outdated(rows: Iterable[FileRow]) -> int:
    """Number of files read by older versions of the program or its packages."""
    readers = Counter(row.reader for row in rows if not row.removed)
    return sum(number for reader, number in readers.items() if is_outdated(reader))


def rows_of(name: str, rows: Iterable[FileRow], folder: Path) -> list[FileRow]:
    """`name` may be percent-encoded; "DIR/" means all below. Raises InputError if unknown."""
    wanted = normalize("NFC", name)
    there = [row for row in rows if not row.removed]
    shown = [row for row in there if _is(normalize("NFC", unquote(row.name)), wanted)]
    if not (found := shown or [row for row in there if _is(row.name, name)]):
        raise InputError(f"{folder}: has no file {name}; give its path in the folder that was read")
    return found


def _is(file: str, name: str) -> bool:
    return file.startswith(name) if name.endswith("/") else file == name


def counts(rows: Iterable[FileRow]) -> ArchiveCounts:
    there = [row for row in rows if not (row.removed or row.unreadable)]
    names = ("documents", "lines", "passages")
    return ArchiveCounts(len(there), **{n: sum(getattr(row, n) for row in there) for n in names})
