"""Dates within sentences do not count: they are often the topic."""

from __future__ import annotations

import re
from collections.abc import Sequence

from uhhrag.text.dates import DAY_MONTH, MONTH, MONTH_DAY, YEAR, compiled, dates_in

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
_NAMES_DATE = re.compile(
    r"\b(?:date[d:]?|published|updated|issued|posted|released|minutes|meeting|session|sitting|"
    r"hearing|agenda|release|edition|issue|letter|memo|briefing|bulletin|report)\b",
    re.IGNORECASE,
)
"""Allows a date line to end like a sentence."""
_MINUTES = re.compile(
    r"\W*(?:minutes|notes|record|proceedings) of\b(?=.*\b(?:meeting|session|sitting|hearing)\b)"
    r"(?!.*\b(?:was|were|had|has|have|be|last|previous|that|shows?|says?|said)\b)",
    re.IGNORECASE,
)
"""Begins a date line of any length."""


def date_in_name(name: str) -> str:
    """
    >>> date_in_name("council minutes 2020-11-03.docx"), date_in_name("minutes_14.10.2020.pdf")
    ('2020-11-03', '2020-10-14')
    >>> date_in_name("report 01-02-2020.pdf"), date_in_name("accounts 2010-11.pdf")
    ('', '')
    >>> date_in_name("Bulletin, May 2019.html"), date_in_name("Bulletin 2010-12.html")
    ('2019-05', '2010-12')
    """
    return next(dates_in(_IN_NAME, name), "")


def date_in_lines(lines: Sequence[str]) -> str:
    """YYYY-MM-DD or YYYY-MM, else "".

    A line that ends like a sentence must begin with a digit or match _NAMES_DATE.

    >>> date_in_lines(["Town council", "Minutes of the meeting of 14 October 2020."])
    '2020-10-14'
    >>> date_in_lines(["The ferry terminal opened on 12 May 2023."])
    ''
    """
    for line in lines[:_FIRST]:
        if len(line.split()) > _WORDS and not _MINUTES.match(line):
            continue
        sentence = line.rstrip().endswith((".", "!", "?"))
        if sentence and not (_NAMES_DATE.search(line) or re.match(r"\W*\d", line)):
            continue
        if day := next(dates_in(_IN_LINE, line), ""):
            return day
    return ""
