"""The documents that claims are checked against: their text as it was read, and their files."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from uhhrag.documents.reader_client import ReadingProcess
from uhhrag.records import Page
from uhhrag.system.spare import spare_folder


@dataclass(frozen=True, slots=True)
class Sources:
    """The documents that claims are checked against: their pages by address, the folder in which
    the file of each stands as it was read (None where there is none, as for a store), and NLTK's
    data, which the process that reads asks for."""

    pages: Mapping[str, tuple[Page, ...]]
    folder_of: Callable[[Page], Path | None]
    nltk_data: Path
    drawing: threading.Lock = field(default_factory=threading.Lock)

    def file(self, page: Page) -> Path | None:
        """The file of a page; None where it is gone, or is not in the folder."""
        folder = self.folder_of(page) if page.file else None
        if folder is None:
            return None
        root = folder.resolve()
        path = root / unquote(page.file)
        inside = path.resolve().is_relative_to(root) and not path.is_symlink()
        return path if inside and path.is_file() else None

    def picture(self, path: Path, number: int, sentence: str) -> bytes:
        """A page of a PDF as PNG, b"" where it cannot be drawn. One is drawn at a time."""
        with self.drawing, spare_folder() as spare:
            spool = spare / "page.png"
            with ReadingProcess(self.nltk_data) as reader:
                fault = reader.render(path, number, sentence, spool)
            return b"" if fault else spool.read_bytes()
