"""Which row names a table's columns, below notes and group names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, pairwise
from typing import NamedTuple

from uhhrag.documents.tables.values import (
    DIGIT,
    LONG_NAME,
    THOUSANDS,
    UNIT,
    YEAR,
    Row,
    is_day,
    is_figure,
    is_list,
    is_scale,
    names_like_data,
)

_MOST_NOTES, _MOST_LEVELS, _WIDE = 6, 3, 0.6
"""Rows of notes (or a list) and of groups above a heading, at most; its least share of columns."""
_SCALE = re.compile(r"1(?:[,. ]?000)+")
_PERIOD = re.compile(r"\b(?:19|20)\d\d\b")  # alone over names, that of all columns
_MISSING = re.compile(r"n\.?\s?/?\s?[ad]\.?", re.IGNORECASE)


class Heading(NamedTuple):
    rows: tuple[int, ...]
    names: Row

    @property
    def first(self) -> int:
        return self.rows[0] if self.rows else 0

    @property
    def last(self) -> int:
        return self.rows[-1] if self.rows else -1


def heading_of(
    rows: Sequence[Row], numbers: Sequence[int], marked: Sequence[int], *, spread: bool
) -> Heading:
    """The first row below notes that can name columns, else one `marked`, else none."""
    pairs = [row for row in rows if len(row) > 1]
    if is_list(pairs):
        return Heading((), {})
    rows = _with_stubs(rows, numbers) if spread else rows
    starts = (_below_notes(rows), 0) if spread else (0,)
    found = (_heading_from(rows, numbers, start, spread=spread) for start in starts)
    named = (Heading((at,), rows[at]) for at in marked if at < len(rows))
    return next((one for one in chain(found, named) if one.rows), Heading((), {}))


def _with_stubs(rows: Sequence[Row], numbers: Sequence[int]) -> Sequence[Row]:
    """Moves names of the first columns up beside the others."""
    for at in range(1, len(rows) - 1):
        above, row, below = rows[at - 1 : at + 2]
        both = {**row, **above}
        parted = row and above and max(row) < min(above) and both.keys() == below.keys()
        later = pairwise(rows[at + 1 :])
        group = any(one.keys() == row.keys() and len(two) > 1 for one, two in later)
        if parted and not group and not any(map(is_figure, both.values())):
            return [{}, *rows[: at - 1], both, *rows[at + 1 :]]
    return rows


def _usual_width(rows: Iterable[Row]) -> int:
    widths = Counter(len(row) for row in rows if len(row) > 1)
    return max(widths, key=lambda width: width * widths[width], default=0)


def _below_notes(rows: Sequence[Row]) -> int:
    at = next((at for at, row in enumerate(rows) if len(row) > 2), 0)
    above = [row for row in rows[:at] if row]
    few = len(above) <= _MOST_NOTES or is_list([row for row in above if len(row) > 1])
    notes = at and few and all(min(one) == min(rows[at]) for one in above)
    return at if notes and begins_table(rows[at], next(iter(rows[at + 1 :]), {})) else 0


def _heading_from(
    rows: Sequence[Row], numbers: Sequence[int], start: int, *, spread: bool
) -> Heading:
    usual = _usual_width(rows[start:])
    for at in range(start, len(rows)):
        row = _above_something(rows, at)
        alone = len(row) == 1 and _names_figures(row, rows[at + 1 :])
        of_groups = at > start and row.keys() == _repeated(rows[at - 1])
        narrow = len(row) < 2 or (spread and not of_groups and len(row) < _WIDE * usual)
        if narrow and not alone:
            continue
        (upper, top), below = _upper(rows, numbers, at, spread=spread), rows[at + 1 :]
        names = joined_names(upper, row)
        if upper and below:  # a name may go down to the units
            below = [{n: t for n, t in below[0].items() if t != row.get(n)}, *below[1:]]
        if not upper and (_recur(row, below) or _are_values(row, below)):
            break
        own = names if upper.get(min(row)) == row[min(row)] else row
        words = [own[n] for n in row.keys() - names_like_data(row, below)]
        lower, twice = _lower(row, below, numbers[at : at + 2]), _repeated(names)
        last, second = at + bool(lower), {**row, **dict(*below[:1])}
        units = {} if lower else _lower(second, below[1:], numbers[at + 1 :])
        if units and (lower := _lower(row, [below[0], *below[2:]], numbers[at:])):
            lower, last = joined_names(lower, units, between=", "), at + 2
        below_twice = bool(lower) and lower.keys() <= twice
        groups = twice and not below_twice and (upper or _are_groups(rows, numbers, at))
        corner = bool(upper) or _has_corner(row, below[last - at :])
        if not groups and _names_columns(words, corner=corner):
            names = _with_lower(names, lower)
            lone = [one for one in below if len(one) == 1]  # several are names of groups
            first: Row = dict(*below[:1]) if not lower and lone == [*below[:1]] else {}
            if min(row) in first and names[min(row)] != row[min(row)]:  # left of a pivot
                names, last = {**names, **first}, at + 1
            return Heading(tuple(range(top, last + 1)), names)
        if not _may_be_upper(row):
            break
    return Heading((), {})


def joined_names(*rows: Row, between: str = " ") -> Row:
    """By column, upper names first."""
    names = {
        n: dict.fromkeys(row[n] for row in rows if row.get(n)) for n in sorted({*chain(*rows)})
    }
    return {n: between.join(parts) for n, parts in names.items()}


def _lower(names: Row, below: Sequence[Row], numbers: Sequence[int]) -> Row:
    """The row below that continues names, such as units."""
    row, below = (below[0], below[1:_MOST_NOTES]) if len(below) > 1 else ({}, [])
    labels = row.get(min(names), "")
    apart = not row or [*row] == [min(names)] or numbers[1] - numbers[0] != 1
    if apart or DIGIT.search(THOUSANDS.sub("", labels)):
        return {}
    above = {n: next((one[n] for one in below if n in one), "") for n in row}
    figures = all(is_figure(text) or DIGIT.match(text) for text in above.values())
    words = {n for n, text in row.items() if _goes_on(text)}
    scales = {n for n, text in row.items() if words and not labels and _SCALE.fullmatch(text)}
    years = bool(words - {min(names)}) or (
        not labels and ({*names} - {min(names)} < {*row} or _repeated(names))
    )
    scales |= {n for n, text in row.items() if years and YEAR.fullmatch(text)}
    return row if figures and row.keys() == words | scales else {}


def _goes_on(cell: str) -> bool:
    return bool(UNIT.search(cell)) and not is_figure(cell)


def _with_lower(names: Row, lower: Row) -> Row:
    """
    >>> _with_lower({0: "Year", 1: "Catch"}, {1: "t"})
    {0: 'Year', 1: 'Catch (t)'}
    """
    if lower.keys() <= names.keys():
        shown = {n: t if t.endswith(")") else f"({t})" for n, t in lower.items()}
        return {**names, **{n: f"{names[n]} {text}" for n, text in shown.items()}}
    return joined_names(_filled_over(names, lower), lower)


def _filled_over(row: Row, columns: Iterable[int]) -> Row:
    columns = sorted(columns)
    texts = [row.get(n, "") for n in columns]
    filled: Iterator[str] = accumulate(texts, lambda text, new: new or text)
    return {**row, **dict(zip(columns, filled, strict=True))}


def _repeated(row: Row) -> set[int]:
    times = Counter(row.values())
    return {at for at, text in row.items() if times[text] > 1}


def _recur(row: Row, below: Sequence[Row]) -> bool:
    """Whether several words are values below, in columns without figures; rows alike but for the
    first cell are other tables' heads."""
    more, others = [*row][1:], [other for other in below if other != row]
    values = {n: {other[n] for other in others if other.get(n)} for n in more}
    words = [n for n in more if not any(map(DIGIT.search, values[n])) and values[n] != {row[n]}]
    alike = [sum(other.get(n) == row[n] for n in words) for other in others]
    return any(0 < count < len(words) for count in alike) and sum(alike) > 1


def _are_values(row: Row, below: Sequence[Row]) -> bool:
    """Whether the first column has a day, or a row is like that below: names, words, figures,
    except cells that span both."""
    pairs = [(text, below[0][n]) for n, text in row.items() if below and n in below[0]]
    pairs = [(text, other) for text, other in pairs if text != other]
    labels = any(one[-1] == other[-1] == ":" for one, other in pairs)
    figures = ((one, other) for one, other in pairs if DIGIT.search(one) and not YEAR.search(one))
    alike = (any(map(str.isalpha, one)) and _words(one) == _words(other) for one, other in figures)
    return labels or any(alike) or is_day(row.get(min(chain(row, *below)), ""))


def _words(cell: str) -> str:
    return re.sub(r"[\d\s.,]+", " ", cell)


def _has_corner(row: Row, below: Sequence[Row]) -> bool:
    first = next(filter(None, below), {})
    return bool(first) and min(first) < min(row) and not is_figure(first[min(first)])


def _names_figures(row: Row, below: Sequence[Row]) -> bool:
    return _has_corner(row, below) and is_figure(next(filter(None, below)).get(min(row), ""))


def _above_something(rows: Sequence[Row], at: int) -> Row:
    """Drops figures above no cell, such as note marks, except in a scale."""
    filled = {column for row in rows[at + 1 :] for column in row}
    scale = is_scale(filter(is_figure, rows[at].values()), least=3)
    return {n: text for n, text in rows[at].items() if n in filled or scale or not is_figure(text)}


def _upper(
    rows: Sequence[Row], numbers: Sequence[int], at: int, *, spread: bool
) -> tuple[Row, int]:
    names: Row = {}
    top = at
    while at - top < _MOST_LEVELS and (found := _groups(rows, numbers, top, at, spread=spread)):
        names = joined_names(found, names)
        top -= 1
    return names, top


def _groups(
    rows: Sequence[Row], numbers: Sequence[int], at: int, heading: int, *, spread: bool
) -> Row:
    if not at or numbers[at] - numbers[at - 1] != 1 or not _may_be_upper(rows[at - 1]):
        return {}
    row, columns = rows[at - 1], sorted(rows[heading])
    over = [n for n in row if n >= columns[0]]
    period = len(over) == 1 and columns[0] < over[0] and _PERIOD.search(row[over[0]])
    if spread and period and not any(map(DIGIT.search, rows[heading].values())):
        return {**row, **dict.fromkeys(columns, row[over[0]])}
    labelled = min(row) < columns[0] and 2 < len(row) < len(columns)
    joint = joined_names(_filled_over(row, columns), rows[heading])
    beside = len(row) < len(columns) and _repeated(rows[heading]) and not _repeated(joint)
    if not spread or (columns[0] in row and not (labelled or beside)):
        return row if _are_groups(rows, numbers, at - 1) else {}
    return _filled_over(row, columns)


def _are_groups(rows: Sequence[Row], numbers: Sequence[int], at: int) -> bool:
    row, lower = (rows[n] if n < len(rows) else {} for n in (at, at + 1))
    below = next((one for one in rows[at + 2 : at + 5] if len({*one.values()}) > 1), {})
    if not lower or numbers[at + 1] - numbers[at] != 1:
        return False
    corner = min((*lower, *below))
    if corner in row and row[corner] == lower.get(corner):
        return True
    if any(is_figure(lower[n]) for n in lower.keys() - names_like_data(lower, [below])):
        return False
    if corner not in row and any(text == row.get(n + 1) for n, text in row.items()):
        return True
    figures = any(is_figure(below.get(n, "")) for n in _repeated(row))
    return (figures or lower.keys() == _repeated(row)) and not _repeated(joined_names(row, lower))


def _may_be_upper(row: Row) -> bool:
    return len(row) > 1 and not any(is_figure(t) or len(t) > LONG_NAME for t in row.values())


def _names_columns(cells: Sequence[str], *, corner: bool = False) -> bool:
    """Years alone do only with a blank `corner`."""
    years = all(YEAR.fullmatch(cell) for cell in cells)
    like_data = any(is_figure(cell) or len(cell) > LONG_NAME for cell in cells)
    return not like_data and (corner or not years)


def begins_table(
    row: Row, below: Row, figures: Mapping[int, bool] | None = None, names: Row | None = None
) -> bool:
    """Whether a row is words, or years in steps of 1, 5 or 10 or below the same first name, above
    figures, or above other words where only `figures` were."""
    years = [int(text[:4]) for text in row.values() if YEAR.fullmatch(text)]
    same = bool(names) and row.get(min(row)) == (names or {}).get(min(row))
    steps = {later - year for year, later in pairwise(years)}
    known = same or (len(steps) == 1 and abs(min(steps)) in (1, 5, 10))
    words = all(
        (known and YEAR.fullmatch(t)) or (any(map(str.isalpha, t)) and not _MISSING.fullmatch(t))
        for t in row.values()
    )
    were = figures or {}
    shows = any(
        is_figure(cell) or (were.get(at) and cell != row[at])
        for at, cell in below.items()
        if at in row
    )
    wide = len(row) > 1 and len(row) >= _WIDE * len(below) and not _are_values(row, [below])
    return shows and words and wide and _names_columns(list(row.values()))
