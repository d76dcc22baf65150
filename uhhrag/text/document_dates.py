"""The date of a user's own document, from its file's name or first lines.

Metadata, which dates the file, comes later. Dates within sentences are often the topic and do not
count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from uhhrag.text.dates import MONTH, MONTHS

_FIRST = 5
"""Lines read."""
_WORDS = 14
"""Most words of a date line."""
_Y = r"(?P<y>(?:19|20)\d\d)"
_IN_NAME = (
    rf"(?<!\d){_Y}[-_. ]?(?P<m>\d\d)[-_. ]?(?P<d>\d\d)(?!\d)",
    rf"(?<!\d)(?P<d>\d\d?)(?:st|nd|rd|th)?[-_. ]{MONTH}[-_. ,]+{_Y}(?!\d)",
    rf"(?<![a-z]){MONTH}[-_. ](?P<d>\d\d?)(?:st|nd|rd|th)?[-_. ,]+{_Y}(?!\d)",
    rf"(?<!\d)(?P<d>\d\d?)(?P<between>[-_. ])(?P<m>\d\d?)[-_. ]{_Y}(?!\d)",
    rf"(?<!\d){_Y}[-_. ](?P<m>\d\d)(?!\d)(?![-_. ]?\d)",
    rf"(?<![a-z]){MONTH}[-_. ,]+{_Y}(?!\d)",
)
_IN_LINE = (
    rf"(?<!\d){_Y}-(?P<m>\d\d)-(?P<d>\d\d)(?!\d)",
    rf"(?<!\d)(?P<d>\d\d?)\.\s?(?P<m>\d\d?)\.\s?{_Y}(?!\d)",
    rf"(?<!\d)(?P<d>\d\d?)(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH}\.?,?\s+{_Y}(?!\d)",
    rf"(?<![a-z]){MONTH}\.?\s+(?P<d>\d\d?)(?:st|nd|rd|th)?,?\s+{_Y}(?!\d)",
)
_NAMES_DATE = re.compile(
    r"\b(?:date[d:]?|published|updated|issued|posted|released|minutes|meeting|session|sitting|"
    r"hearing|agenda|release|edition|issue|letter|memo|briefing|bulletin|report)\b",
    re.IGNORECASE,
)
"""A date line with one of these may end like a sentence."""


def date_in_name(name: str) -> str:
    """The date in a file's name as YYYY-MM-DD or YYYY-MM; "" if missing or ambiguous.

    >>> date_in_name("council minutes 2020-11-03.docx"), date_in_name("minutes_14.10.2020.pdf")
    ('2020-11-03', '2020-10-14')
    >>> date_in_name("report 01-02-2020.pdf"), date_in_name("Bulletin, May 2019.html")
    ('', '2019-05')
    """
    return next(_found(_IN_NAME, name), "")


def date_in_lines(lines: Sequence[str]) -> str:
    """The date in a document's first lines as YYYY-MM-DD, or "".

    A line that ends like a sentence must begin with a digit or match _NAMES_DATE.

    >>> date_in_lines(["Town council", "Minutes of the meeting of 14 October 2020."])
    '2020-10-14'
    >>> date_in_lines(["The ferry terminal opened on 12 May 2023."])
    ''
    """
    for line in lines[:_FIRST]:
        if len(line.split()) > _WORDS:
            continue
        sentence = line.rstrip().endswith((".", "!", "?"))
        if sentence and not (_NAMES_DATE.search(line) or re.match(r"\W*\d", line)):
            continue
        if day := next(_found(_IN_LINE, line), ""):
            return day
    return ""


def _found(patterns: Sequence[str], text: str) -> Iterator[str]:
    for pattern in patterns:
        for match in re.finditer(pattern, text, re.IGNORECASE):
            if day := _iso(match.groupdict()):
                yield day


def _iso(groups: dict[str, str | None]) -> str:
    """ "" if not in the calendar, or if day and month may be swapped."""
    name, day = groups.get("name"), int(groups.get("d") or 0)
    month = MONTHS.index(name.lower()) + 1 if name else int(groups.get("m") or 0)
    if (groups.get("between") or ".") != "." and day != month and day <= 12:
        return ""
    try:
        first = date(int(groups["y"] or 0), month, day or 1)
    except ValueError:
        return ""
    return first.isoformat()[: 10 if day else 7]
