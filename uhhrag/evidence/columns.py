"""What the names of columns tell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from uhhrag.evidence.rows import words_of

_PERIODS = r"(?:year|quarter|month|week|season|period)"
_THEN = re.compile(
    rf"(?i)\b(?:(?:an?|one|the) )?{_PERIODS} (?:ago|before|earlier)\b"
    rf"|\b(?:(?:the )?(?:last|previous|prior|preceding) {_PERIODS}|previously)\b"
)
_PERIOD = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?:[/–-]\d\d(?:\d\d)?)?(?!\d)")
_PART = re.compile(r"(?i)\W*(?:of (?:which|whom|these|them)|thereof)\b")
_OF_ALL = re.compile(r"(?i)\b(?:totals?|all|overall|combined)\)?$")
_PLANNED = re.compile(
    r"(?i)\b(?:targets?|budget(?:ed|s)?|plan(?:ned|s)?|goals?|aims?|forecasts?|estimate[ds]?"
    r"|expected|limits?|quotas?|ceiling|allocat(?:ed|ions?)|projected|projections?|anticipated)\b"
)
_AGREED = re.compile(
    r"(?i)\b(?:agreed|approved|authori[sz]ed|awarded|committed|contract(?:ed)?|granted|original"
    r"|pledged|promised|proposed|quoted?|tender(?:ed)?)\b"
)
"""Planned, beside what was done."""
_DONE = re.compile(
    r"(?i)\b(?:achieved|actuals?|costs?|delivered|drawn|expenditure|final|held|out-?turns?|paid"
    r"|reached|results?|spen[dt]|used)\b"
)
_GAP = re.compile(r"(?i)\b(?:variance|difference|change|gap|remaining|balance)\b")
_BY_DAY = re.compile(
    r"(?i)\b(?:to|by|until|at) (?:[\w.]+ ){0,3}(?:\d+[./-]){0,2}(?:1[5-9]|20)\d\d\b"
)
_NOW = re.compile(rf"(?i)\b(?:this|current) {_PERIODS}\b")


@lru_cache(2**8)
def earlier_columns(names: tuple[str, ...]) -> Mapping[str, tuple[str, str]]:
    """By column, the column of the same figure earlier: its name, and its words for when.

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
    """Year or financial year in a column's name, or "".

    >>> period_of("Budget 2024, £"), period_of("2023-24"), period_of("From 2019 to 2024")
    ('2024', '2023-24', '')
    """
    years = _PERIOD.findall(name)
    return years[0] if len(years) == 1 else ""


def are_dated(names: Sequence[str]) -> bool:
    """Whether two are of two periods."""
    return len({*map(period_of, names)} - {""}) == 2


def may_be_compared(name: str, other: str, said: Iterable[str]) -> bool:
    """Whether they are of two times or of a plan, or each has a word of its own that is said.

    >>> names = "On time in May (%)", "Cancelled in May (%)"
    >>> may_be_compared(*names, words_of("More ran on time in May than were cancelled."))
    True
    >>> may_be_compared(*names, words_of("Punctuality fell short of the goal in May."))
    False
    """
    if are_dated((name, other)) or is_plan(name, other) or is_plan(other, name):
        return True
    own, its = {*words_of(name)}, {*words_of(other)}
    each = (own ^ its).intersection(said)
    return shape_of(name) == shape_of(other) or not (each.isdisjoint(own) or each.isdisjoint(its))


def is_part(name: str) -> bool:
    """Whether its figures are parts of those of the column before."""
    return bool(_PART.match(name))


def is_of_all(name: str) -> bool:
    """
    >>> is_of_all("Cases (Total)"), is_of_all("2024 – All"), is_of_all("Total cost of repairs")
    (True, True, False)
    """
    return bool(_OF_ALL.search(name))


def is_plan(name: str, other: str) -> bool:
    """Whether it says what was meant to be, and the other what came of it.

    >>> is_plan("Approved", "Spent"), is_plan("Approved", "Applications"), is_plan("Target", "2024")
    (True, False, True)
    """
    agreed = _AGREED.search(name) and _DONE.search(other) and not _AGREED.search(other)
    return bool((_PLANNED.search(name) or agreed) and not _PLANNED.search(other))


def outcome_of(name: str, names: Sequence[str]) -> str:
    """The one column beside a plan's with what came of it, or "".

    >>> names = ["2023 – Target", "2023 – Actual", "2024 – Target", "2024 – Actual", "Sent 2024"]
    >>> outcome_of("2024 – Target", names), outcome_of("2024 – Actual", names)
    ('2024 – Actual', '')
    """
    beside = [one for one in names if _group(one) == _group(name) and not _GAP.search(one)]
    came = [one for one in beside if one != name and is_plan(name, one)]
    done = came if len(beside) == 2 else [*filter(_DONE.search, came)]
    return done[0] if len(done) == 1 else ""


def _group(name: str) -> tuple[str, str]:
    return name.rpartition(" – ")[0], period_of(_BY_DAY.sub("", name))


def numbers_of(name: str) -> list[int]:
    return list(map(int, re.findall(r"\d+", name)))


def shape_of(name: str) -> str:
    return re.sub(r"\d+", "0", name)


def series_of(units: Mapping[str, tuple[str, str]]) -> list[list[str]]:
    """Names of columns of one series, in its order, or of one unit; more than one each.

    >>> series_of({"Cost 2024": ("£", ""), "Cost 2023": ("£", ""), "Staff": ("", "")})
    [['Cost 2023', 'Cost 2024']]
    """
    groups: dict[object, list[str]] = {}
    for name, unit in units.items():
        series = shape_of(name) if shape_of(name) != name else ""
        groups.setdefault(unit if any(unit) else series, []).append(name)
    found = [group for kind, group in groups.items() if kind and len(group) > 1]
    return [sorted(g, key=numbers_of) if len({*map(shape_of, g)}) == 1 else g for g in found]
