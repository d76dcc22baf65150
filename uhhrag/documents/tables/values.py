"""What cells hold: figures, years, names, values, numbers that name columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, pairwise, zip_longest

from uhhrag.text import scales
from uhhrag.text.dates import DAY_MONTH, MONTH, MONTH_DAY, compiled, written

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
THOUSANDS = re.compile(rf"[£$€]\s?{scales.THOUSANDS}")
_MEASURE = re.compile(
    r"(?:.*\(\D[^()]{0,20}\)|[%‰€$£¥]|(?:amount|number|value|total|share|cost|price|fee|figure)s?)",
    re.IGNORECASE,
)
HAS_YEAR = re.compile(
    r"\b(?:\w+ed|\w+s|born|built|since|year|season|edition|date|term)\b", re.IGNORECASE
)
"""A column's measure; names that may have a year as value."""
_BEGAN = re.compile(r"\b(?:founded|established|born|built|since)(?: in)?:?$", re.IGNORECASE)
"""Ends what a year is a value of."""
_BEFORE, _AFTER = re.compile("[$€£¥]"), re.compile(r"%|\)%?")
"""Signs of figures, in cells of their own in accounts."""
_BAND = re.compile(r"[<>≤≥]\s?\d[\d,. ]{0,9}|\d[\d,. ]{0,9}(?:[-–]\s?\d[\d,. ]{0,9}|\+)", re.ASCII)
"""Such as "0-4" or "65+"."""
_DATE = re.compile(
    r"\d{1,2}[./-]\d{1,2}[./-](?:\d\d){1,2}|(?:19|20)\d\d-\d\d(?:-\d\d)?"
    r"|(?:0?[1-9]|1[0-2])[./](?:19|20)\d\d",
    re.ASCII,
)
"""A day or month: "31.12.2019", "2019-05"."""
_NUMBERED_DAY = re.compile(
    r"(?<![\w/.-])(\d{1,2})([/-])(\d{1,2})\2((?:19|20)\d\d)(?![\w/-])", re.ASCII
)
_TICK = re.compile(r"[xX✓✔✗✘☒☑☐●•√]")
_SIGN = re.compile(r"[£$€]|(?i:dollar|pound|euro)s|EUR|GBP|USD|CHF|NOK|SEK|DKK")
DECIMALS = re.compile(r"\D{0,4}\d[\d.,]*[.,]\d{1,2}\D{0,2}")
_OTHER_UNIT = re.compile(
    r"[%‰£$€]|^no\.?$|\((?:no\.?|number|[a-z]{1,2}[²³2]?|days|hours|tonnes)\)$|\b(?:per|percentage"
    r"|shares?|rates?|ratios?|index|average|mean|growth|ranks?|ages?|years?|pages?|notes?|codes?|id"
    r"|fte|wte|headcount|number of|no\.? of)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\b(?:number|count|staff|posts|employees|people|persons|members|pupils|students|patients|beds"
    r"|visit(?:or)?s|admissions|homes|households|cases|items|players|games|goals|points|seats|votes"
    r"|appointments|days|hours|weeks|passengers|meals|trips|customers|volunteers|residents)\b"
    r"(?!.*\b(?:costs?|spen[dt]|budget|income|pay|fees?|grants?)\b)",
    re.IGNORECASE,
)


def day_speller(texts: Iterable[str]) -> Callable[[str], str]:
    """Spells out days, if the texts tell whether days or months come first.

    >>> spelt = day_speller(["03/02/2024", "13/02/2024"])
    >>> spelt("03/02/2024"), spelt("13/02/2024"), day_speller(["12/01/2024"])("03/02/2024")
    ('3 February 2024', '13 February 2024', '03/02/2024')
    """
    found = (one for text in texts for one in _NUMBERED_DAY.finditer(text))
    days = {at for one in found for at in (1, 3) if int(one[at]) > 12}
    if len(days) != 1:
        return str
    (day,) = days
    iso = rf"\4-\{4 - day}-\{day}"
    return lambda text: _NUMBERED_DAY.sub(lambda one: written(one.expand(iso)), text)


def merged(cells: Row) -> Row:
    """Only the first cell if all have the same words (a title)."""
    words = len(set(cells.values())) == 1 and not any(map(is_figure, cells.values()))
    return dict(list(cells.items())[:1]) if words else cells


def with_signs(rows: Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
    """Joins columns of signs to their figures.

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
    """Whether each is a figure's sign, or beside a blank or equal cell."""
    pairs = [*zip(signs, figures, strict=True)]
    of = [b for a, b in pairs if sign.fullmatch(a)]
    others = (not a or not b or a == b for a, b in pairs if not sign.fullmatch(a))
    return any(map(DIGIT.search, of)) and all(others)


def is_list(rows: Sequence[Row]) -> bool:
    """Whether rows are names, each once but for digits, with values of several kinds, some plain
    figures."""
    names = [DIGIT.sub("", row.get(0, "")).strip() for row in rows]  # "Turnover 2022"
    if not (names and all(names) and all([*row] == [0, 1] for row in rows)):
        return False
    first, *below = [row[1] for row in rows]
    words = [one for one in below if not DIGIT.search(one)]
    begun = YEAR.fullmatch(first) and _BEGAN.search(rows[0][0])
    if is_day(first) or begun:
        return bool(words)
    measure = _MEASURE.fullmatch(first) and "(" not in first  # "Mayor; Ada Lind (Left)"
    measure = measure or names_values(rows[0][0], first, below)
    headed = DIGIT.search(first) or measure
    return not headed and of_kinds(below, plain=True)


def is_day(cell: str) -> bool:
    """
    >>> is_day("3 May 1850"), is_day("May 3, 2019"), is_day("May 2019")
    (True, True, False)
    """
    return any(pattern.fullmatch(cell) for pattern in _DAYS)


def names_values(name: str, value: str, below: Sequence[str]) -> bool:
    """Whether they head columns: a measure, or a year above figures.

    >>> names_values("Town", "2019", ["14", "12"]), names_values("Founded", "1850", ["14", "12"])
    (True, False)
    """
    if not below or not all(DIGIT.search(one) and not YEAR.fullmatch(one) for one in below):
        return False
    year = YEAR.fullmatch(value) and len(below) > 1 and not HAS_YEAR.search(name)
    return bool(year or _MEASURE.fullmatch(value))


def of_kinds(values: Iterable[str], *, plain: bool = False) -> bool:
    """Whether values differ in words and signs; if `plain`, one must be plain figures.

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
    """Years and units are none.

    >>> is_figure("14.2 %"), is_figure("2019"), is_figure("£000")
    (True, False, False)
    """
    return bool(NUMBER.fullmatch(cell)) and not (YEAR.fullmatch(cell) or THOUSANDS.fullmatch(cell))


def names_like_data(row: Row, below: Sequence[Row]) -> set[int]:
    """Columns of days and growing numbers above counts, numbers above ticks, long names."""
    if not any(is_figure(text) or len(text) > LONG_NAME for text in row.values()):
        return set()
    first = {n: next((r[n] for r in below if DIGIT.search(r.get(n, ""))), "") for n in row}
    counts = [n for n, cell in first.items() if NUMBER.fullmatch(cell)]
    days = {n for n in counts if _DATE.fullmatch(row[n]) and not _DATE.fullmatch(first[n])}
    bands = [n for n in counts if _BAND.fullmatch(row[n]) and not _BAND.fullmatch(first[n])]
    words = {n: re.sub(r"^\w{1,3}\. ", "", text) for n, text in row.items()}  # "Q1. Satisfied?"
    word = any(DIGIT.match(first[n]) and not DIGIT.search(words[n]) for n in row)
    long = {n for n in row if word and LONG_NAME < len(row[n]) <= LONG_CELL}
    plain = [n for n in counts if row[n].isdecimal() and len(row[n]) < 4]
    grow = _steps(row[n] for n in plain) == {1} and len(_steps(first[n] for n in plain)) != 1
    classed = len(counts) > 1 and are_classes(row[n] for n in bands)
    figures = [n for n in row if is_figure(row[n])]
    ticks = [n for n in figures if all(_TICK.fullmatch(r[n]) for r in below if n in r)]
    told = all(len({r.get(n) for n in ticks}) > 1 for r in below if not r.keys().isdisjoint(ticks))
    ticked = told and is_scale(row[n] for n in ticks)
    found = (bands if classed else (), plain if grow else (), ticks if ticked else ())
    return long | days | {*chain(*found)}


def are_classes(cells: Iterable[str]) -> bool:
    """
    >>> are_classes(["0-17", "18-64", "65+"]), are_classes(["2-1", "0-0"]), are_classes(["12", "-"])
    (True, False, False)
    """
    classes = [*dict.fromkeys(cells)]
    if not all(map(_BAND.fullmatch, classes)):
        return False
    bounds = [int(re.sub(r"\D", "", one)) for text in classes for one in re.split("[-–]", text)]
    return bounds == sorted(bounds)


def is_scale(cells: Iterable[str], least: int = 2) -> bool:
    """Whether they count from 0 or 1.

    >>> is_scale(["0", "1", "2"]), is_scale(["1", "2"], least=3), is_scale(["2", "3"])
    (True, False, False)
    """
    numbers = [int(cell) if cell.isdecimal() and len(cell) < 4 else -1 for cell in cells]
    return len(numbers) >= least and [*range(numbers[0] > 0, 1_000)][: len(numbers)] == numbers


def _steps(cells: Iterable[str]) -> set[int]:
    """Between at least four numbers: weeks, grades, hours."""
    numbers = [int(cell) for cell in cells if cell.isdecimal() and len(cell) < 4]
    return {later - number for number, later in pairwise(numbers)} if len(numbers) > 3 else set()


def has_own(label: str) -> bool:
    """Whether it tells of another unit."""
    return bool(_OTHER_UNIT.search(label) or scales.unit_in(label))


def are_fine(rows: Sequence[Row], unit: str) -> bool:
    """Whether half the rows of money sums show decimals; others hold counts."""
    cells = [row.values() for row in rows if any(map(is_figure, row.values()))]
    shown = sum(any(map(DECIMALS.fullmatch, row)) for row in cells)
    return bool(_SIGN.search(unit)) and 0 < len(cells) <= 2 * shown


def with_unit(names: Row, rows: Sequence[Row], unit: str) -> Row:
    """Adds it to names above plain figures, but not counts or shares.

    >>> rows = [{0: "Parks", 1: "880", 2: "14", 3: "£3"}]
    >>> with_unit({0: "Service", 1: "2024", 2: "Staff", 3: "Fee"}, rows, "£000")
    {0: 'Service', 1: '2024 (£000)', 2: 'Staff', 3: 'Fee'}
    """
    found, first = {**names}, min(chain(names, *rows), default=0)
    top = ([t for at, t in row.items() if at != first and DIGIT.search(t)] for row in rows)
    accounts = all(map(_SIGN.search, next(filter(None, top), ())))  # with signs in the first row
    for at, name in names.items() if unit else ():
        values = [text for row in rows if DIGIT.search(text := row.get(at, ""))]
        plain = sum(is_figure(one) and "%" not in one for one in values)
        signs = [bool(_SIGN.search(one)) for one in values]
        signed = any(signs) and (all(signs) or not accounts)
        other = has_own(name) or (_SIGN.search(unit) and _COUNTED.search(name))
        if at != first and 2 * plain > len(values) and not (signed or other):
            found[at] = f"{name} ({unit})"
    return found
