from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from urllib.parse import urlsplit

from uhhrag.records import Source

_ARCHIVED = re.compile(r"^https?://web\.archive\.org/web/[^/]+/(?=https?:/)", re.IGNORECASE)
_NAMES = (
    "jan january januar januari jänner janvier janeiro ene enero gennaio",
    "feb february februar februari feber fév février febrero febbraio fev fevereiro",
    "mar march märz maerz mrt maart mars marts marzo março",
    "apr april avr avril abr abril aprile",
    "may mai mei maj mayo maio maggio",
    "jun june juni juin junio junho giugno",
    "jul july juli juillet julio julho luglio",
    "aug august augusti augustus août aout ago agosto",
    "sep sept september septembre septiembre setiembre settembre setembro",
    "oct okt october oktober octobre octubre ottobre outubro",
    "nov november novembre noviembre novembro",
    "dec dez des déc december dezember desember décembre diciembre dicembre dezembro",
)
"""Months in English, German, Dutch, the Nordic languages, French, Spanish, Italian, Portuguese."""
MONTHS = {name: at for at, names in enumerate(_NAMES, start=1) for name in names.split()}
MONTH = rf"(?P<name>{'|'.join(sorted(MONTHS, key=len, reverse=True))})(?![^\W\d_])"
WEEK_DAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tue|wed|thu|fri|sat|sun)"
YEAR = r"(?P<y>(?:19|20)\d\d)"


def compiled(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


# The groups of every pattern: `y`, and where it has them `m` or `name`, and `d`.
_DAY = r"(?P<d>\d{1,2})(?:st|nd|rd|th|er|[.º])?"
DAY_MONTH = rf"{_DAY}\s+(?:(?:of|de)\s+)?{MONTH}[.,]{{0,2}}\s+(?:del?\s+)?"
MONTH_DAY = rf"{MONTH}\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+"
_IN_URL = compiled(
    rf"/{YEAR}[/-](?P<m>\d\d?)[/-](?P<d>\d\d?)(?!\d)",
    rf"/{YEAR}/{MONTH}/(?P<d>\d\d?)(?!\d)",
    rf"(?<!\d){YEAR}-(?P<m>\d\d)-(?P<d>\d\d)(?!\d)",
    rf"(?<!\d){YEAR}(?P<m>\d\d)(?P<d>\d\d)(?!\d)",
    rf"/{YEAR}/(?P<m>\d\d?)(?=/|$)",
    rf"/{YEAR}/{MONTH}(?=/|$)",
)
_IN_RECORD = compiled(
    rf"^{YEAR}-(?P<m>\d\d?)-(?P<d>\d\d?)(?!\d)",
    rf"^(?P<d>\d\d?)-(?P<m>\d\d?)-{YEAR}$",
    rf"^{YEAR}-(?P<m>\d\d)$",
)
_IN_DOCUMENT = compiled(
    r"^(?:D:)?(?P<y>\d{4})(?P<m>\d{2})(?P<d>\d{2})(?:\d{2,6})?(?!\d)",  # D:20201031235959
    r"^(?P<y>\d{4})[-/](?P<m>\d{1,2})[-/](?P<d>\d{1,2})(?!\d)",
    r"^(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>\d{4})(?!\d)",
    rf"^(?:\w+,\s+)?{DAY_MONTH}(?P<y>\d{{4}})(?!\d)",
    rf"^(?:\w+,\s+)?{MONTH_DAY}(?P<y>\d{{4}})(?!\d)",
    rf"^{MONTH}\.?,?\s+(?:de\s+)?(?P<y>\d{{4}})$",
    r"^(?P<y>\d{4})-(?P<m>\d{2})$",
    r"^(?P<y>\d{4})$",
)


OF_FILE = "file"
"""Dated by its file's metadata."""
CAPTURED = "capture"
"""Dated by its capture in a web archive."""
OF_DOCUMENT = ("name", "text", CAPTURED, OF_FILE)
"""What dates a user's document that states no date."""


def dated(source: Source) -> Source:
    """Adds an ISO 8601 date (day or month) from record, address ("url") or file, in this order."""
    stated = _recorded(source.date), source.dated_by or "record"
    there = date_in(source.url), "url"
    for day, where in (there, stated) if source.dated_by == OF_FILE else (stated, there):
        if day:
            return replace(source, date=day, dated_by=where)
    return replace(source, dated_by="")


def _recorded(text: str) -> str:
    return first_date(_IN_RECORD, text.strip())


def read_date(text: str) -> date | None:
    """A month counts as its last day.

    >>> read_date("31-10-2020"), read_date("2020-10-31T08:00:00Z"), read_date("2020-02")
    (datetime.date(2020, 10, 31), datetime.date(2020, 10, 31), datetime.date(2020, 2, 29))
    >>> read_date("yesterday")
    """
    if not (day := _recorded(text)):
        return None
    year, month, *rest = map(int, day.split("-"))
    return date(year, month, rest[0] if rest else calendar.monthrange(year, month)[1])


def date_in(url: str) -> str:
    """A year alone is as often the topic.

    >>> date_in("https://a.example/news/2020/10/31/rain"), date_in("https://a.example/2020/10/x")
    ('2020-10-31', '2020-10')
    >>> date_in("https://web.archive.org/web/20210101000000/https://a.example/about")
    ''
    """
    return first_date(_IN_URL, original(url).partition("?")[0])


def iso_date(text: str) -> str:
    """
    >>> iso_date("D:20201031120000+01'00'"), iso_date("May 3rd, 2019"), iso_date("2020-02-30")
    ('2020-10-31', '2019-05-03', '')
    >>> iso_date("2019-07"), iso_date("June 2022"), iso_date("01/02/2020"), iso_date("Mayor 2019")
    ('2019-07', '2022-06', '', '')
    """
    return first_date(_IN_DOCUMENT, text.strip())


def is_day(text: str) -> bool:
    """A day or month alone, perhaps after a place.

    >>> is_day("Lunde, 1 March 2024"), is_day("5. Februar 2024."), is_day("1 March 2024: alarm")
    (True, True, False)
    """
    bare = text.strip(" .,")
    return any(match.end() == len(bare) for _, match in dates_in(_IN_DOCUMENT, bare))


def written(text: str) -> str:
    """
    >>> written("2020-10-31"), written("31-10-2020"), written("2020-02"), written("2019")
    ('31 October 2020', '31 October 2020', 'February 2020', '2019')
    >>> written("last Tuesday")
    'last Tuesday'
    """
    if not (day := read_date(text)):
        return text
    month = f"{calendar.month_name[day.month]} {day.year}"
    return month if re.fullmatch(r"\d{4}-\d\d", text.strip()) else f"{day.day} {month}"


def original(url: str) -> str:
    """
    >>> original("https://web.archive.org/web/2020/https://a.example/x")
    'https://a.example/x'
    """
    while match := _ARCHIVED.match(url):
        url = url[match.end() :]
    return url


def site(url: str) -> str:
    """Host in lower case without "www.", or "".

    >>> site("https://web.archive.org/web/2020/https://www.A.example/x")
    'a.example'
    """
    try:
        host = urlsplit(original(url)).hostname or ""
    except ValueError:
        return ""
    return host.removeprefix("www.")


def first_date(patterns: Sequence[re.Pattern[str]], text: str) -> str:
    return next((day for day, _ in dates_in(patterns, text)), "")


def dates_in(patterns: Sequence[re.Pattern[str]], text: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Valid dates in pattern order, as YYYY-MM-DD, YYYY-MM or YYYY, with their matches."""
    for pattern in patterns:
        for match in pattern.finditer(text):
            groups = match.groupdict()
            given = {name: int(groups[name]) for name in "ymd" if groups.get(name)}
            if groups.get("name"):
                given["m"] = MONTHS[groups["name"].lower()]
            with suppress(ValueError):
                first = date(given["y"], given.get("m", 1), given.get("d", 1)).isoformat()
                yield first[: 10 if "d" in given else 7 if "m" in given else 4], match
