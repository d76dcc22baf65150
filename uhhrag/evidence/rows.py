"""Rows of tables as their sentences tell them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from uhhrag.text.numerals import search_words
from uhhrag.text.scales import in_full

Row = Mapping[str, str]
"""Cells by the names of their columns."""
NAMELESS = "\0"
"""Begins the key of a cell without a name, before its number."""
NO_ITEM = re.compile(
    r"(?:grand |sub-?)?totals?\b|(?:sum|all|whole|overall|average|mean|target)\b", re.IGNORECASE
)
"""Begins a row about the others."""
_AVERAGE = re.compile(r"average|mean|target", re.IGNORECASE)
COUNTING = frozenset({("no",), ("all",), ("both",), ("none",)})
"""Words of cells that a claim has for another reason."""
ASIDE = re.compile(r"\([^()]*\)|(?:\s*[*†‡§]|\s[a-z\d]{1,2}\))+$")


@lru_cache(2**14)
def words_of(text: str) -> tuple[str, ...]:
    """Without brackets and marks of notes."""
    return tuple(search_words(ASIDE.sub("", text)))


def first_of(row: Row) -> str:
    return next(iter(row.values()))


def is_no_item(row: Row) -> bool:
    return bool(NO_ITEM.match(first_of(row)))


def is_total(row: Row) -> bool:
    """A sum of the others, unlike an average or a target."""
    return is_no_item(row) and not _AVERAGE.match(first_of(row))


def cells_of(text: str) -> Row:
    row: dict[str, str] = {}
    for at, part in enumerate(in_full(text).split("; ")):
        name, apart, value = part.partition(": ")
        row[name if apart else f"{NAMELESS}{at}"] = value if apart else part
    return row


def is_like(other: Row, row: Row) -> bool:
    same = other.keys() & row.keys()
    return next(iter(other)) == next(iter(row)) and len(same) >= max(2, len(row) / 2)


def tables_in(lines: Sequence[str]) -> list[int]:
    """For each row, the first row of its table; -1 for other lines.

    >>> tables_in(["Fares", "Item: Car; Price: 4", "Item: Dog; Price: 1", "It rose.", "A: 1; B: 2"])
    [-1, 1, 1, -1, 4]
    """
    starts: list[int] = []
    above: Row = {}
    for at, line in enumerate(lines):
        row = cells_of(line) if "; " in line else {}
        row = row if sum(not name.startswith(NAMELESS) for name in row) > 1 else {}
        starts.append(-1 if not row else starts[-1] if above and is_like(row, above) else at)
        above = row
    return starts
