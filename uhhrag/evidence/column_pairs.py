"""Columns of figures that their names tell to be read side by side."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_PERIODS = r"(?:year|quarter|month|week|season|period)"
_THEN = re.compile(
    rf"(?i)\b(?:(?:an?|one|the) )?{_PERIODS} (?:ago|before|earlier)\b"
    rf"|\b(?:(?:the )?(?:last|previous|prior|preceding) {_PERIODS}|previously)\b"
)
_NOW = re.compile(rf"(?i)\b(?:this|current) {_PERIODS}\b")


def earlier_columns(names: Sequence[str]) -> Mapping[str, tuple[str, str]]:
    """Of columns that have one of the same figure earlier: its name, and what of this says when.

    >>> earlier_columns(["Homes", "Arrears", "Arrears a year ago (£)"])
    {'Arrears': ('Arrears a year ago (£)', 'a year ago')}
    >>> earlier_columns(["Last year", "This year"])
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
