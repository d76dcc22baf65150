"""The archive's one writer. A crash loses only uncommitted work."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from uhhrag.archive import file_table, manifest
from uhhrag.archive.file_table import FileRow
from uhhrag.archive.manifest import Manifest, Segment
from uhhrag.archive.segments import LARGEST, SegmentWriter, day_of, join, text_of
from uhhrag.archive.text_index import TextWriter
from uhhrag.errors import UsageError
from uhhrag.records import Page
from uhhrag.system import atomic, locks, writing
from uhhrag.system.extras import require_extra
from uhhrag.text.dates import site
from uhhrag.version import __version__

PARENTS = ("segments", "text", "files", "vectors")
COPIES = "manifests"
"""Copies of the manifest, for repairs."""
SEGMENT_PASSAGES = 200_000
"""Passages per segment, to limit memory."""
MAX_SEGMENTS = 64
"""Readers hold each open."""


class ArchiveWriter:
    """From `open_writer`; nothing lasts before `commit`."""

    def __init__(self, folder: Path, state: Manifest, rows: dict[tuple[int, str], FileRow]) -> None:
        self.folder, self.state, self.rows = folder, state, rows
        self.document, self._passage = state.documents, state.passages  # the next numbers
        self._segments: list[Segment] = []
        self._segment: SegmentWriter | None = None
        self._text: TextWriter | None = None
        self._parts = count()

    @property
    def waiting(self) -> int:
        """Passages not yet committed."""
        return self._passage - self.state.passages

    def add(self, record: dict[str, Any], page: Page) -> int:
        """Gives the number of passages."""
        if self._segment and self._segment.passages >= SEGMENT_PASSAGES:
            self._close_segment()
        if self._segment is None:
            folder = self.folder / "segments" / self._new_name()
            self._segment = SegmentWriter(folder, self.document, self._passage)
        if max(self.document, self._passage) >= LARGEST - len(page.lines):
            raise UsageError(f"{self.folder}: has as many documents as an archive can number")
        document = self.document
        text, host, day = self._text_writer(), site(page.url), day_of(page)
        cut = self._segment.add(record, page)
        self.document += 1  # also where an interrupt leaves out some of its text
        self._passage += len(cut)
        for passage, window in cut:
            body = text_of(page.title, page.lines[window.line : window.line + window.lines])
            text.add(passage, document, day, host, page.file, body)
        return len(cut)

    def delete(self, document: int, documents: int) -> None:
        """The caller changes the file's row."""
        self._text_writer().delete(document, documents)

    def commit(self, **changes: Any) -> None:
        """`changes` are manifest fields."""
        self._close_segment()
        name = manifest.draft(self.state.number + 1)
        text = self._text.finish() if self._text else self.state.text
        self._text = None
        files = file_table.write(self.folder, name, self.rows.values())
        new = replace(
            self.state,
            number=self.state.number + 1,
            counts=file_table.counts(self.rows.values()),
            segments=self._few_segments(),
            text=text,
            files=files,
            uhhrag=__version__,
            **changes,
        )
        put(self.folder, new)
        self.state, self._segments = new, []

    def close(self) -> None:
        """Drops uncommitted work."""
        if self._segment:
            self._segment.close()

    def _text_writer(self) -> TextWriter:
        if self._text is None:
            name = manifest.draft(self.state.number + 1)
            self._text = TextWriter(self.folder / "text", name, self.state.text)
        return self._text

    def _new_name(self) -> str:
        return f"{manifest.draft(self.state.number + 1)}-{next(self._parts)}"

    def _few_segments(self) -> tuple[Segment, ...]:
        segments = (*self.state.segments, *self._segments)
        if len(segments) <= MAX_SEGMENTS:
            return segments
        groups: list[list[Segment]] = [[]]
        passages = 0
        for segment in segments:
            passages += segment.passages
            if groups[-1] and passages > SEGMENT_PASSAGES:
                groups.append([])
                passages = segment.passages
            groups[-1].append(segment)
        names = (self._new_name() for _ in groups)
        folder = self.folder / "segments"
        named = zip(names, groups, strict=True)
        return tuple(join(folder / name, of) if len(of) > 1 else of[0] for name, of in named)

    def _close_segment(self) -> None:
        if self._segment and self._segment.documents:
            self._segments.append(self._segment.finish())
        self._segment = None


def put(folder: Path, new: Manifest) -> None:
    """Also deletes older files."""
    copies = folder / COPIES
    writing.own_folder(copies)
    for parent in (*PARENTS, "."):
        if (folder / parent).is_dir():
            atomic.sync(folder / parent)
    copy = copies / f"{manifest.draft(new.number)}.json"
    atomic.write_file(copy, manifest.to_bytes(new))
    atomic.write_file(folder / manifest.NAME, manifest.to_bytes(new))
    tidy(folder, new)


def tidy(folder: Path, state: Manifest) -> None:
    for path in unlisted_files(folder, state):
        writing.remove(path)
    for parent in (folder, *(folder / name for name in PARENTS)):
        for draft in atomic.drafts_in(parent):
            writing.remove(draft)


def unlisted_files(folder: Path, state: Manifest) -> list[Path]:
    own = {folder.joinpath(*name.split("/")[:2]) for name in state.named()}
    own.add(folder / COPIES / f"{manifest.draft(state.number)}.json")
    there = (path for parent in (*PARENTS, COPIES) for path in sorted((folder / parent).glob("*")))
    return [path for path in there if path not in own]


@contextmanager
def open_writer(folder: Path, *, new: bool = False) -> Generator[ArchiveWriter]:
    """Locks an archive for this process; `new` makes a missing one. Raises IndexFault if missing or
    damaged, UsageError if locked, unwritable or no archive."""
    if not new:
        manifest.require_archive(folder)  # before a lock file is made there
    elif not manifest.is_archive(folder):
        _require_empty(folder)
    with sole_writer(folder):
        state = Manifest()
        if new and not (folder / manifest.NAME).exists() and not (folder / "segments").exists():
            put(folder, state)
        else:
            state, _ = manifest.read(folder)
        tidy(folder, state)
        writer = ArchiveWriter(folder, state, file_table.read(folder, state))
        try:
            yield writer
        finally:
            writer.close()


@contextmanager
def sole_writer(folder: Path) -> Iterator[None]:
    """Raises UsageError if locked or unwritable, or without the extra `corpus`."""
    require_extra("corpus", ("tantivy",), "archives")
    alone = locks.sole_writer(
        folder / locks.NAME,
        busy=UsageError(f"{folder}: another uhhrag is writing it; wait until it ends"),
        unwritable=lambda reason: UsageError(
            f"{folder}: cannot be written: {reason}; make room or name another folder; what was "
            "committed is kept"
        ),
    )
    with alone:
        for name in (*PARENTS, COPIES):
            writing.require_no_link(folder / name)
        yield


def _require_empty(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder}: is a file; give a folder for an archive")
    ours = {COPIES, manifest.NAME}
    there = folder.iterdir() if folder.exists() else ()
    others = [path for path in there if path.name not in ours and not path.name.startswith(".")]
    if others:
        raise UsageError(
            f"{folder}: is not an archive and holds other things ({others[0].name}); choose "
            "another --out"
        )
