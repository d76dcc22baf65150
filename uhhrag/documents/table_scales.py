"""Numbers that name columns: days, classes, weeks, scales."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise

from uhhrag.documents.table_values import DIGIT, LONG_CELL, LONG_NAME, NUMBER, Row, is_figure

_BAND = re.compile(r"[<>≤≥]\s?\d[\d,. ]{0,9}|\d[\d,. ]{0,9}(?:[-–]\s?\d[\d,. ]{0,9}|\+)", re.ASCII)
"""Such as "0-4" or "65+"."""
_DAY = re.compile(
    r"\d{1,2}[./-]\d{1,2}[./-](?:\d\d){1,2}|(?:19|20)\d\d-\d\d(?:-\d\d)?"
    r"|(?:0?[1-9]|1[0-2])[./](?:19|20)\d\d",
    re.ASCII,
)
"""A day or month: "31.12.2019", "2019-05"."""
_TICK = re.compile(r"[xX✓✔✗✘☒☑☐●•√]")


def names_like_data(row: Row, below: Sequence[Row]) -> set[int]:
    """Columns of days and growing numbers above counts, numbers above ticks, long names."""
    if not any(is_figure(text) or len(text) > LONG_NAME for text in row.values()):
        return set()
    first = {n: next((r[n] for r in below if DIGIT.search(r.get(n, ""))), "") for n in row}
    counts = [n for n, cell in first.items() if NUMBER.fullmatch(cell)]
    days = {n for n in counts if _DAY.fullmatch(row[n]) and not _DAY.fullmatch(first[n])}
    bands = [n for n in counts if _BAND.fullmatch(row[n]) and not _BAND.fullmatch(first[n])]
    word = any(DIGIT.match(first[n]) and not DIGIT.search(row[n]) for n in row)
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
    >>> are_classes(["0-17", "18-64", "65+"]), are_classes(["2-1", "0-0"]), are_classes(["12"])
    (True, False, False)
    """
    classes = [*dict.fromkeys(cells)]
    bounds = [int(re.sub(r"\D", "", one)) for text in classes for one in re.split("[-–]", text)]
    return all(map(_BAND.fullmatch, classes)) and bounds == sorted(bounds)


def is_scale(cells: Iterable[str], least: int = 2) -> bool:
    """Whether they count from 0 or 1.

    >>> is_scale(["0", "1", "2"]), is_scale(["1", "2"], least=3), is_scale(["2", "3"])
    (True, False, False)
    """
    numbers = [int(cell) if cell.isdecimal() and len(cell) < 4 else -1 for cell in cells]
    return len(numbers) >= least and [*range(numbers[0] > 0, 1_000)][: len(numbers)] == numbers


def _steps(cells: Iterable[str]) -> set[int]:
    """Between four numbers at least: weeks, grades, hours."""
    numbers = [int(cell) for cell in cells if cell.isdecimal() and len(cell) < 4]
    return {later - number for number, later in pairwise(numbers)} if len(numbers) > 3 else set()
