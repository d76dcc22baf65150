from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote

from uhhrag.archive.snapshot import Snapshot
from uhhrag.documents.reader_client import ReadingProcess
from uhhrag.indexing.document_index import DocumentIndex
from uhhrag.protocols import Search
from uhhrag.records import Page
from uhhrag.system.spare import spare_folder

SMALL = 50_000
"""Most sentences searched by meaning, in memory."""
QuickSearch = Callable[[DocumentIndex], Search | None]


@dataclass(frozen=True, slots=True)
class Sources:
    pages: Mapping[str, tuple[Page, ...]]
    folder_of: Callable[[Page], Path | None]
    """None unless the page's file is as it was read."""
    drawing: threading.Lock = field(default_factory=threading.Lock)

    def file(self, page: Page) -> Path | None:
        """None if gone or outside its folder."""
        folder = self.folder_of(page) if page.file else None
        if folder is None:
            return None
        root = folder.resolve()
        path = root / unquote(page.file)
        inside = path.resolve().is_relative_to(root) and not path.is_symlink()
        return path if inside and path.is_file() else None

    def picture(self, path: Path, number: int, sentence: str) -> bytes:
        """The page as PNG; b"" if it cannot be drawn."""
        with self.drawing, spare_folder() as spare:
            spool = spare / "page.png"
            with ReadingProcess() as reader:
                fault = reader.render(path, number, sentence, spool)
            return b"" if fault else spool.read_bytes()


@dataclass(frozen=True)
class Searchable:
    snapshot: Snapshot
    index: Callable[[], DocumentIndex]
    search: QuickSearch

    @cached_property
    def ranked(self) -> Search | None:
        """By words and meaning; made of all sentences, if they are not too many."""
        small = self.snapshot.manifest.counts.lines <= SMALL
        return self.search(self.index()) if small else None

    def page(self, number: int) -> Page | None:
        """None if absent. Raises IndexFault if damaged."""
        there = 0 <= number < len(self.snapshot.live) and self.snapshot.live[number]
        return self.snapshot.page(number) if there else None
