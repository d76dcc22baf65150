"""A folder of documents → a knowledge store: one file of JSON lines, a document per line.

A record has what every knowledge store has (`url`, `url2text`), what the document says of itself
(`title`, `site`, `author`, `date`, what that is `dated_by`, and `pages`, the page number of each
line) and what tells whether its file has changed (`file`, `size`, `mtime_ns`, `sha256`, `reader`).
The last record of a file says what of the file was not read (`partly`), where that is anything.
So the store is its own memory: only files that are new, have another size or time and another hash,
or were read by another version are read again.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from uhhrag.documents.look import STATE, FileOutcome, FileState, look_at, require_documents
from uhhrag.documents.reader_client import ReadingProcess
from uhhrag.documents.survey import DocumentFile, Survey
from uhhrag.errors import UsageError
from uhhrag.system import locks
from uhhrag.system.spare import spare_folder
from uhhrag.system.writing import new_file


@dataclass(slots=True)
class _Known:
    """What the store holds of a file: its state when it was read, where its records lie, and what
    of it was not read."""

    state: dict[str, Any]
    spans: list[tuple[int, int]] = field(default_factory=list)
    lines: int = 0
    partly: str = ""


def ingest(
    survey: Survey, store: Path, nltk_data: Path, *, again: bool = False
) -> Generator[FileOutcome]:
    """Bring the store into agreement with the folder; one outcome per file, in the files' order.

    The store is replaced in one step at the end. Where this is closed or interrupted before, the
    new store has what was read so far and, for the other files, what was known. It is not touched
    where nothing has changed.
    `nltk_data` is the folder with NLTK's data; `again` reads every file anew. Raises InputError
    where the folder has no document, UsageError where `store` is another kind of file, is in use or
    cannot be written, or where the extra `docs` is not installed and a format needs it."""
    require_documents(survey)
    with _sole_writer(store), spare_folder() as spare:
        known = _read_known(store)
        draft = store.with_name(f".{store.name}.part")
        writer = _Writer(store, known, new_file(draft))
        try:
            with ReadingProcess(nltk_data) as reader:
                for file in survey.files:
                    yield _take(file, writer, reader, spare / "records", again=again)
        except (GeneratorExit, KeyboardInterrupt):
            for name in known.keys() - writer.done - _gone(known, survey):
                writer.keep(name, known[name].state)
            writer.put_in_place(draft)
            raise
        else:
            writer.put_in_place(draft)
        finally:
            writer.new.close()
            draft.unlink(missing_ok=True)


def _gone(known: Mapping[str, _Known], survey: Survey) -> set[str]:
    return known.keys() - {file.name for file in survey.files}


def _take(
    file: DocumentFile, writer: _Writer, reader: ReadingProcess, spool: Path, *, again: bool
) -> FileOutcome:
    """Keep what is known of a file, or have it read and its records written."""
    before = None if again else writer.known.get(file.name)
    look = look_at(file, before.state if before else None, reader, spool)
    if look.outcome.state is FileState.KEPT:
        return replace(writer.keep(file.name, dict(look.state)), scans=look.outcome.scans)
    if look.outcome.state is FileState.READ:
        writer.add(file.name, spool, look.outcome.why)
    return look.outcome


class _Writer:
    """The new store while it is being written, beside what is `known` from the old one."""

    def __init__(self, store: Path, known: Mapping[str, _Known], new: BinaryIO) -> None:
        self.store, self.known, self.new = store, known, new
        self.done: set[str] = set()
        self._whole = 0
        self._changed = not known

    def keep(self, name: str, state: dict[str, Any]) -> FileOutcome:
        """Copy the records of a file from the old store; only its time may be another."""
        before = self.known[name]
        with self.store.open("rb") as old:
            for start, length in before.spans:
                old.seek(start)
                record = old.read(length)
                if state != before.state:
                    record = orjson.dumps({**orjson.loads(record), **state}) + b"\n"
                self.new.write(record)
        self._finish(name, changed=state != before.state)
        documents = len(before.spans)
        return FileOutcome(name, FileState.KEPT, documents, before.lines, before.partly)

    def add(self, name: str, spool: Path, partly: str) -> None:
        """Append the records that were read from a file; the last says what was not read of it."""
        last = b""
        with spool.open("rb") as records:
            for record in records:
                self.new.write(last)
                last = record
        if partly and last:
            last = orjson.dumps({**orjson.loads(last), "partly": partly}) + b"\n"
        self.new.write(last)
        self._finish(name, changed=True)

    def _finish(self, name: str, *, changed: bool) -> None:
        self.done.add(name)
        self._whole = self.new.tell()
        self._changed = self._changed or changed

    def put_in_place(self, draft: Path) -> None:
        """Replace the old store, unless it is the same. What a stop cut short is dropped."""
        self.new.truncate(self._whole)
        self.new.flush()
        os.fsync(self.new.fileno())
        if self._changed or self.known.keys() != self.done:
            draft.replace(self.store)


def _read_known(store: Path) -> dict[str, _Known]:
    """What the store holds, by the names of its files. Raises UsageError for a file of another
    kind, which is not to be written over."""
    known: dict[str, _Known] = {}
    if not store.exists():
        return known
    if not store.is_file():  # a device may never end
        raise UsageError(f"{store}: is not a file; give a file for the store by --out")
    at = 0
    with store.open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            try:
                record = orjson.loads(line)
                state = {name: record[name] for name in STATE}
                file = known.setdefault(record["file"], _Known(state))
                file.lines += len(record["url2text"])
                file.partly = str(record.get("partly", file.partly))
            except (orjson.JSONDecodeError, KeyError, TypeError) as error:
                raise UsageError(
                    f"{store}, line {number}: is not a record of uhhrag ingest, so this file is "
                    "not written over; choose another --out, or delete it"
                ) from error
            file.spans.append((at, len(line)))
            at += len(line)
    return known


def _sole_writer(store: Path) -> AbstractContextManager[None]:
    """Hold a store for this process alone. Raises UsageError where another one writes it or the
    system refuses to write."""
    return locks.sole_writer(
        locks.lock_beside(store),
        busy=UsageError(f"{store}: another uhhrag is writing it; wait until it ends"),
        unwritable=lambda reason: UsageError(
            f"{store}: cannot be written: {reason}; give another --out"
        ),
    )
