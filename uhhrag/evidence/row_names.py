"""Which rows of a table a claim names: by their items or by their times."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from uhhrag.text.figures import Amount, AmountKind, figure_in
from uhhrag.text.numerals import search_words
from uhhrag.text.periods import days_in
from uhhrag.text.quantities import Quantity, QuantityKind, without_year

Row = Mapping[str, str]
"""Cells by the names of their columns."""
NAMELESS = "\0"
"""Begins the key of a cell without a name, before its number."""
_NO_ITEM = re.compile(r"(?:grand |sub-?)?totals?\b|sum\b|all\b|average\b|mean\b", re.IGNORECASE)
"""Begins a row about the others."""
_AVERAGE = re.compile(r"average|mean", re.IGNORECASE)
_ASIDE = re.compile(r"\([^()]*\)")
_MOST_NAMED = 3
"""A claim that names more rows of a table names none."""
_COMMON = 3
"""A text in more than one of so many rows names none."""
_LONGEST = 40
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


def rows_named(rows: Mapping[int, Row], times: Times, claim: str) -> dict[int, str]:
    """Lines of rows, with what names them: those of times that the claim states, or of pairs of
    item and time or item and item, or else those of its items. The first is the one that is
    compared with the others."""
    words, keys = search_words(claim), times.pair
    said = _said_in(claim, times, since=not keys)
    items = [key for key in keys if key != times.column]
    own = {key: _own_words({row[key] for row in rows.values() if key in row}) for key in items}
    found = [
        line
        for line in (said if times.column else rows if keys else ())
        if all(_stands_in(own[key][rows[line][key]], words) for key in items)
    ]
    if not 0 < len(found) <= _MOST_NAMED:
        return _by_items(rows, words)
    columns = keys or (times.column,)
    differ = (key for key in columns if len({rows[line][key] for line in found}) > 1)
    name = next(differ, columns[0])
    found.sort(key=lambda line: place_in(words, rows[line][name]))
    if name == times.column:
        in_order = puts_first(claim)
        found.sort(key=lambda line: said[line] if in_order else -times.of[line].low)
    return {line: rows[line][name] for line in found}


def rows_with(rows: Mapping[int, Row], amount: Amount | None) -> dict[int, str]:
    """Rows with a figure that the claim states, or the total if it states a share, with their first
    texts."""
    if amount is None:
        return {}
    if amount.kind is AmountKind.TIMES and amount.value < 1:
        found = {line: _first(row) for line, row in rows.items() if is_total(row)}
        return found if len(found) == 1 else {}
    if amount.kind is not AmountKind.FIGURE:
        return {}
    figures = {
        line: [it for v in row.values() if (it := figure_in(v))] for line, row in rows.items()
    }
    near = amount.near
    found = {
        line: _first(rows[line])
        for line, its in figures.items()
        if any(abs(one.number - amount.value) < near for one in its)
    }
    return found if len(found) <= _MOST_NAMED else {}


def _said_in(claim: str, times: Times, *, since: bool) -> dict[int, int]:
    """Rows whose time the claim states, each with the time's place among those of the claim;
    `since` it, the last row too."""
    said = _times_said(claim)
    found: dict[int, int] = {}
    for line, own in times.of.items():
        if (at := next((at for at, one in enumerate(said) if _holds(own, one)), None)) is not None:
            found[line] = at
    for at, one in enumerate(said):
        inside = [line for line, own in times.of.items() if _is_inside(own, one)]
        if at not in found.values() and len(inside) == 1:
            found.setdefault(inside[0], at)
    if since and len(found) == 1 and _is_since(claim, said[next(iter(found.values()))]):
        found.setdefault(max(times.of, key=lambda line: times.of[line].low), len(said))
    return found


def _own_words(texts: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Words of each text but those of all, if what is left is more than numbers.

    >>> _own_words(["Halden-Skarn", "Halden-Lund"])
    {'Halden-Skarn': ('skarn',), 'Halden-Lund': ('lund',)}
    >>> _own_words(["Ward 1", "Ward 2"])["Ward 1"]
    ('ward', '1')
    """
    named = {text: words_of(text) for text in texts}
    items = [{*words} for text, words in named.items() if not _NO_ITEM.match(text)]
    shared = set.intersection(*items) if len(items) > 1 else set()
    own = {text: tuple(w for w in words if w not in shared) for text, words in named.items()}
    apart = all(any(map(str.isalpha, words)) for words in own.values())
    return own if apart else named


def place_in(claim: Sequence[str], text: str) -> int:
    """Where the claim has the first of its words that `text` has; 0 if none."""
    return min((claim.index(word) for word in words_of(text) if word in claim), default=0)


def _keys(rows: Mapping[int, Row]) -> tuple[str, ...]:
    """The two columns of texts or times of which each row has a pair of its own, if both repeat."""
    items = [row for row in rows.values() if not is_no_item(row)]
    repeat = [
        name
        for name in (items[0] if items else ())
        if 1 < len({row.get(name, "") for row in items}) < len(items)
        and all(name in row and (not figure_in(row[name]) or _time(row[name])) for row in items)
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
    """A date, month or year in the first cell of all rows but totals, each of its own, or in one of
    two columns that make pairs."""
    items = {line: row for line, row in rows.items() if not is_no_item(row)}
    keys = _keys(rows)
    for name in keys or [*next(iter(items.values()), {})][:1]:
        found = {line: one for line, row in items.items() if (one := _time(row.get(name, "")))}
        alike = len({one.kind for one in found.values()}) == 1
        apart = len({(one.low, one.high) for one in found.values()}) == len(items) > 1
        if len(found) == len(items) and alike and (keys or apart):
            return Times(name, found, keys)
    return Times("", {}, keys)


def _time(cell: str) -> Quantity | None:
    first = next(iter(days_in(cell[:_LONGEST])), None)
    return first if first and first.end - first.start == len(cell) else None


def _times_said(claim: str) -> list[Quantity]:
    """Days and months of the claim, without the ends of a period in which it states another."""
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


def _is_since(claim: str, time: Quantity) -> bool:
    return claim[: time.start].lower().endswith("since ")


def _year_before(day: Fraction) -> Fraction:
    then = date.fromordinal(int(day))
    last = 28 if then.month == 2 else 31  # 29 February has none
    return Fraction(then.replace(year=then.year - 1, day=min(then.day, last)).toordinal())


def _holds(own: Quantity, said: Quantity) -> bool:
    """Whether a row's time is, or has in it, one of the claim."""
    if said.kind is QuantityKind.DAY_OF_YEAR:
        own = without_year(own) if own.kind is QuantityKind.DAY else own
        middle = (said.low + said.high) / 2
        return own.high - own.low <= _MONTH and own.low <= middle <= own.high
    return own.kind is said.kind and own.low <= said.low and said.high <= own.high


def _is_inside(own: Quantity, said: Quantity) -> bool:
    return own.kind is said.kind and said.low <= own.low and own.high <= said.high


def _by_items(rows: Mapping[int, Row], claim: Sequence[str]) -> dict[int, str]:
    """Rows of which all own words of a rare text stand in the claim, side by side if any row's do,
    those first that it names first; a row whose words another has among more is not meant."""
    texts = {line: [v for v in row.values() if not figure_in(v)] for line, row in rows.items()}
    times = Counter(text for values in texts.values() for text in values)
    rare = {text for text, n in times.items() if n == 1 or n * _COMMON <= len(rows)}
    columns = _columns_of(rows)
    rare -= {v for values in columns if len({*values}) * 2 <= len(values) for v in values}
    own = {v: ws for vs in columns for v, ws in _own_words(rare.intersection(vs)).items()}
    said = frozenset(claim)
    found = {
        line: [v for v in values if v in rare and own[v] and said.issuperset(own[v])]
        for line, values in texts.items()
    }
    whole = {line: [v for v in texts if _stands_in(own[v], claim)] for line, texts in found.items()}
    found = {line: v for line, v in (whole if any(whole.values()) else found).items() if v}
    firsts = {line: _first(row) for line, row in rows.items()}
    if len({*firsts.values()}) == len(rows):  # names of the rows: other texts are said of them
        found = {line: v for line, v in found.items() if firsts[line] in v} or found
    words = {line: {word for v in texts for word in own[v]} for line, texts in found.items()}
    kept = [line for line, mine in words.items() if not any(mine < more for more in words.values())]
    kept.sort(key=lambda line: min(map(claim.index, words[line])))
    return {line: found[line][0] for line in kept} if len(kept) <= _MOST_NAMED else {}


def _columns_of(rows: Mapping[int, Row]) -> list[list[str]]:
    names = dict.fromkeys(name for row in rows.values() for name in row)
    return [[row[name] for row in rows.values() if name in row] for name in names]


def _stands_in(part: Sequence[str], whole: Sequence[str]) -> bool:
    return bool(part) and any(tuple(whole[at : at + len(part)]) == part for at in range(len(whole)))


@lru_cache(2**14)
def words_of(text: str) -> tuple[str, ...]:
    """Of a name, without what stands in brackets."""
    return tuple(search_words(_ASIDE.sub("", text)))


def _first(row: Row) -> str:
    return next(iter(row.values()))


def is_no_item(row: Row) -> bool:
    return bool(_NO_ITEM.match(_first(row)))


def is_total(row: Row) -> bool:
    """Of the sum of the others, unlike an average."""
    return is_no_item(row) and not _AVERAGE.match(_first(row))


def cells_of(text: str) -> Row:
    row: dict[str, str] = {}
    for at, part in enumerate(text.split("; ")):
        name, apart, value = part.partition(": ")
        row[name if apart else f"{NAMELESS}{at}"] = value if apart else part
    return row


def is_like(other: Row, row: Row) -> bool:
    same = other.keys() & row.keys()
    return next(iter(other)) == next(iter(row)) and len(same) >= max(2, len(row) / 2)


def tables_in(lines: Sequence[str]) -> list[int]:
    """Of each line that is a row, the first row of its table; -1 of others.

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
