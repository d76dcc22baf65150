"""A folder of small documents, and the corpus that is made of it in this process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.support.documents import HereReader, write_rows
from tests.support.doubles import FAKE, fake_embed
from uhhrag.archive import updating
from uhhrag.archive.embedding import embed_passages
from uhhrag.archive.filters import NO_FILTER
from uhhrag.archive.snapshot import Snapshot
from uhhrag.archive.updating import UpdateOptions, follow_folder
from uhhrag.documents.changed import FileOutcome
from uhhrag.documents.listing import list_documents

Row = dict[str, Any]
ROWS = (
    {"_id": "1", "title": "Harbours", "text": "The harbour was dredged. It cost much.",
     "date": "2019-06-11", "url": "https://news.a.example/harbour"},
    {"_id": "2", "title": "Snow", "text": "Snow fell on Amber Hill.",
     "date": "2021-01-05", "url": "https://b.example/snow"},
    {"_id": "3", "title": "Dogs", "text": "The harbour dogs barked at the moon."},
)  # fmt: skip


def write_documents(folder: Path) -> Path:
    """Three documents in one file of rows, and one in a text file."""
    (folder / "sub").mkdir(parents=True)
    write_rows(folder / "rows.jsonl", *ROWS)
    (folder / "sub" / "note.txt").write_text("Cows eat grass near the harbour. Hay is dry.")
    return folder


def write_dated(folder: Path, documents: int, content: Callable[[int, int], Row]) -> Path:
    """Documents in three files, on three sites, three quarters of them with a date; `content` is
    what else a document has, by its file and its number there."""
    folder.mkdir()
    for part in range(3):
        rows = [
            {
                "_id": str(number),
                "url": f"https://{'abc'[number % 3]}.example/{part}/{number}",
                "date": f"20{10 + number % 10}-03-01" if number % 4 else "",
                **content(part, number),
            }
            for number in range(documents // 3)
        ]
        write_rows(folder / f"part{part}.jsonl", *rows)
    return folder


def with_vectors(corpus: Path, folder: Path) -> Path:
    """The corpus of a folder, embedded by the stand-in."""
    follow(corpus, folder)
    list(embed_passages(corpus, fake_embed, FAKE))
    return corpus


def read_here(monkeypatch) -> None:
    """Documents are read in this process."""
    monkeypatch.setattr(updating, "ReadingProcess", HereReader)


def follow(corpus: Path, folder: Path, **taking: bool) -> list[FileOutcome]:
    """Bring a corpus into agreement with a folder."""
    files = list_documents(folder, (corpus,))
    return list(follow_folder(corpus, files, UpdateOptions(**taking)))


def searched(snapshot: Snapshot, query: str, leaving_out=NO_FILTER) -> list[str]:
    """The titles or first lines of the passages that the full text finds."""
    if snapshot.text is None:
        return []
    numbers = snapshot.text.search(query, 10, leaving_out.text)
    pages = [snapshot.page(int(snapshot.document[number])) for number in numbers]
    return [page.title or page.lines[0] for page in pages]


def files_of(corpus: Path) -> dict[str, bytes]:
    """Every file of a corpus but its locks."""
    return {
        str(path.relative_to(corpus)): path.read_bytes()
        for path in sorted(corpus.rglob("*"))
        if path.is_file() and not path.name.endswith(".lock")
    }


def everything(snapshot: Snapshot) -> list[tuple[str, Sequence[str]]]:
    """Every document that is not deleted: address and lines, in the order of addresses."""
    pages = [snapshot.page(n) for n in range(len(snapshot.live)) if snapshot.live[n]]
    return sorted((page.url, page.lines) for page in pages)
