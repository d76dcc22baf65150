"""Whether a file of the user's has to be read, and what came of it.

A file is read again where it is new, has another size or time and another hash, or was read by
another version of a reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from uhhrag.documents.ocr import MISSING, NOT_READ, READ_BY, Tesseract, find_tesseract
from uhhrag.documents.reader_client import ReadingProcess
from uhhrag.documents.survey import FORMATS, DocumentFile, DocumentFormat, Survey
from uhhrag.errors import InputError
from uhhrag.system.checksums import sha256_of_file
from uhhrag.system.extras import require_extra
from uhhrag.system.terminal import some

_LIBRARIES: Mapping[DocumentFormat, tuple[str, ...]] = {
    DocumentFormat.HTML: ("trafilatura", "htmldate"),
    DocumentFormat.PDF: ("pypdfium2",),
    DocumentFormat.DOCX: ("python-docx",),
    DocumentFormat.TEXT: (),
    DocumentFormat.MARKDOWN: ("markdown-it-py",),
    DocumentFormat.ROWS: (),
    DocumentFormat.TABLE: (),
    DocumentFormat.XLSX: (),
    DocumentFormat.ODT: (),
    DocumentFormat.RTF: (),
    DocumentFormat.MAIL: (),
    DocumentFormat.EPUB: (),
    DocumentFormat.PICTURE: (),
}
_MODULES: Mapping[DocumentFormat, tuple[str, ...]] = {
    DocumentFormat.HTML: ("trafilatura", "charset_normalizer"),
    DocumentFormat.PDF: ("pypdfium2",),
    DocumentFormat.DOCX: ("docx",),
    DocumentFormat.TEXT: ("charset_normalizer",),
    DocumentFormat.MARKDOWN: ("markdown_it", "charset_normalizer"),
    DocumentFormat.ROWS: (),
    DocumentFormat.TABLE: ("charset_normalizer",),
    DocumentFormat.XLSX: (),
    DocumentFormat.ODT: (),
    DocumentFormat.RTF: (),
    DocumentFormat.MAIL: ("charset_normalizer",),
    DocumentFormat.EPUB: ("charset_normalizer",),
    DocumentFormat.PICTURE: ("PIL",),
}
"""What each format's reader imports, of the extra `docs`."""
_READERS = 7
"""Counted up when a reader of ours gives another record than before."""
STATE = ("size", "mtime_ns", "reader", "sha256")
"""What of a file's state is kept, by the names of the fields."""
_LARGEST = 256 * 2**20
_LARGEST_ROWS = 16 * 2**30


class FileState(StrEnum):
    READ = "read"
    KEPT = "kept"
    UNREADABLE = "unreadable"
    LEFT_OUT = "left out"


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """What became of a file. `why` it could not be read, or what of it was left out; `language` is
    the commonest in it other than English, "" for none, as for a file that was kept. `scans` counts
    its pages that are pictures and were not read, since Tesseract is missing."""

    name: str
    state: FileState
    documents: int = 0
    lines: int = 0
    why: str = ""
    language: str = ""
    scans: int = 0


@dataclass(frozen=True, slots=True)
class Look:
    """What became of a file, and the state it is in now."""

    outcome: FileOutcome
    state: Mapping[str, Any] = field(default_factory=dict)


def look_at(
    file: DocumentFile, before: Mapping[str, Any] | None, reader: ReadingProcess, spool: Path
) -> Look:
    """Have a file read into `spool`, a record per line, unless it is as it was `before`: then it is
    kept, and the outcome counts nothing. None stands for a file that is to be read anyway."""
    tesseract = find_tesseract()
    reader_now = _reader_now(file.kind, before, tesseract)
    state = {"size": file.size, "mtime_ns": file.mtime_ns, "reader": reader_now}
    unread = FileOutcome(file.name, FileState.KEPT, scans=_unread_scans(reader_now))
    if file.kind is DocumentFormat.PICTURE and tesseract is None:
        return Look(FileOutcome(file.name, FileState.LEFT_OUT, scans=1))
    if before and {**before, **state} == before:
        return Look(unread, before)
    if file.size > (limit := _LARGEST_ROWS if file.kind is DocumentFormat.ROWS else _LARGEST):
        return _unreadable(file, f"has {file.size:,} bytes; at most {limit:,} are read; split it")
    try:
        state["sha256"] = sha256_of_file(file.path)
    except OSError as error:
        return _unreadable(file, f"cannot be read: {error.strerror}")
    if before and {**before, **state, "mtime_ns": 0} == {**before, "mtime_ns": 0}:
        return Look(unread, state)
    answer = reader.read(file, state, spool)
    if "why" in answer:
        return _unreadable(file, answer["why"], answer.get("scans", ()))
    state["reader"] = answer["reader"]
    read = replace(
        unread,
        state=FileState.READ,
        documents=answer["documents"],
        lines=answer["lines"],
        language=answer["language"],
        scans=_unread_scans(answer["reader"]),
    )
    if answer["faults"]:
        rows = file.kind is DocumentFormat.ROWS
        count = f"{answer['faults']} records left out; " if rows else ""
        read = replace(read, why=count + answer["first_fault"])
    return Look(read, state)


def _unreadable(file: DocumentFile, why: str, scans: Sequence[int] = ()) -> Look:
    return Look(FileOutcome(file.name, FileState.UNREADABLE, why=why, scans=len(scans)))


def _reader_now(
    kind: DocumentFormat, before: Mapping[str, Any] | None, tesseract: Tesseract | None
) -> str:
    """What a file of a kind is read with now: what it was read with `before`, where that is still
    so. Scans that were not read are read once Tesseract is there."""
    now = _reader(kind)
    earlier = before["reader"] if before else now
    scans = earlier.removeprefix(now) if earlier.startswith(now) else ""
    still = scans.startswith(READ_BY) or (tesseract is None and _unread_scans(earlier))
    return str(earlier) if still else now


def _unread_scans(reader: str) -> int:
    """
    >>> _unread_scans("pdf 4 pypdfium2 5.0 nltk 3.9.2; 3 scans not read"), _unread_scans("text 4")
    (3, 0)
    """
    match = re.search(NOT_READ.format(r"(\d{1,9})") + "$", reader)
    return int(match[1]) if match else 0


def scans_note(scans: Mapping[str, int]) -> str:
    """That pages of files are scans that were not read, by the files' names; "" for none.

    >>> scans_note({"a.pdf": 2, "b.png": 1}).split(";")[0]
    '3 pages of 2 files are scans (a.pdf, b.png)'
    """
    pages = sum(scans.values())
    if not pages:
        return ""
    names = ", ".join(list(scans)[:5]) + (", …" if len(scans) > 5 else "")
    are = "are scans" if pages > 1 else "is a scan"
    them = MISSING if pages > 1 else MISSING.replace("them", "it")
    return f"{some(pages, 'page')} of {some(len(scans), 'file')} {are} ({names}); {them}"


def require_documents(survey: Survey) -> None:
    """Raises InputError where a folder has no document, UsageError where a package is missing that
    reads them."""
    if not survey.files:
        raise InputError(_nothing(survey))
    require_readers(file.kind for file in survey.files)


def require_readers(kinds: Iterable[DocumentFormat]) -> None:
    """Raises UsageError where a package is missing that reads these kinds of document."""
    needed = dict.fromkeys(module for kind in kinds for module in _MODULES[kind])
    require_extra("docs", list(needed), "these documents")


@cache
def _reader(kind: DocumentFormat) -> str:
    """What a kind is read with: another version may give other sentences."""
    libraries = " ".join(f"{name} {version(name)}" for name in (*_LIBRARIES[kind], "nltk"))
    return f"{kind} {_READERS} {libraries}"


def _nothing(survey: Survey) -> str:
    other = ", ".join(f"{count} {ending}" for ending, count in list(survey.other.items())[:5])
    there = f"; it has {other}" if other else ""
    return (
        f"{survey.folder}: holds no document{there}; give a folder with some ({' '.join(FORMATS)})"
    )
