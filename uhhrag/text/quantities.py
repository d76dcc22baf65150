"""Dates, times, durations, shares and amounts that a text states."""

from __future__ import annotations

import re
from calendar import month_abbr, month_name, monthrange
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from enum import Enum, auto
from fractions import Fraction
from typing import NamedTuple

from uhhrag.text.numerals import DIGITS, NUMBER_WORD, search_words


class QuantityKind(Enum):
    DAY = auto()
    """As `date.toordinal` counts."""
    DAY_OF_YEAR = auto()
    """Of a day or month without a year: 31 for each month, and days."""
    TIME = auto()
    """Minutes after midnight."""
    DURATION = auto()
    """In days."""
    SHARE = auto()
    """Of 1."""
    AMOUNT = auto()
    RATIO = auto()
    """Of an amount to what it was before."""


class Quantity(NamedTuple):
    kind: QuantityKind
    low: Fraction
    high: Fraction
    """`low` if the text is exact."""
    start: int
    end: int
    text: str
    """As it can stand in another sentence."""
    unit: str = ""
    """Of an amount its currency, of a duration its unit."""

    def is_part_of(self, other: Quantity) -> bool:
        return self is not other and other.start <= self.start and self.end <= other.end


_MONTHS = {name: at for names in (month_name, month_abbr) for at, name in enumerate(names) if name}
_MONTHS["Sept"] = 9
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_YEAR = r"(?:1[5-9]|20)\d\d"
_DATE = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? )?(?P<month>{_MONTH})\b\.?"
    rf"(?: (?P<after>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:]|\.\d| ?[ap]m))?(?:,? (?P<year>{_YEAR})\b)?"
    r"|(?<![\w-])(?P<iso>\d{4}-\d\d-\d\d)(?![\w-])"
    rf"|(?<![\w.,/-])(?P<alone>{_YEAR})(?P<decade>s)?(?![\w/]|[.,:-]\d|-\w| ?%)"
    r"|\b(?P<century>\d\d)(?:st|nd|rd|th)[ -]century\b"
)
_BEFORE_DATES = (
    "in since from to until till by before after of and between during late early mid around about "
    "for year spring summer autumn winter than the with against"
)
_STANDS = re.compile(rf"(?:^|[(;:,]|\b(?:{'|'.join(_BEFORE_DATES.split())})) ?$", re.IGNORECASE)
_MAX_NUMBER = 10**15
"""Higher numbers are names or codes."""
_MAX_CHARS_BEFORE = 10
"""Characters of words before dates."""
_NUMBER = (
    rf"(?:(?:{DIGITS}|{NUMBER_WORD})(?:[ -](?:and )?(?:{NUMBER_WORD}))*"
    r"|an? (?:hundred|thousand|million|dozen))"
)
_HOUR = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_TIME = re.compile(
    r"(?<![\w.,:])(?P<hour>\d{1,2})(?:[:.](?P<minute>[0-5]\d))? ?(?P<half>[ap])\.?m\b\.?"
    r"|(?<![\w.,:])(?P<h>[01]?\d|2[0-3]):(?P<m>[0-5]\d)(?![\w:]|[.,]\d)"
    rf"|\b(?:(?P<past>half past) )?(?P<said>{_HOUR}|\d{{1,2}}) (?:o[’']clock )?"
    r"(?:in the (?P<part>morning|afternoon|evening)|(?P<night>at night))"
    r"|\b(?P<name>noon|midday|midnight)\b",
    re.IGNORECASE,
)
_NAMED_TIMES = {"noon": 720, "midday": 720, "midnight": 1440}
_DAYS = {
    "second": (Fraction(1, 86400),) * 2,
    "minute": (Fraction(1, 1440),) * 2,
    "hour": (Fraction(1, 24),) * 2,
    "day": (Fraction(1),) * 2,
    "week": (Fraction(7),) * 2,
    "fortnight": (Fraction(14),) * 2,
    "month": (Fraction(28), Fraction(31)),
    "year": (Fraction(365), Fraction(366)),
    "decade": (Fraction(3650), Fraction(3660)),
    "century": (Fraction(36500), Fraction(36600)),
}
_DURATION = re.compile(
    rf"(?<![\w.,:/-])(?:(?P<half>half an? )|an? |(?P<number>{_NUMBER})[ -])"
    r"(?P<unit>(?:second|minute|hour|day|week|fortnight|month|year|decade|century|centurie)s?)\b"
    r"|\baged (?P<age>\d{1,3})\b",
    re.IGNORECASE,
)
_PARTS = {"half": 2, "third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
_THEIR = r"(?:the |its |their |our |all |these |those |first |last )*"
_NO_WHOLE = r"(?! of an? )"
_SHARE = re.compile(
    rf"(?<![\w.,-])(?P<cent>{_NUMBER}) ?(?:%|per ?cent(?!age)\b)"
    rf"|\b(?P<many>a|an|one|two|three|four|five|six|seven|nine)[ -](?P<part>{'|'.join(_PARTS)})s?\b"
    rf"{_NO_WHOLE}(?! past| to|-)(?= (?!\w+(?:ed|ing)\b)|[.,;]|$)"
    rf"|(?<!first )(?<!second )(?<!other )(?<!latter )\b(?P<half>half)\b{_NO_WHOLE}"
    r"(?= (?:of|the|its|their|his|her|our|as)\b)"
    r"|(?:(?<=by )|(?<=than )|(?<=about )|(?<=almost )|(?<=nearly )|(?<=over )|(?<=under ))"
    r"(?P<alone>half)\b(?! an?\b| past\b|-)"
    rf"|(?<![\w.,-])(?P<k>{_NUMBER}) (?:in (?!{_YEAR})|out of |of {_THEIR})(?P<n>{_NUMBER})"
    r"(?![\w%]|[.,]\d| ?per ?cent)",
    re.IGNORECASE,
)
_COUNTED = r"(?![\w%]|[.,]\d| ?per ?cent)"
_ON = r"(?:[^\d.;:,]{0,30} )??"
_OF = re.compile(
    rf"\bof {_THEIR}(?P<n>{_NUMBER}) [^.;:]{{0,60}}?, {_ON}(?P<k>{_NUMBER}){_COUNTED}"
    rf"|(?<![\w.,:/#£$€-])(?P<whole>{_NUMBER})(?: [^\d.;:,]{{1,60}})?, of (?:whom|which|them) "
    rf"{_ON}(?P<some>{_NUMBER}){_COUNTED}"
    rf"|: (?P<above>{_NUMBER}); (?:of (?:whom|which|them)|thereof)\b[^;:]{{0,60}}: "
    rf"(?P<cell>{_NUMBER}){_COUNTED}",
    re.IGNORECASE,
)
_PARTS_OF = ("k", "n"), ("some", "whole"), ("cell", "above")
_NOUN = re.compile(" [a-z]")
_CURRENCIES = {"pound": "£", "euro": "€", "dollar": "$"}
_AMOUNT = re.compile(
    rf"(?<![\w.,:/#-])(?P<unit>[£$€] ?)?(?P<number>{_NUMBER}(?:[kmb]n?\b)?)"
    r"(?: (?P<currency>pound|euro|dollar)s?\b)?(?![\w:/%-]|[.,]\d| (?:third|quarter|fifth)s? of\b)",
    re.IGNORECASE,
)


def quantities(text: str) -> list[Quantity]:
    """In order. A part of the text is one thing, the first of date, time, share, duration and
    amount; of "7 of the 12" also 7 is an amount.

    >>> text = "On 4 May 2019 at 9.40 am 312 came, most of 500."
    >>> [(one.kind.name, one.text) for one in quantities(text)]
    [('DAY', 'on 4 May 2019'), ('TIME', 'at 9.40 am'), ('AMOUNT', '312'), ('AMOUNT', '500')]
    >>> [one.text for one in quantities("7 of the 12 stayed three weeks for £2.5 million in 1998")]
    ['7 of the 12', '7', 'three weeks', '£2.5 million', 'in 1998']
    """
    found: list[Quantity] = []
    taken = bytearray(len(text))
    for finder in (_dates, _times, _shares, _durations, _amounts):
        free = [one for one in finder(text) if not any(taken[one.start : one.end])]
        for one in free:
            taken[one.start : one.end] = b"\1" * (one.end - one.start)
        found += free
    return sorted(found, key=lambda one: (one.start, -one.end))


def without_year(day: Quantity) -> Quantity:
    first, last = (date.fromordinal(int(one)) for one in (day.low, day.high))
    low, high = (Fraction(31 * one.month + one.day) for one in (first, last))
    return day._replace(kind=QuantityKind.DAY_OF_YEAR, low=low, high=high)


def _dates(text: str) -> Iterator[Quantity]:
    for match in _DATE.finditer(text):
        start = match.start()
        stands = bool(_STANDS.search(text, max(start - _MAX_CHARS_BEFORE, 0), start))
        with suppress(ValueError):  # 31 June
            if one := _date(match, stands):
                yield one


def _date(match: re.Match[str], stands: bool) -> Quantity | None:
    """`stands`: after a word that dates have before them."""
    start, words = match.start(), match[0].rstrip(".")
    end = start + len(words)
    if match["iso"]:
        on = date.fromisoformat(match["iso"])
        return of_days(on, on, start, end, f"on {words}")
    if match["century"]:
        last = 100 * int(match["century"])
        return of_days(date(last - 99, 1, 1), date(last, 12, 31), start, end, f"in the {words}")
    if match["alone"]:
        first, decade = int(match["alone"]), bool(match["decade"])
        words = f"in the {words}" if decade else f"in {words}"
        last_day = date(first + 9 * decade, 12, 31)
        return of_days(date(first, 1, 1), last_day, start, end, words) if stands else None
    month, day = _MONTHS[match["month"]], int(match["day"] or match["after"] or 0)
    words = f"{'on' if day else 'in'} {words}"
    if match["year"]:
        year = int(match["year"])
        last_day = date(year, month, day or monthrange(year, month)[1])
        return of_days(date(year, month, day or 1), last_day, start, end, words)
    if not day and not stands:
        return None
    first_day = Fraction(31 * month + day)
    return Quantity(
        QuantityKind.DAY_OF_YEAR, first_day, first_day + (0 if day else 31), start, end, words
    )


def of_days(first: date, last: date, start: int, end: int, text: str) -> Quantity:
    low, high = Fraction(first.toordinal()), Fraction(last.toordinal())
    return Quantity(QuantityKind.DAY, low, high, start, end, text)


def _times(text: str) -> Iterator[Quantity]:
    for match in _TIME.finditer(text):
        if (minutes := _minutes(match)) is not None:
            at = Fraction(minutes)
            yield Quantity(QuantityKind.TIME, at, at, *match.span(), "at " + match[0].rstrip("."))


def _minutes(match: re.Match[str]) -> int | None:
    if match["name"]:
        return _NAMED_TIMES[match["name"].lower()]
    if match["h"]:
        return 60 * int(match["h"]) + int(match["m"])
    hour = _value(match["hour"] or match["said"])
    if hour is None or not 1 <= hour <= 12:
        return None
    later = (match["half"] or "").lower() == "p" or bool(match["night"] and hour > 5)
    later = later or (match["part"] or "").lower() in ("afternoon", "evening")
    minute = 30 if match["past"] else int(match["minute"] or 0)
    return 60 * (int(hour) % 12) + minute + 720 * later


def _shares(text: str) -> Iterator[Quantity]:
    for match in _SHARE.finditer(text):
        start, end = match.span()
        if match["cent"]:
            number = _value(match["cent"])
            value = None if number is None else number / 100
        elif match["part"]:
            value = (_value(match["many"]) or Fraction(1)) / _PARTS[match["part"].lower()]
        elif match["half"] or match["alone"]:
            value = Fraction(1, 2)
        else:
            value = _ratio(match["k"], match["n"])
            if value and (part := _value(match["k"])) and part > 1:
                yield Quantity(QuantityKind.AMOUNT, part, part, *match.span("k"), match["k"])
        if value is not None:
            yield Quantity(QuantityKind.SHARE, value, value, start, end, match[0])
    for match in _OF.finditer(text):
        of, whole = next(pair for pair in _PARTS_OF if match[pair[0]])
        if value := _ratio(match[of], match[whole]):
            part = value * (_value(match[whole]) or 0)
            yield Quantity(QuantityKind.AMOUNT, part, part, *match.span(of), match[of])
            words = f"{match[of]} of {match[whole]}"
            yield Quantity(QuantityKind.SHARE, value, value, *match.span(of), words)


def _ratio(part: str, whole: str) -> Fraction | None:
    a, b = _value(part), _value(whole)
    return a / b if a is not None and b and a <= b and b > 1 else None


def _durations(text: str) -> Iterator[Quantity]:
    for match in _DURATION.finditer(text):
        one = Fraction(1, 2) if match["half"] else Fraction(1)
        if match["age"]:
            number, unit, words = Fraction(match["age"]), "year", match["age"]
        else:
            unit, words = match["unit"].lower().removesuffix("s").replace("ie", "y"), match[0]
            number = (_value(match["number"]) or Fraction(0)) if match["number"] else one
        low, high = (number * days for days in _DAYS[unit])
        yield Quantity(QuantityKind.DURATION, low, high, *match.span(), words, unit)


def _amounts(text: str) -> Iterator[Quantity]:
    for match in _AMOUNT.finditer(text):
        number = _value(match["number"])
        alone = re.fullmatch(_YEAR, match[0]) and not _NOUN.match(text, match.end())
        if number is not None and match[0].lower() != "one" and not alone:
            named = _CURRENCIES.get((match["currency"] or "").lower(), "")
            unit = (match["unit"] or named).strip()
            yield Quantity(QuantityKind.AMOUNT, number, number, *match.span(), match[0], unit)


def _value(number: str) -> Fraction | None:
    """
    >>> _value("2.5 million"), _value("two dozen"), _value("a hundred"), _value("a")
    (Fraction(2500000, 1), Fraction(24, 1), Fraction(100, 1), None)
    """
    words = search_words(re.sub(r"^an? ", "one ", number.replace("-", " ")))
    try:
        value = Fraction(words[0]) if len(words) == 1 else None
    except ValueError:
        return None
    return None if value is None or value > _MAX_NUMBER else value
