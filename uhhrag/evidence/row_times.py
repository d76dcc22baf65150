"""Times that rows of a table stand for, and those of a claim."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from uhhrag.evidence.rows import ASIDE, Row, is_no_item
from uhhrag.text.figures import figure_in
from uhhrag.text.periods import days_in
from uhhrag.text.quantities import Quantity, QuantityKind, without_year

_MAX_TIME_CHARS = 40
"""Characters of a time."""
_MONTH = 31
"""Days, and what a month counts among days of a year."""
_A_YEAR_BEFORE = re.compile(
    r"\b(?:an?|one|the) year (?:before|earlier|ago|previously)\b|\b(?:previous|preceding) year\b"
)


class Times(NamedTuple):
    """Days that rows stand for."""

    column: str
    """Whose cells tell them; "" if none does."""
    of: Mapping[int, Quantity]
    """By line."""
    pair: tuple[str, ...]
    """Two columns of which each row has a pair of its own; () without."""


def _keys(rows: Mapping[int, Row]) -> tuple[str, ...]:
    """Two columns of texts or times, both with repetitions, of which each row has a pair of its
    own."""
    items = [row for row in rows.values() if not is_no_item(row)]
    repeat = [
        name
        for name in (items[0] if items else ())
        if 1 < len({row.get(name, "") for row in items}) < len(items)
        and all(name in row and (not figure_in(row[name]) or time_of(row[name])) for row in items)
    ][:2]
    pairs = {tuple(row[name] for name in repeat) for row in items}
    return tuple(repeat) if len(repeat) == 2 and len(pairs) == len(items) else ()


def puts_first(claim: str) -> bool:
    """Whether the first of two times is compared with the second, not the later with the earlier.

    >>> puts_first("More came in 2021 than in 2023."), puts_first("It rose from 2021 to 2023.")
    (True, False)
    >>> puts_first("Between 2021 and 2023 it more than doubled.")
    False
    """
    times = days_in(claim)
    return len(times) > 1 and " than " in claim[times[0].end : times[-1].start]


def times_of(rows: Mapping[int, Row]) -> Times:
    """A date, month or year of its own in the first cell of each row but totals, or in one of two
    columns that make pairs."""
    items = {line: row for line, row in rows.items() if not is_no_item(row)}
    keys = _keys(rows)
    for name in keys or [*next(iter(items.values()), {})][:1]:
        found = {line: one for line, row in items.items() if (one := time_of(row.get(name, "")))}
        alike = len({one.kind for one in found.values()}) == 1
        apart = len({(one.low, one.high) for one in found.values()}) == len(items) > 1
        if len(found) == len(items) and alike and (keys or apart):
            return Times(name, found, keys)
    return Times("", {}, keys)


def time_of(cell: str) -> Quantity | None:
    cell = ASIDE.sub("", cell).strip()
    first = next(iter(days_in(cell[:_MAX_TIME_CHARS])), None)
    return first if first and first.end - first.start == len(cell) else None


def times_said(claim: str) -> list[Quantity]:
    """Days and months of the claim, without ends of a period in which it states another."""
    said = [*days_in(claim)]
    period = next((at for at, ends in enumerate(pairwise(said)) if _are_ends(claim, *ends)), None)
    if period is not None and len(said) > 2:
        del said[period : period + 2]
    dated = [one for one in said if one.kind is QuantityKind.DAY]
    if len(dated) == 1 and _A_YEAR_BEFORE.search(claim):
        low, high = map(_year_before, (dated[0].low, dated[0].high))
        said.append(dated[0]._replace(low=low, high=high))
    return said


def _are_ends(claim: str, first: Quantity, last: Quantity) -> bool:
    before, between = claim[: first.start].lower(), claim[first.end : last.start]
    return before.endswith(("between ", "from ")) and between in (" and ", " to ")


def is_since(claim: str, time: Quantity) -> bool:
    return claim[: time.start].lower().endswith("since ")


def _year_before(day: Fraction) -> Fraction:
    then = date.fromordinal(int(day))
    last = 28 if then.month == 2 else 31  # 29 February has none
    return Fraction(then.replace(year=then.year - 1, day=min(then.day, last)).toordinal())


def holds(own: Quantity, said: Quantity) -> bool:
    """Whether a row's time is, or contains, one of the claim."""
    if said.kind is QuantityKind.DAY_OF_YEAR:
        own = without_year(own) if own.kind is QuantityKind.DAY else own
        middle = (said.low + said.high) / 2
        return own.high - own.low <= _MONTH and own.low <= middle <= own.high
    return own.kind is said.kind and own.low <= said.low and said.high <= own.high


def is_inside(own: Quantity, said: Quantity) -> bool:
    return own.kind is said.kind and said.low <= own.low and own.high <= said.high
