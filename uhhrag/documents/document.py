"""What every reader gives, and its errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from uhhrag.system.terminal import quantity

HEADING_SEPARATOR = " – "
"""Between a heading and the one below it."""


def some(number: int, noun: str) -> str:
    """
    >>> some(1, "file"), some(2_000, "file")
    ('1 file is', '2,000 files are')
    """
    return f"{quantity(number, noun)} {'is' if number == 1 else 'are'}"


def first_of(names: Sequence[object], most: int = 8, between: str = ", ") -> str:
    return between.join(map(str, names[:most])) + f"{between}…" * (len(names) > most)


class Unreadable(Exception):
    """The document cannot be read; the message is a clause after the file's name. It is `passing`
    where the machine is the reason, not the document."""

    def __init__(self, why: str, *, passing: bool = False) -> None:
        super().__init__(why)
        self.passing = passing


class Scanned(Unreadable):
    """The document has only pictures of pages, numbered from 1."""

    def __init__(self, why: str, pages: tuple[int, ...]) -> None:
        super().__init__(why)
        self.pages = pages


@dataclass(frozen=True, slots=True)
class Document:
    """The sentences of a document in reading order, and its metadata."""

    lines: tuple[str, ...]
    pages: tuple[int, ...] = ()
    """The page of each line, from 1; () for a format without pages."""
    title: str = ""
    author: str = ""
    site: str = ""
    date: str = ""
    """ISO 8601: YYYY-MM-DD or a prefix."""
    dated_by: str = ""
    """"file" for a date of the file's metadata, "" for one that the document states."""
    url: str = ""
    """The document's own, or ""."""
    key: str = ""
    """Tells apart the documents of one file."""
    starts: tuple[int, ...] = ()
    """Positions of lines that begin a paragraph, () if unknown."""
    unit: str = ""
    """What `pages` count, if not pages: "row"."""
    ocr: tuple[int | None, ...] = ()
    """OCR's confidence in the page of each line (`records.Page`)."""
    sections: tuple[tuple[int, str], ...] = ()
    """Positions of headings, each with its name; () for a format without headings."""
    quoted: tuple[tuple[int, str], ...] = ()
    """Positions of quoted lines, each with whose words they are, "" if unknown."""
    note: str = ""
    """What a reader should know of the whole document: "with tracked changes"."""
    scans: tuple[int, ...] = ()
    """Numbers of pages that are pictures and were not read."""
