"""What readers give and raise."""

from __future__ import annotations

from dataclasses import dataclass

from uhhrag.system.terminal import quantity

OF_TABLE = -1
TIME, CLOCK = "time", "clock"
"""Units of pages: seconds from the start, minutes of a day; from 1."""
TIMES = (TIME, CLOCK)
HEADING_SEPARATOR = " – "
"""Between nested headings."""


def some(number: int, noun: str) -> str:
    """
    >>> some(1, "file"), some(2_000, "file")
    ('1 file is', '2,000 files are')
    """
    return f"{quantity(number, noun)} {'is' if number == 1 else 'are'}"


class Unreadable(Exception):
    """Its message continues the file's name; `passing` if the machine is the reason."""

    def __init__(self, why: str, *, passing: bool = False) -> None:
        super().__init__(why)
        self.passing = passing


class Scanned(Unreadable):
    """Only pictures of `pages`, from 1."""

    def __init__(self, why: str, pages: tuple[int, ...]) -> None:
        super().__init__(why)
        self.pages = pages


@dataclass(frozen=True, slots=True)
class Document:
    lines: tuple[str, ...]
    """Sentences in reading order."""
    pages: tuple[int, ...] = ()
    """Of each line, from 1; () without pages."""
    title: str = ""
    author: str = ""
    site: str = ""
    date: str = ""
    """ISO 8601: YYYY-MM-DD or a prefix."""
    dated_by: str = ""
    """As in `text.dates.OF_DOCUMENT`, "" if it states it."""
    url: str = ""
    """Its own, or ""."""
    key: str = ""
    """Tells apart documents of one file."""
    starts: tuple[int, ...] = ()
    """Positions of paragraphs' first lines, () if unknown."""
    unit: str = ""
    """What `pages` count, if not pages: "row"."""
    ocr: tuple[int | None, ...] = ()
    """OCR's confidence in each line's page (`records.Page`)."""
    sections: tuple[tuple[int, str], ...] = ()
    """Positions and names of headings; () without headings."""
    items: tuple[tuple[int, int], ...] = ()
    """Positions of paragraphs in lists, with how many are around them, and rows with OF_TABLE."""
    quoted: tuple[tuple[int, str], ...] = ()
    """Positions of quoted lines with their authors, "" if unknown."""
    mails: tuple[int, ...] = ()
    """Positions of lines of quoted mails with a known sender."""
    note: str = ""
    """Of the whole document, such as "with tracked changes"."""
    scans: tuple[int, ...] = ()
    """Numbers of unread picture pages."""
