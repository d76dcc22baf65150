"""An archive's documents by address."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.compute as pc

from uhhrag.archive.file_table import FileRow
from uhhrag.archive.snapshot import Snapshot
from uhhrag.records import Page
from uhhrag.system.checksums import sha256_of_file


class CorpusPages(Mapping[str, tuple[Page, ...]]):
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
        folder = Path(self._snapshot.manifest.folders[row.folder]) if row else None
        return folder if row and folder and _is_as_read(row, folder) else None

    def is_as_read(self, page: Page, folder: Path) -> bool:
        """Whether `folder` holds the page's file unchanged."""
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
