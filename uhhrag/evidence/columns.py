"""What the names of columns tell."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

_PERIODS = r"(?:year|quarter|month|week|season|period)"
_THEN = re.compile(
    rf"(?i)\b(?:(?:an?|one|the) )?{_PERIODS} (?:ago|before|earlier)\b"
    rf"|\b(?:(?:the )?(?:last|previous|prior|preceding) {_PERIODS}|previously)\b"
)
_PERIOD = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?:[/–-]\d\d(?:\d\d)?)?(?!\d)")
_PART = re.compile(r"(?i)\W*(?:of (?:which|whom|these|them)|thereof)\b")
_NOW = re.compile(rf"(?i)\b(?:this|current) {_PERIODS}\b")


@lru_cache(2**8)
def earlier_columns(names: tuple[str, ...]) -> Mapping[str, tuple[str, str]]:
    """Of columns that have one of the same figure earlier: its name, and what of this says when.

    >>> earlier_columns(("Homes", "Arrears", "Arrears a year ago (£)"))
    {'Arrears': ('Arrears a year ago (£)', 'a year ago')}
    >>> earlier_columns(("Last year", "This year"))
    {'This year': ('Last year', 'last year')}
    """
    now = {_base(_NOW.sub("", name)): name for name in names if not _THEN.search(name)}
    then = {name: match for name in names if (match := _THEN.search(name))}
    return {
        now[base]: (name, match.group().lower())
        for name, match in then.items()
        if (base := _base(name[: match.start()] + name[match.end() :])) in now
    }


def _base(name: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", re.sub(r"\([^()]*\)", "", name).lower()))


def period_of(name: str) -> str:
    """The year or financial year that a column's name tells, or "".

    >>> period_of("Budget 2024, £"), period_of("2023-24"), period_of("From 2019 to 2024")
    ('2024', '2023-24', '')
    """
    years = _PERIOD.findall(name)
    return years[0] if len(years) == 1 else ""


def is_part(name: str) -> bool:
    """Whether its figures are parts of those of the column before."""
    return bool(_PART.match(name))


def numbers_of(name: str) -> list[int]:
    return list(map(int, re.findall(r"\d+", name)))


def shape_of(name: str) -> str:
    return re.sub(r"\d+", "0", name)
