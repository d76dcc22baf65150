from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    document: int
    """from 0"""
    line: int
    """from 0"""


@dataclass(frozen=True, slots=True)
class Passage:
    """One line of a store or document."""

    text: str
    urls: tuple[str, ...] = ()
    """in order of first sight"""
    places: tuple[Place, ...] = ()
    """one per URL; empty if pages are not kept"""


EARLIER_VERSION = "an earlier version"
"""Whose the words are that a correction takes back."""
TAKEN_BACK, DRAFT = "takes itself back", "calls itself a draft"
"""Begin a note on a document that is superseded or cancelled by its own words, or not final."""


@dataclass(frozen=True, slots=True)
class Page:
    """A store's web page, or a user's document; unknown fields are empty."""

    url: str
    lines: tuple[str, ...]
    """sentences"""
    mended: bool = False
    """some characters became U+FFFD"""
    title: str = ""
    author: str = ""
    date: str = ""
    """ISO, or as in the record"""
    numbers: tuple[int, ...] = ()
    """page of each line, from 1"""
    site: str = ""
    file: str = ""
    """percent-encoded path in the user's folder"""
    dated_by: str = ""
    """as in `Source`; "" if stated"""
    language: str = ""
    """if not English"""
    unit: str = ""
    """what `numbers` count if not pages ("row")"""
    ocr: tuple[int | None, ...] = ()
    """mean confidence by line, percent; None for text"""
    sections: tuple[tuple[int, str], ...] = ()
    """positions of headings, with names"""
    quoted: tuple[tuple[int, str], ...] = ()
    """positions of quoted lines, with speakers"""
    mails: tuple[int, ...] = ()
    """positions of lines of quoted mails whose sender is known"""
    note: str = ""
    """such as: with tracked changes"""

    def holds(self, text: str, line: int) -> bool:
        return 0 <= line < len(self.lines) and self.lines[line] == text

    def part(self, place: range) -> tuple[str, ...]:
        return self.lines[place.start : place.stop]

    def heading(self, line: int) -> tuple[int, str]:
        """Position and name of the last one up to a line; (-1, "") if none."""
        above = bisect_right(self.sections, line, key=lambda section: section[0])
        return self.sections[above - 1] if above else (-1, "")

    @property
    def headings(self) -> set[int]:
        """Their positions; a section of rows, or below a list, begins without one."""
        return {at for at, _ in self.sections if self.heads(at)}

    def heads(self, line: int) -> bool:
        """Whether this line is the heading that begins a section.

        >>> page = Page("", ("Fares", "Cars", "10"), sections=((0, "Fares"), (2, "Tea")))
        >>> [page.heads(line) for line in range(3)]
        [True, False, False]
        """
        start, name = self.heading(line)
        return start == line and self.lines[line] in name

    def section(self, line: int) -> str:
        """The name of a line's section, or ""."""
        return self.heading(line - self.heads(line))[1]

    def stands_under(self, line: int) -> str:
        """Headings of a line, without its own text, or "".

        >>> page = Page("", ("Fares", "Cars", "10", "Tea"), sections=((0, "Fares"), (3, "Tea")))
        >>> [page.stands_under(line) for line in range(4)]
        ['', 'Fares', 'Fares', '']
        """
        start, name = self.heading(line)
        return name.removesuffix(self.lines[line] if start == line else "").removesuffix(" – ")

    def quoted_at(self, line: int) -> str | None:
        """Who is quoted ("" if unknown); None for the page's own words."""
        at = bisect_left(self.quoted, (line,))
        found = at < len(self.quoted) and self.quoted[at][0] == line
        return self.quoted[at][1] if found else None


@dataclass(frozen=True, slots=True)
class Source:
    """Where a passage is from; see `Page`."""

    url: str
    title: str = ""
    author: str = ""
    date: str = ""
    number: int | None = None
    """of the page or row, from 1"""
    dated_by: str = ""
    """its "record", "url", "text", file's "name", web archive's "capture", or metadata of the
    "file", which say when it was made"""
    site: str = ""
    file: str = ""
    unit: str = ""
    ocr: int | None = None
    """of the passage's line"""
    section: str = ""
    """headings above the passage"""
    quoted: str | None = None
    """as `Page.quoted_at`"""
    note: str = ""

    @property
    def whose(self) -> str:
        """Who says the passage, or ""."""
        return self.author if self.quoted is None else self.quoted

    @property
    def by(self) -> str:
        """Whose words the passage is, or "".

        >>> Source("file:a.eml", author="Press Office", quoted="A Reader").by
        'A Reader, quoted by Press Office'
        """
        if self.quoted is None:
            return self.author
        whose = self.quoted or "somebody else"
        return f"{whose}, quoted by {self.author}" if self.author else f"{whose}, quoted"

    @property
    def place(self) -> str:
        """
        >>> Source("file:a.pdf", number=4).place, Source("file:a.csv", number=7, unit="row").place
        ('page 4', 'row 7')
        >>> Source("file:a.txt", number=752, unit="clock").place
        'at 12:31'
        """
        if self.number and self.unit == "time":
            minutes, second = divmod(self.number, 60)
            return f"at {minutes // 60:02}:{minutes % 60:02}:{second:02}"
        if self.number and self.unit == "clock":  # minutes, from 1
            return "at {:02}:{:02}".format(*divmod(self.number - 1, 60))
        return f"{self.unit or 'page'} {self.number}" if self.number else ""

    @property
    def page(self) -> int | None:
        return None if self.unit else self.number


def source_of(page: Page, line: int | None = None) -> Source:
    def of_line(values: Sequence[int | None]) -> int | None:
        return values[line] if line is not None and len(values) > line else None

    return Source(
        *(page.url, page.title, page.author, page.date, of_line(page.numbers)),
        dated_by=page.dated_by,
        site=page.site,
        file=page.file,
        unit=page.unit,
        ocr=of_line(page.ocr),
        section="" if line is None else page.stands_under(line),
        quoted=None if line is None else page.quoted_at(line),
        note=page.note,
    )
