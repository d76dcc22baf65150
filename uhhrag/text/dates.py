"""Dates as records, documents and addresses write them; what site an address is of.

Left out: a year alone as the date of a page, which is as often a topic as a date, and the day in
the address of an archive's copy. A page read from a web archive's file is dated by its capture.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import NamedTuple
from urllib.parse import urlsplit

from uhhrag.records import Source

_ARCHIVED = re.compile(r"^https?://web\.archive\.org/web/[^/]+/(?=https?:/)", re.IGNORECASE)
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH = rf"(?P<name>{'|'.join(MONTHS)})[a-z]*"
_YEAR = r"(?P<y>(?:19|20)\d\d)"


def _compiled(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


# The groups of every pattern: `y`, and where it has them `m` or `name`, and `d`.
_IN_URL = _compiled(
    rf"/{_YEAR}[/-](?P<m>\d\d?)[/-](?P<d>\d\d?)(?!\d)",
    rf"/{_YEAR}/{MONTH}/(?P<d>\d\d?)(?!\d)",
    rf"(?<!\d){_YEAR}-(?P<m>\d\d)-(?P<d>\d\d)(?!\d)",
    rf"(?<!\d){_YEAR}(?P<m>\d\d)(?P<d>\d\d)(?!\d)",
    rf"/{_YEAR}/(?P<m>\d\d?)(?=/|$)",
    rf"/{_YEAR}/{MONTH}(?=/|$)",
)
_IN_RECORD = _compiled(
    rf"^{_YEAR}-(?P<m>\d\d?)-(?P<d>\d\d?)(?!\d)",
    rf"^(?P<d>\d\d?)-(?P<m>\d\d?)-{_YEAR}$",
    rf"^{_YEAR}-(?P<m>\d\d)$",
)
_IN_DOCUMENT = _compiled(
    r"^(?:D:)?(?P<y>\d{4})(?P<m>\d{2})(?P<d>\d{2})(?!\d)",  # 20201031, D:20201031
    r"^(?:D:)?(?P<y>\d{4})(?P<m>\d{2})(?P<d>\d{2})\d{2,6}(?!\d)",  # D:20201031235959
    r"^(?P<y>\d{4})[-/](?P<m>\d{1,2})[-/](?P<d>\d{1,2})(?!\d)",
    r"^(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>\d{4})(?!\d)",
    rf"^(?:\w+,\s+)?(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s+{MONTH}\.?\s+(?P<y>\d{{4}})(?!\d)",
    rf"^(?:\w+,\s+)?{MONTH}\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>\d{{4}})(?!\d)",
    r"^(?P<y>\d{4})-(?P<m>\d{2})$",
    r"^(?P<y>\d{4})$",
)


OF_FILE = "file"
"""What a source is dated by whose date is only its file's: when the file was made."""
CAPTURED = "capture"
"""What a page of a web archive is dated by: the day of its capture, on which it stood there so."""
OF_DOCUMENT = ("name", "text", CAPTURED, OF_FILE)
"""What the date of a document of the user's own can be from, where it does not state it."""


class _Parts(NamedTuple):
    """A day, month or year as it is written: `month` and `day` are None where they are left out."""

    year: int
    month: int | None
    day: int | None


def dated(source: Source) -> Source:
    """The source with its date as ISO 8601 and what it is `dated_by`: "record" where the store's
    record has a date, unless the record says that it is from the "name", the first lines ("text")
    or the metadata of its "file"; "url" where its address holds one, which is preferred to a
    file's metadata; by nothing where neither does. A month without a day counts as its last day."""
    stated = read_date(source.date), source.dated_by or "record"
    there = date_in(source.url), "url"
    for day, where in (there, stated) if source.dated_by == OF_FILE else (stated, there):
        if day:
            return replace(source, date=day.isoformat(), dated_by=where)
    return replace(source, dated_by="")


def read_date(text: str) -> date | None:
    """The date that a record or a claims file gives, None where it cannot be read. A month without
    a day counts as its last day.

    >>> read_date("31-10-2020"), read_date("2020-10-31T08:00:00Z"), read_date("2020-02")
    (datetime.date(2020, 10, 31), datetime.date(2020, 10, 31), datetime.date(2020, 2, 29))
    >>> read_date("yesterday")
    """
    return next((_last_day(parts) for parts in _parts(_IN_RECORD, text.strip())), None)


def date_in(url: str) -> date | None:
    """The date in a page's address; in an archived copy's address, that of the page itself. A
    month without a day counts as its last day.

    >>> date_in("https://a.example/news/2020/10/31/rain")
    datetime.date(2020, 10, 31)
    >>> date_in("https://web.archive.org/web/20210101000000/https://a.example/about")
    """
    path = original(url).partition("?")[0]
    return next((_last_day(parts) for parts in _parts(_IN_URL, path)), None)


def iso_date(text: str) -> str:
    """The date that a document's text or metadata begins with, as YYYY-MM-DD, YYYY-MM or YYYY;
    "" where it cannot be read or can be read in two ways (01/02/2020).

    >>> iso_date("D:20201031120000+01'00'"), iso_date("May 3rd, 2019"), iso_date("2020-02-30")
    ('2020-10-31', '2019-05-03', '')
    >>> iso_date("2019-07"), iso_date("01/02/2020")
    ('2019-07', '')
    """
    for parts in _parts(_IN_DOCUMENT, text.strip()):
        first = date(parts.year, parts.month or 1, parts.day or 1).isoformat()
        return first[: 10 if parts.day else 7 if parts.month else 4]
    return ""


def written(text: str) -> str:
    """A date as people write it; a text that holds none, unchanged.

    >>> written("2020-10-31"), written("31-10-2020"), written("2020-02"), written("2019")
    ('31 October 2020', '31 October 2020', 'February 2020', '2019')
    >>> written("last Tuesday")
    'last Tuesday'
    """
    if partial := re.fullmatch(r"(\d{4})-(\d\d)", text.strip()):
        day = read_date(text)
        return f"{calendar.month_name[day.month]} {partial[1]}" if day else text
    day = read_date(text)
    return f"{day.day} {calendar.month_name[day.month]} {day.year}" if day else text


def original(url: str) -> str:
    """The address of which a web archive keeps a copy; any other address unchanged.

    >>> original("https://web.archive.org/web/2020/https://a.example/x")
    'https://a.example/x'
    """
    while match := _ARCHIVED.match(url):
        url = url[match.end() :]
    return url


def site(url: str) -> str:
    """The host of a page, in lower case, without "www."; "" where the address has none.

    >>> site("https://web.archive.org/web/2020/https://www.A.example/x")
    'a.example'
    """
    try:
        host = urlsplit(original(url)).hostname or ""
    except ValueError:
        return ""
    return host.removeprefix("www.")


def _parts(patterns: tuple[re.Pattern[str], ...], text: str) -> Iterator[_Parts]:
    """Each match that is a day, month or year of the calendar; the first pattern's come first."""
    for pattern in patterns:
        for match in pattern.finditer(text):
            groups = match.groupdict()
            name, day = groups.get("name"), groups.get("d")
            month = MONTHS.index(name.lower()) + 1 if name else groups.get("m")
            parts = _Parts(
                int(groups["y"]),
                None if month is None else int(month),
                None if day is None else int(day),
            )
            if _in_calendar(parts):
                yield parts


def _in_calendar(parts: _Parts) -> bool:
    month, day = (1 if part is None else part for part in parts[1:])
    try:
        date(parts.year, month, day)
    except ValueError:
        return False
    return True


def _last_day(parts: _Parts) -> date:
    """The day; of a month or a year without one, its last."""
    month = 12 if parts.month is None else parts.month
    return date(parts.year, month, parts.day or calendar.monthrange(parts.year, month)[1])
