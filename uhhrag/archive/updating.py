from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import orjson

from uhhrag.archive.file_table import FileRow, rows_of
from uhhrag.archive.snapshot import open_snapshot
from uhhrag.archive.verify import rewrite
from uhhrag.archive.writing import ArchiveWriter, open_writer
from uhhrag.documents.changed import FileOutcome, FileState, read_if_changed, require_documents
from uhhrag.documents.listing import DocumentFile, FolderListing, is_filled
from uhhrag.documents.reader_client import ReadingProcess
from uhhrag.errors import InputError
from uhhrag.records import Page
from uhhrag.store.knowledge_store import Skipped, page_of, record_of
from uhhrag.system.spare import spare_folder
from uhhrag.system.terminal import quantity

COMMIT_PASSAGES = 100_000
"""Passages; checked after each file."""


@dataclass(frozen=True, slots=True)
class UpdateOptions:
    again: bool = False
    """Read unchanged files too."""
    removed: bool = False
    """Read files too that a user removed."""
    alone: bool = False
    """Follow this folder only, wherever it was."""
    compacts: int = 0
    """Most passages to rewrite without the texts of documents that went away."""
    dropped: Callable[[str], None] = lambda name: None
    """Gets the name of each file that went away, with its documents."""


def follow_folder(
    archive: Path, survey: FolderListing, taking: UpdateOptions
) -> Generator[FileOutcome]:
    """Makes a missing archive; yields each file's outcome; commits even if interrupted. Raises
    InputError without documents or if the folder vanishes, and as `open_writer`."""
    require_documents(survey)
    with (
        open_writer(archive, new=True) as writer,
        spare_folder() as spare,
        ReadingProcess() as reader,
    ):
        update = _Update(writer, reader, spare / "records", taking)
        try:
            folder = update.number_of(survey.folder)
            for file in survey.files:
                outcome = update.take(folder, file)
                if outcome.state is FileState.UNREADABLE:
                    _require_there(survey.folder)
                yield outcome
                if writer.waiting >= COMMIT_PASSAGES:
                    update.commit()
            _require_there(survey.folder)
            update.drop_missing(folder, survey)
        except (GeneratorExit, KeyboardInterrupt):
            update.commit()
            raise
        update.commit()
        if writer.state.counts.passages <= taking.compacts:
            _compact(writer)


def keep_pages(archive: Path, row: FileRow, pages: Iterable[Page | Skipped]) -> None:
    """Makes one file's pages all that an archive holds; reads none if it holds them. The row's
    `why` tells what is skipped. Raises as `open_writer`."""
    with open_writer(archive, new=True) as writer:
        if [held.sha256 for held in writer.rows.values()] == [row.sha256]:
            return
        for old in writer.rows.values():
            writer.delete(old.document, old.documents)
        given, why = [*pages], ""
        added = _added(writer, row, ((record_of(p), p) for p in given if isinstance(p, Page)))
        if skipped := [page for page in given if isinstance(page, Skipped)]:
            first = f"the first at {skipped[0].place}: {skipped[0].why}"
            why = f"{quantity(len(skipped), 'record')} left out; {first}"
        writer.rows.clear()
        writer.rows[row.folder, row.name] = replace(added, why=why)
        writer.commit()
        _compact(writer)


def _compact(writer: ArchiveWriter) -> None:
    if writer.state.has_deleted:
        for _ in rewrite(writer.folder, writer.state, open_snapshot(writer.folder)):
            pass


def _require_there(folder: Path) -> None:
    """Raises InputError if a disk or share vanished: its files would look unreadable or deleted."""
    if not is_filled(folder):
        raise InputError(
            f"{folder}: went away while it was read; connect it and run the same command again; "
            "what was committed is kept"
        )


def _known(outcome: FileOutcome, row: FileRow) -> FileOutcome:
    unread = FileState.UNREADABLE if row.why else FileState.LEFT_OUT
    state = unread if row.unreadable else FileState.KEPT
    told: dict[str, Any] = {n: getattr(row, n) for n in ("documents", "lines", "why", "language")}
    return replace(outcome, state=state, **told)


def _added(
    writer: ArchiveWriter, row: FileRow, records: Iterable[tuple[dict[str, Any], Page]]
) -> FileRow:
    first, lines, passages = writer.document, 0, 0
    try:
        for record, page in records:
            passages += writer.add(record, page)
            lines += len(page.lines)
    except BaseException:
        # A commit after an interrupt must not hold half a file.
        writer.delete(first, writer.document - first)
        raise
    documents = writer.document - first
    return replace(row, document=first, documents=documents, lines=lines, passages=passages)


class _Update:
    def __init__(
        self, writer: ArchiveWriter, reader: ReadingProcess, spool: Path, taking: UpdateOptions
    ) -> None:
        self._writer, self._reader, self._spool, self._taking = writer, reader, spool, taking
        self._folders = list(writer.state.folders)
        self._changed = False

    def number_of(self, path: Path) -> int:
        name = str(path.resolve())
        if self._taking.alone and self._folders != [name]:
            self._folders, self._changed = [name], True
            for key in tuple(self._writer.rows):
                if key[0]:
                    self._drop(key)
        if name not in self._folders:
            moved = next((n for n in range(len(self._folders)) if self._is_now(n, path)), None)
            if moved is None:
                self._folders.append(name)
            else:
                self._folders[moved] = name
            self._changed = True
        return self._folders.index(name)

    def _is_now(self, number: int, path: Path) -> bool:
        """Whether a folder is gone, and most of its files are in another."""
        if Path(self._folders[number]).exists():
            return False
        names = [n for (of, n), row in self._writer.rows.items() if of == number and row.documents]
        return sum((path / unquote(name)).is_file() for name in names) * 2 > len(names)

    def take(self, folder: int, file: DocumentFile) -> FileOutcome:
        key, rows = (folder, file.name), self._writer.rows
        before = rows.get(key)
        if before and before.removed and not self._taking.removed:
            return FileOutcome(file.name, FileState.LEFT_OUT)
        unchanged = before and not before.removed and not self._taking.again
        look = read_if_changed(
            file, before.state if before and unchanged else None, self._reader, self._spool
        )
        if look.outcome.state is FileState.KEPT and before:
            if look.state != before.state:
                rows[key] = replace(before, **look.state)
                self._changed = True
            return _known(look.outcome, before)
        self._drop(key)
        outcome = look.outcome
        if look.state:
            row = FileRow(
                folder, file.name, **look.state, why=outcome.why, language=outcome.language
            )
            was_read = outcome.state is FileState.READ
            read = was_read and _added(self._writer, row, self._read(row.name))
            rows[key] = read or replace(row, unreadable=True)
            self._changed = True
        return outcome

    def _read(self, name: str) -> Iterator[tuple[dict[str, Any], Page]]:
        with self._spool.open("rb") as records:
            for record in records:
                page = page_of(record, name)
                if isinstance(page, Skipped):  # the reader process has written it
                    raise InputError(f"{name}: {page.why}; read it again by --again")
                yield orjson.loads(record), page

    def drop_missing(self, folder: int, survey: FolderListing) -> None:
        """Keeps files that an unreadable folder may hold."""
        there = {file.name for file in survey.files}
        closed = tuple(f"{name}/" if name != "." else "" for name, _ in survey.closed)
        for number, name in tuple(self._writer.rows):
            if number == folder and name not in there and not name.startswith(closed):
                if self._writer.rows[number, name].documents:
                    self._taking.dropped(name)
                self._drop((number, name))

    def _drop(self, key: tuple[int, str]) -> None:
        row = self._writer.rows.pop(key, None)
        if row is not None:
            if row.documents:
                self._writer.delete(row.document, row.documents)
            self._changed = True

    def commit(self) -> None:
        """Not retried if interrupted: its parts may be half done."""
        if self._changed:
            self._changed = False
            self._writer.commit(folders=tuple(self._folders))


def remove_files(folder: Path, names: Sequence[str]) -> tuple[FileRow, ...]:
    """Later updates leave them out; `names` as in `rows_of`. Raises InputError."""
    with open_writer(folder) as writer:
        rows = writer.rows.values()
        chosen = dict.fromkeys(row for name in names for row in rows_of(name, rows, folder))
        for row in chosen:
            writer.delete(row.document, row.documents)
            gone = replace(row, document=0, documents=0, lines=0, passages=0, removed=True)
            writer.rows[row.folder, row.name] = gone
        writer.commit()
    return tuple(chosen)
