"""Reads files that are new, changed, or read by another version."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

from uhhrag.documents.formats import ENDINGS, FORMATS, HOW, read_with
from uhhrag.documents.listing import DocumentFile, FolderListing
from uhhrag.documents.ocr import MISSING, NOT_READ, READ_BY, Tesseract, find_tesseract
from uhhrag.documents.reader_client import ReadingProcess
from uhhrag.errors import InputError
from uhhrag.system.checksums import sha256_of_file
from uhhrag.system.extras import require_extra
from uhhrag.system.terminal import first_of, quantity


class FileState(StrEnum):
    READ = "read"
    KEPT = "kept"
    UNREADABLE = "unreadable"
    LEFT_OUT = "left out"


@dataclass(frozen=True, slots=True)
class FileOutcome:
    name: str
    state: FileState
    documents: int = 0
    lines: int = 0
    why: str = ""
    """Why unreadable, or what was left out."""
    language: str = ""
    """The commonest but English, "" for none or a kept file."""
    scans: int = 0
    """Pages not read for want of Tesseract."""


@dataclass(frozen=True, slots=True)
class FileRead:
    outcome: FileOutcome
    state: Mapping[str, Any] = field(default_factory=dict)


def read_if_changed(
    file: DocumentFile, before: Mapping[str, Any] | None, reader: ReadingProcess, spool: Path
) -> FileRead:
    """Reads into `spool`, a record per line, unless the file is as `before`."""
    tesseract = find_tesseract()
    reader_now = _reader_now(file.kind, before, tesseract)
    state = {"size": file.size, "mtime_ns": file.mtime_ns, "reader": reader_now}
    unread = FileOutcome(file.name, FileState.KEPT, scans=unread_scans(reader_now))
    needs_ocr = file.kind == "picture" and tesseract is None
    if before and {**before, **state} == before:
        return FileRead(unread, before)
    if file.size > (limit := FORMATS[file.kind].largest):
        return _unreadable(file, f"has {file.size:,} bytes; at most {limit:,} are read; split it")
    try:
        state["sha256"] = sha256_of_file(file.path)
    except OSError as error:
        return _unreadable(file, f"cannot be read: {error.strerror}")
    if before and {**before, **state, "mtime_ns": 0} == {**before, "mtime_ns": 0}:
        return FileRead(unread, state)
    version = read_with(file.kind)
    if needs_ocr:
        state["reader"] = version + NOT_READ.format(1)
        return FileRead(FileOutcome(file.name, FileState.LEFT_OUT, scans=1), state)
    state["reader"] = version
    answer = reader.read(file, state, spool)
    if "why" in answer:
        scans = len(answer.get("scans", ()))
        if scans:  # read once Tesseract is there
            state["reader"] = version + NOT_READ.format(scans)
        look = _unreadable(file, answer["why"], scans)
        return look if answer.get("passing") else replace(look, state=state)
    state["reader"] = answer["reader"]
    told = {name: answer[name] for name in ("documents", "lines", "language")}
    scans = unread_scans(answer["reader"])
    read = replace(unread, state=FileState.READ, scans=scans, **told)
    if answer["partly"]:
        many = FORMATS[file.kind].many and answer["faults"]
        count = f"{quantity(answer['faults'], 'record')} left out; " if many else ""
        read = replace(read, why=count + answer["partly"])
    return FileRead(read, state)


def _unreadable(file: DocumentFile, why: str, scans: int = 0) -> FileRead:
    return FileRead(FileOutcome(file.name, FileState.UNREADABLE, why=why, scans=scans))


def _reader_now(kind: str, before: Mapping[str, Any] | None, tesseract: Tesseract | None) -> str:
    """Versions of `before` while they hold; Tesseract makes unread scans due."""
    now = read_with(kind)
    earlier = before["reader"] if before else now
    scans = earlier.removeprefix(now) if earlier.startswith(now) else ""
    still = scans.startswith(READ_BY) or (tesseract is None and unread_scans(earlier))
    return str(earlier) if still else now


def is_outdated(reader: str) -> bool:
    """Whether another version read the file, by its state's `reader`.

    >>> is_outdated("text 4 nupunkt 0.1"), is_outdated(read_with("text"))
    (True, False)
    """
    kind = reader.partition(" ")[0]
    with suppress(PackageNotFoundError):  # an installation that reads no documents
        return bool(kind) and (kind not in FORMATS or not reader.startswith(read_with(kind)))
    return False


def unread_scans(reader: str) -> int:
    """
    >>> unread_scans("pdf 4 pypdfium2 5.0 nupunkt 0.8; 3 scans not read"), unread_scans("text 4")
    (3, 0)
    """
    match = re.search(NOT_READ.format(r"(\d{1,9})") + "$", reader)
    return int(match[1]) if match else 0


def scans_note(scans: Mapping[str, int]) -> str:
    """Advice on unread scans, or "" if none.

    >>> scans_note({"a.pdf": 2, "text.html": 0, "b.png": 1}).split(";")[0]
    '3 pages of 2 files are scans (a.pdf, b.png)'
    """
    scans = {name: pages for name, pages in scans.items() if pages}
    pages = sum(scans.values())
    if not pages:
        return ""
    are = "are scans" if pages > 1 else "is a scan"
    them = MISSING if pages > 1 else MISSING.replace("them", "it")
    of = f"{quantity(pages, 'page')} of {quantity(len(scans), 'file')}"
    return f"{of} {are} ({first_of([*scans], 5)}); {them}"


def require_documents(survey: FolderListing) -> None:
    """Raises InputError without documents; else as `require_readers`."""
    if not survey.files:
        raise InputError(_nothing(survey))
    require_readers(file.kind for file in survey.files)


def require_readers(kinds: Iterable[str]) -> None:
    """Raises UsageError for a missing package."""
    needed = dict.fromkeys([*(n for kind in kinds for n in FORMATS[kind].needs), "nupunkt"])
    require_extra("docs", list(needed), "these documents")


def _nothing(survey: FolderListing) -> str:
    if locked := dict(survey.closed).get("."):
        return f"{survey.folder}: cannot be read: {locked}; give a folder that you may read"
    other = ", ".join(f"{count} {ending}" for ending, count in list(survey.other.items())[:5])
    there = f"; it has {other}" if other else ""
    read = " ".join(ending for ending in ENDINGS if ending not in HOW)
    return f"{survey.folder}: holds no document{there}; give a folder with some ({read})"
