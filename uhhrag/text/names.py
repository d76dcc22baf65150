"""Whether two texts name the same person or office."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_]+")
_TITLES = frozenset(("the", "mr", "mrs", "ms", "dr", "prof", "sir"))


def same_name(one: str, other: str) -> bool:
    """All words of the shorter are in the longer.

    >>> same_name("The Press Office", "Press Office, Hill Trust"), same_name("A. Finch", "B. Finch")
    (True, False)
    >>> same_name("Finch", "finch@hill.example"), same_name("", "Finch")
    (False, False)
    """
    if "@" in one or "@" in other:
        return one.casefold() == other.casefold()
    names = [set(_WORD.findall(name.casefold())) - _TITLES for name in (one, other)]
    small, large = sorted(names, key=len)
    return bool(small) and small <= large
