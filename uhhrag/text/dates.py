"""When a page was published, as far as its record or its address says, and what its site is.

Left out: years alone, which are as often a topic as a date, and the day on which a web archive
took its copy, which says only that the page is not younger.
"""

from __future__ import annotations

import calendar
import re
from dataclasses import replace
from datetime import date
from urllib.parse import urlsplit

from uhhrag.records import Source

_ARCHIVED = re.compile(r"^https?://web\.archive\.org/web/[^/]+/(?=https?:/)", re.IGNORECASE)
_MONTHS = {name.lower(): n for n, name in enumerate(calendar.month_abbr) if name}
_YEAR = r"(?P<y>(?:19|20)\d\d)"
_IN_URL = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"/{_YEAR}[/-](?P<m>\d\d?)[/-](?P<d>\d\d?)(?!\d)",
        rf"/{_YEAR}/(?P<name>[a-z]{{3}})[a-z]*/(?P<d>\d\d?)(?!\d)",
        rf"(?<!\d){_YEAR}-(?P<m>\d\d)-(?P<d>\d\d)(?!\d)",
        rf"(?<!\d){_YEAR}(?P<m>\d\d)(?P<d>\d\d)(?!\d)",
        rf"/{_YEAR}/(?P<m>\d\d?)(?=/|$)",
        rf"/{_YEAR}/(?P<name>[a-z]{{3}})[a-z]*(?=/|$)",
    )
)
_WRITTEN = (
    re.compile(rf"^{_YEAR}-(?P<m>\d\d?)-(?P<d>\d\d?)(?!\d)"),
    re.compile(rf"^(?P<d>\d\d?)-(?P<m>\d\d?)-{_YEAR}$"),
    re.compile(rf"^{_YEAR}-(?P<m>\d\d)$"),
)


def dated(source: Source) -> Source:
    """The source with its date as ISO and `dated_by`: "record" where the store's record has one,
    "url" where its address holds one; as it is where neither does. A month without a day counts
    as its last day."""
    for text, how in ((source.date, "record"), (source.url, "url")):
        found = read_date(text) if how == "record" else date_in(text)
        if found:
            return replace(source, date=found.isoformat(), dated_by=how)
    return source


def read_date(text: str) -> date | None:
    """A date as it is written in a record or a claims file, None where it is none.

    >>> read_date("31-10-2020"), read_date("2020-10-31T08:00:00Z"), read_date("2020-02")
    (datetime.date(2020, 10, 31), datetime.date(2020, 10, 31), datetime.date(2020, 2, 29))
    >>> read_date("yesterday")
    """
    return _first(_WRITTEN, text.strip())


def date_in(url: str) -> date | None:
    """The date in a page's address, that of the page and not of an archive's copy of it.

    >>> date_in("https://a.example/news/2020/10/31/rain")
    datetime.date(2020, 10, 31)
    >>> date_in("https://web.archive.org/web/20210101000000/https://a.example/about")
    """
    return _first(_IN_URL, original(url).partition("?")[0])


def original(url: str) -> str:
    """The address of which a web archive keeps a copy; any other address as it is.

    >>> original("https://web.archive.org/web/2020/https://a.example/x")
    'https://a.example/x'
    """
    while match := _ARCHIVED.match(url):
        url = url[match.end() :]
    return url


def site(url: str) -> str:
    """The host of a page, in lower case, without "www."; "" where there is none.

    >>> site("https://web.archive.org/web/2020/https://www.A.example/x")
    'a.example'
    """
    try:
        host = urlsplit(original(url)).hostname or ""
    except ValueError:
        return ""
    return host.removeprefix("www.")


def _first(patterns: tuple[re.Pattern[str], ...], text: str) -> date | None:
    for pattern in patterns:
        for match in pattern.finditer(text):
            if found := _date(match.groupdict()):
                return found
    return None


def _date(parts: dict[str, str | None]) -> date | None:
    month = _MONTHS.get(str(parts["name"]).lower()) if "name" in parts else int(parts["m"] or 0)
    year = int(parts["y"] or 0)
    if not month or month > 12:
        return None
    day = parts.get("d")
    try:
        return date(year, month, int(day) if day else calendar.monthrange(year, month)[1])
    except ValueError:
        return None
