"""What every reader gives, and how a document says that it cannot be read."""

from __future__ import annotations

from dataclasses import dataclass


class Unreadable(Exception):
    """The document cannot be read. The message is a clause that follows the file's name."""


class Scanned(Unreadable):
    """The document has no text, only pictures of pages, by these numbers from 1."""

    def __init__(self, why: str, pages: tuple[int, ...]) -> None:
        super().__init__(why)
        self.pages = pages


@dataclass(frozen=True, slots=True)
class Document:
    """`lines` are sentences in reading order; `pages` the page each begins on, counted from 1, or
    () where the format has no pages; `unit` is what these count where it is not pages ("row"), and
    `ocr` how sure OCR was of the page of each line (see `records.Page`). `url` is the document's
    own, "" where it names none; `key` tells apart the documents of one file. `date` is ISO 8601
    (YYYY-MM-DD or a prefix of it); `dated_by` is "file" where it is that of the file's metadata, ""
    where the document states it. `starts` are the positions in `lines` at which a paragraph begins,
    () where that is not known. `sections` are the positions of headings, each with the name
    of what stands below it, () where the format marks none. `quoted` are the positions of lines
    that are somebody else's words, each with whose ("" where that is not known). `note` says
    of the whole document what a reader of it should know ("with tracked changes"). `scans` are the
    numbers of pages that are pictures and were not read."""

    lines: tuple[str, ...]
    pages: tuple[int, ...] = ()
    title: str = ""
    author: str = ""
    site: str = ""
    date: str = ""
    dated_by: str = ""
    url: str = ""
    key: str = ""
    starts: tuple[int, ...] = ()
    unit: str = ""
    ocr: tuple[int | None, ...] = ()
    sections: tuple[tuple[int, str], ...] = ()
    quoted: tuple[tuple[int, str], ...] = ()
    note: str = ""
    scans: tuple[int, ...] = ()
