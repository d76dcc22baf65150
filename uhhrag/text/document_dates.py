"""Dates within sentences do not count: they are often the topic."""

from __future__ import annotations

import re
from collections.abc import Sequence

from uhhrag.text.dates import (
    DAY_MONTH,
    MONTH,
    MONTH_DAY,
    WEEK_DAY,
    YEAR,
    compiled,
    dates_in,
    first_date,
)

_FIRST = 5
"""Lines read."""
_WORDS = 14
"""Most words of a date line."""
_SPANS = "|".join(f"20{year:02}[-_. ]{year + 1:02}" for year in range(12))
"""Financial years and seasons, which look like months: "2010-11"."""
_IN_NAME = compiled(
    rf"(?<!\d){YEAR}[-_. ]?(?P<m>\d\d)[-_. ]?(?P<d>\d\d)(?!\d)",
    rf"(?<!\d)(?P<d>\d\d?)(?:st|nd|rd|th)?[-_. ]{MONTH}[-_. ,]+{YEAR}(?!\d)",
    rf"(?<![a-z]){MONTH}[-_. ](?P<d>\d\d?)(?:st|nd|rd|th)?[-_. ,]+{YEAR}(?!\d)",
    rf"(?<!\d)(?P<d>\d\d?)\.(?P<m>\d\d?)\.{YEAR}(?!\d)",
    rf"(?<!\d)(?P<d>1[3-9]|[23]\d)[-_ ](?P<m>\d\d?)[-_ ]{YEAR}(?!\d)",
    rf"(?<!\d)(?P<d>(?P<m>\d\d?))[-_ ](?P=m)[-_ ]{YEAR}(?!\d)",
    rf"(?<!\d)(?!{_SPANS}){YEAR}[-_. ](?P<m>\d\d)(?!\d)(?![-_. ]?\d)",
    rf"(?<![a-z]){MONTH}[-_. ,]+{YEAR}(?!\d)",
)
_IN_LINE = compiled(
    rf"(?<!\d){YEAR}-(?P<m>\d\d)-(?P<d>\d\d)(?!\d)",
    rf"(?<!\d)(?P<d>\d\d?)\.\s?(?P<m>\d\d?)\.\s?{YEAR}(?!\d)",
    rf"(?<!\d){DAY_MONTH}{YEAR}(?!\d)",
    rf"(?<![a-z]){MONTH_DAY}{YEAR}(?!\d)",
)
_STATED = re.compile(
    r"\W*(?:th(?:is|ese)\b.*\s|.*[|·•(,;]\s*)?(?:(?:first|last|originally|press|meeting) )?(?:date"
    r"|dated|datum|fecha|data|dato|stand|sent|published|updated|issued|posted|released|release"
    r"|printed|revised|edited|publication)(?: date| of (?!birth|death).*|, .*| and \w+)?"
    r"(?: (?:on|at|by .*))?\W*",
    re.IGNORECASE,
)
"""Stands before a date that is the document's."""
_NAMED = re.compile(
    r"(?<!next )(?<!previous )\b(?:minutes|meeting|session|sitting|hearing|agenda|edition|issue"
    r"|letter|memo|briefing|bulletin|(?:release|report)(?= (?:of|for)$|\W*$)"
    r"|sitzung|protokoll|vergadering|notulen|sesi[oó]n|acta)\b",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"\b(?:\w+ed|geb\w*\.?|born|built|due|next .*|deadline.*|of|on|at|in|from|since|until|to|by"
    r"|before|after|for|and|am|im|ab|bis|seit|zum|op|tot|sinds|el|desde|hasta)$|^(?:\S+\s){0,3}\S+:$",
    re.IGNORECASE,
)
"""Before a date that is only of what it is about."""
_BY_DAY = re.compile(
    rf"[\s,]*\b(?:{WEEK_DAY}|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch"
    r"|(?:lun|mar|mercre|jeu|vendre|same)di|dimanche|(?:man|tirs|ons|tors|fre|lør|søn)dag)\W*$",
    re.IGNORECASE,
)
_PLACE = re.compile(r"\W*[A-Z][\w.'’-]*(?:[ ,(]+[A-Z][\w.'’-]*\)?){0,3},?")
_NEWS = re.compile(r"\)?\s*(?:/[^/]+/|\([^()]+\))?\s*[—–-]+\s(?!\d)")
"""Before and after the date of a dateline."""
_MINUTES = re.compile(
    r"\W*(?:minutes|notes|record|proceedings) of\b(?=.*\b(?:meeting|session|sitting|hearing)\b)"
    r"(?!.*\b(?:was|were|had|has|have|be|last|previous|that|shows?|says?|said)\b)",
    re.IGNORECASE,
)
"""Begins a date line of any length."""

_AMENDED = re.compile(
    r"\W*(?:(?:th\w+|our) (?:article|page|post|report|story) \w+ (?:been )?)?"
    r"(?:correct|clarif|amend|updat|errat)\w*(?: (?:added )?on)?\W*",
    re.IGNORECASE,
)
"""Before the day of a correction."""


def amended_on(line: str) -> str:
    """
    >>> amended_on("Correction, 7 May 2024: it costs 4 million."), amended_on("Sold on 7 May 2024.")
    ('2024-05-07', '')
    """
    day, match = next(dates_in(_IN_LINE, line), ("", None))
    return day if match and _AMENDED.fullmatch(line[: match.start()]) else ""


def date_in_name(name: str) -> str:
    """
    >>> date_in_name("Bulletin, May 2019.html"), date_in_name("Bulletin 2010-12.html")
    ('2019-05', '2010-12')
    """
    return first_date(_IN_NAME, name)


def date_in_lines(lines: Sequence[str]) -> str:
    """YYYY-MM-DD or "": of the first line that calls its date the document's, or says nothing else
    but a place, an author or the kind of document.

    >>> date_in_lines(["The ferry terminal", "Opened: 3 May 1961", "Updated: 3 May 2023"])
    '2023-05-03'
    """
    days = (_date_of(line, first=not at) for at, line in enumerate(lines[:_FIRST]))
    return next(filter(None, days), "")


def date_in_line(line: str) -> str:
    return first_date(_IN_LINE, line)


def _date_of(line: str, *, first: bool) -> str:
    day, match = next(dates_in(_IN_LINE, line), ("", None))
    if match is None:
        return ""
    before, after = line[: match.start()], line[match.end() :]
    bare = _BY_DAY.sub("", before).strip()
    if _MINUTES.match(line) or (_PLACE.fullmatch(bare) and _NEWS.match(after)):
        return day
    if len(line.split()) > _WORDS:
        return ""
    if bare and _STATED.fullmatch(bare):
        return day
    ended = line.rstrip().endswith((".", "!", "?"))
    ended = ended and (any(map(str.isalpha, bare)) or not (first or not after.strip(" .")))
    named = bool(_NAMED.search(bare)) and not ended
    several = len({one for one, _ in dates_in(_IN_LINE, line)}) > 1
    entry = not bare and after.startswith(": ")  # of a chronicle
    return "" if ended or several or entry or (_ABOUT.search(bare) and not named) else day
