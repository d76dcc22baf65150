"""What cells hold: figures, years, names and values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest

from uhhrag.text.dates import DAY_MONTH, MONTH, MONTH_DAY, compiled

Row = Mapping[int, str]
"""Cells by column from 0, without blanks."""
LONG_CELL, LONG_NAME = 300, 100
"""Characters."""
NUMBER = re.compile(r"[-+−(]?\s?[^\w\s]{0,2}\s?\d[\d\s.,:/'’-]*\s?[^\w\s]{0,2}\)?", re.ASCII)
DIGIT = re.compile(r"\d", re.ASCII)
_MONTH = re.compile(rf"\b{MONTH}\b", re.IGNORECASE)
_DAYS = compiled(rf"{DAY_MONTH}\d{{4}}", rf"{MONTH_DAY}\d{{4}}")
UNIT = re.compile(r"[^\W\d_]+|[%‰°€$£¥]")
YEAR = re.compile(r"(?:1[89]|20)\d\d(?:[-/–](?:\d\d){1,2})?(?:[*†‡¹²³⁾)]{0,3}|\s?\d{1,2}\))")
_MEASURE = re.compile(
    r"(?:.*\(\D[^()]{0,20}\)|[%‰€$£¥]|(?:amount|number|value|total|share|cost|price|fee|figure)s?)",
    re.IGNORECASE,
)
_CORNER = re.compile(r"(?:indicator|variable|key figure)s?", re.IGNORECASE)
HAS_YEAR = re.compile(
    r"\b(?:\w+ed|\w+s|born|built|since|year|season|edition|date|term)\b", re.IGNORECASE
)
"""A column's measure; a name of names; names that may have a year as value."""
_BEGAN = re.compile(r"\b(?:founded|established|born|built|since)(?: in)?:?$", re.IGNORECASE)
"""Ends what a year is a value of."""
_BEFORE, _AFTER = re.compile("[$€£¥]"), re.compile(r"%|\)%?")
"""Signs of figures, in cells of their own in accounts."""


def with_signs(rows: Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
    """Rows whose columns of signs are joined to those of their figures.

    >>> with_signs([("", "2023", "", ""), ("Revenue", "$", "12", ""), ("Loss", "", "(3", ")")])
    [('', '2023'), ('Revenue', '$12'), ('Loss', '(3)')]
    """
    columns = [*zip_longest(*rows, fillvalue="")]
    width = len(columns)
    for at in reversed(range(1, width)):
        left, right = columns[at - 1 : at + 1]
        before = at > 1 and _are_signs(left, right, _BEFORE)  # the first column names its rows
        if before or _are_signs(right, left, _AFTER):
            pairs = zip(left, right, strict=True)
            columns[at - 1 : at + 1] = [tuple(a if a == b else a + b for a, b in pairs)]
    return rows if len(columns) == width else [*zip(*columns, strict=True)]


def _are_signs(signs: Sequence[str], figures: Sequence[str], sign: re.Pattern[str]) -> bool:
    """Whether each is a figure's sign, or stands beside a blank cell or the same one."""
    pairs = [*zip(signs, figures, strict=True)]
    of = [b for a, b in pairs if sign.fullmatch(a)]
    others = (not a or not b or a == b for a, b in pairs if not sign.fullmatch(a))
    return any(map(DIGIT.search, of)) and not any(map(UNIT.search, of)) and all(others)


def is_list(rows: Sequence[Row]) -> bool:
    """Whether rows are names, each once, with values of several kinds, plain figures among them."""
    if not rows or not all([*row] == [0, 1] and not DIGIT.search(row[0]) for row in rows):
        return False
    first, *below = [row[1] for row in rows]
    once = len({row[0] for row in rows}) == len(rows)
    words = [one for one in below if not DIGIT.search(one)]
    begun = YEAR.fullmatch(first) and _BEGAN.search(rows[0][0])
    if is_day(first) or (begun and any(one[:1].isupper() for one in words)):
        return once and bool(words)
    measure = _MEASURE.fullmatch(first) and "(" not in first  # "Mayor; Ada Lind (Left)"
    measure = measure or names_values(rows[0][0], first, below)
    headed = DIGIT.search(first) or measure or _CORNER.fullmatch(rows[0][0])
    return once and not headed and of_kinds(below, plain=True)


def is_day(cell: str) -> bool:
    """
    >>> is_day("3 May 1850"), is_day("May 3, 2019"), is_day("May 2019")
    (True, True, False)
    """
    return any(pattern.fullmatch(cell) for pattern in _DAYS)


def names_values(name: str, value: str, below: Sequence[str]) -> bool:
    """Whether a name and value head columns: a measure, or a year above figures.

    >>> names_values("Town", "2019", ["14", "12"]), names_values("Founded", "1850", ["14", "12"])
    (True, False)
    """
    if not below or not all(DIGIT.search(one) and not YEAR.fullmatch(one) for one in below):
        return False
    year = YEAR.fullmatch(value) and len(below) > 1 and not HAS_YEAR.search(name)
    return bool(year or _MEASURE.fullmatch(value))


def of_kinds(values: Iterable[str], *, plain: bool = False) -> bool:
    """Whether words and signs of values differ; if `plain`, one must be plain figures.

    >>> of_kinds(["12 km", "3 km", ""]), of_kinds(["12,000", "1850"]), of_kinds(["35 kr", "8-16"])
    (False, True, True)
    """
    kinds = {
        " ".join(UNIT.findall(_MONTH.sub("", value))) or bool(YEAR.fullmatch(value))
        for value in values
        if DIGIT.search(value)
    }
    return len(kinds) > 1 and (not plain or not kinds.isdisjoint((True, False)))


def is_figure(cell: str) -> bool:
    """A year is no figure.

    >>> is_figure("14.2 %"), is_figure("2019")
    (True, False)
    """
    return bool(NUMBER.fullmatch(cell)) and not YEAR.fullmatch(cell)
