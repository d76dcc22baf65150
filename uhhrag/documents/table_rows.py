"""Rows of a table as sentences: "Country: Norway; Year: 2019; Ships: 14".

The first row as wide as the table, without numbers, names the columns, with merged cells above it.
A lone cell before it, or in the first column of a wide table, is a heading or note. Long cells
become sentences; a wide row becomes several lines, each beginning with its first cell.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, groupby, islice, pairwise
from typing import NamedTuple

from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.segmentation import Sentences, clean, split_sentences

Row = Mapping[int, str]
"""The cells of a row that are not blank, by column from 0."""
MOST_ROWS, MOST_BYTES = 200_000, 48 * 2**20
"""Of one table, rows and bytes of their sentences."""
_LONG_CELL, _LONG_LINE, _LONG_NAME = 300, 600, 100
_LOOKED_AT, _MOST_NOTES, _WIDE = 60, 6, 0.6
"""Rows searched for a heading, rows of notes above a table, least share of columns of a heading."""
_NUMBER = re.compile(r"[-+−(]?\s?[^\w\s]{0,2}\s?\d[\d\s.,:/'’-]*\s?[^\w\s]{0,2}\)?", re.ASCII)
_BAND = re.compile(r"[<>≤≥]\s?\d[\d,. ]{0,9}|\d[\d,. ]{0,9}(?:[-–]\s?\d[\d,. ]{0,9}|\+)", re.ASCII)
"""A class of numbers, such as "0-4" or "65+"."""
_DIGIT = re.compile(r"\d", re.ASCII)
_YEAR = re.compile(r"(?:1[89]|20)\d\d(?:[-/–]\d{2,4})?[*†‡¹²³]{0,3}")


class TableLines(NamedTuple):
    """The sentences of a table."""

    sentences: Sentences
    cut: bool
    """Whether rows were left out as too many."""


def table_lines(
    rows: Iterable[tuple[int, Row]], *, limited: bool = True, marked: Sequence[int] = ()
) -> TableLines:
    """The sentences of rows; their pages are row numbers.

    `limited` is for a table of its own file: rows are limited and blank cells seen. The first of
    the rows at `marked` names the columns if none does by what it says.

    >>> rows = [(1, {0: "Year", 1: "Ships"}), (2, {0: "2019", 1: "14"})]
    >>> table_lines(rows).sentences.lines
    ('Year; Ships', 'Year: 2019; Ships: 14')
    """
    rows = iter(rows)
    first = [(number, _filled(row)) for number, row in islice(rows, _LOOKED_AT)]
    merged, at_rows = [_merged(row) for _, row in first], [number for number, _ in first]
    heading = _heading(merged, at_rows, marked, spread=limited)
    names, fresh, above, size = heading.names, False, 0, 0
    lines: list[str] = []
    numbers: list[int] = []
    starts: list[int] = []
    every = chain(first, ((number, _filled(row)) for number, row in rows), [(0, {})])
    for count, ((number, cells), (_, below)) in enumerate(pairwise(every)):
        if limited and (count >= MOST_ROWS or size > MOST_BYTES):
            return TableLines(Sentences(tuple(lines), tuple(numbers), tuple(starts)), True)
        if not cells:
            continue
        starts.append(len(lines))
        fresh, above = limited and (number - above > 1 or fresh), number
        begins = fresh and count > heading.last >= 0 and _begins_table(cells, below)
        names = cells if begins else names
        if begins or count in heading.rows:
            made = ["; ".join(text for text, _ in groupby(cells.values()))]
        elif count > heading.last:
            made = _sentences(cells, names)
        else:
            made = _sentences(_merged(cells), {})
        fresh = fresh and len(cells) == 1
        lines += made
        numbers += [number] * len(made)
        size += sum(len(line.encode()) for line in made)
    return TableLines(Sentences(tuple(lines), tuple(numbers), tuple(starts)), False)


def _begins_table(row: Row, below: Row) -> bool:
    """Whether a row after a blank one names columns: words above figures."""
    words = all(any(map(str.isalpha, cell)) for cell in row.values())
    figures = [at for at, cell in below.items() if at in row and is_figure(cell)]
    wide = len(row) > 1 and len(row) >= _WIDE * len(below)
    return bool(figures) and words and wide and _names_columns(list(row.values()))


def _filled(row: Row) -> Row:
    return {at: text for at, cell in row.items() if (text := clean(cell))}


def _merged(cells: Row) -> Row:
    """The first cell if all are the same words (a title), else all."""
    words = len(set(cells.values())) == 1 and not any(map(is_figure, cells.values()))
    return dict(list(cells.items())[:1]) if words else cells


class _Heading(NamedTuple):
    rows: tuple[int, ...]
    """Their positions."""
    names: Row

    @property
    def last(self) -> int:
        return self.rows[-1] if self.rows else -1


def _heading(
    rows: Sequence[Row], numbers: Sequence[int], marked: Sequence[int], *, spread: bool
) -> _Heading:
    """The first row as wide as the table that can name columns, below notes, or one marked."""
    usual = _usual_width(rows)
    starts = (_below_notes(rows, numbers, usual), 0) if spread else (0,)
    found = (_heading_from(rows, numbers, start, spread=spread) for start in starts)
    named = (_Heading((at,), rows[at]) for at in marked if at < len(rows) and len(rows[at]) > 1)
    return next((one for one in chain(found, named) if one.rows), _Heading((), {}))


def _usual_width(rows: Iterable[Row]) -> int:
    widths = Counter(len(row) for row in rows if len(row) > 1)
    return max(widths, key=lambda width: width * widths[width], default=0)


def _below_notes(rows: Sequence[Row], numbers: Sequence[int], usual: int) -> int:
    """Where full rows with figures begin below notes and a blank row; else 0."""
    start = 0
    for at, row in enumerate(rows):
        after_blank = at and (not rows[at - 1] or numbers[at] - numbers[at - 1] > 1)
        start = at if after_blank and row else start
        if len(row) >= usual and any(map(is_figure, row.values())):
            return start if sum(map(bool, rows[:start])) <= _MOST_NOTES else 0
    return 0


def _heading_from(
    rows: Sequence[Row], numbers: Sequence[int], start: int, *, spread: bool
) -> _Heading:
    usual = _usual_width(rows[start:])
    for at in range(start, len(rows)):
        row = _above_something(rows, at)
        if len(row) < 2 or (spread and len(row) < _WIDE * usual):
            continue
        upper, below = _upper(rows, numbers, at, spread=spread), rows[at + 1 :]
        names = _joined_names(upper, row)
        if not upper and _recur(row, below[:4]):
            break
        own = names if upper.get(min(row)) == row[min(row)] else row
        words = [own[n] for n in row.keys() - _names_like_data(row, below)]
        groups = _repeated(names) and (upper or _are_groups(rows, numbers, at))
        if not groups and _names_columns(words, corner=bool(upper) or _has_corner(row, below)):
            return _Heading((at - 1, at) if upper else (at,), names)
        if not _may_be_upper(row):
            break
    return _Heading((), {})


def _joined_names(upper: Row, row: Row) -> Row:
    return {n: " ".join(dict.fromkeys((upper.get(n, ""), t))).strip() for n, t in row.items()}


def _repeated(row: Row) -> set[int]:
    """The columns of cells that are equal to others."""
    times = Counter(row.values())
    return {at for at, text in row.items() if times[text] > 1}


def _recur(row: Row, below: Iterable[Row]) -> bool:
    """Whether repeated cells are values: some are in another row too."""
    return any(other.get(n) == row[n] for other in below if other != row for n in _repeated(row))


def _names_like_data(row: Row, below: Sequence[Row]) -> set[int]:
    """The columns of classes of growing numbers, and of long names beside a word above a number."""
    if not any(is_figure(text) or len(text) > _LONG_NAME for text in row.values()):
        return set()
    first = {n: next((r[n] for r in below if _DIGIT.search(r.get(n, ""))), "") for n in row}
    counts = [n for n, cell in first.items() if _NUMBER.fullmatch(cell)]
    bands = [n for n in counts if _BAND.fullmatch(row[n]) and not _BAND.fullmatch(first[n])]
    classes = dict.fromkeys(row[n] for n in bands)
    bounds = [int(re.sub(r"\D", "", one)) for text in classes for one in re.split("[-–]", text)]
    word = any(_DIGIT.match(first[n]) and not _DIGIT.search(row[n]) for n in row)
    long = {n for n in row if word and _LONG_NAME < len(row[n]) <= _LONG_CELL}
    return long | set(bands) if len(counts) > 1 and bounds == sorted(bounds) else long


def _has_corner(row: Row, below: Sequence[Row]) -> bool:
    """Whether a row is blank above the names of rows below."""
    first = next(filter(None, below), {})
    return bool(first) and min(first) < min(row) and not is_figure(first[min(first)])


def _above_something(rows: Sequence[Row], at: int) -> Row:
    """The cells of a row without figures above no cell, such as marks of notes."""
    filled = {column for row in rows[at + 1 :] for column in row}
    return {n: text for n, text in rows[at].items() if n in filled or not is_figure(text)}


def _upper(rows: Sequence[Row], numbers: Sequence[int], at: int, *, spread: bool) -> Row:
    """Names of groups above a heading, by column; {} if there are none."""
    if not at or numbers[at] - numbers[at - 1] != 1 or not _may_be_upper(rows[at - 1]):
        return {}
    row, columns = rows[at - 1], sorted(rows[at])
    if _repeated(row):
        return row if _are_groups(rows, numbers, at - 1) else {}
    if not spread or columns[0] in row or len(row) < 2:
        return {}
    texts = [row.get(n, "") for n in columns]
    filled: Iterator[str] = accumulate(texts, lambda text, new: new or text)
    return dict(zip(columns, filled, strict=True))


def _are_groups(rows: Sequence[Row], numbers: Sequence[int], at: int) -> bool:
    """Whether repeated cells name groups of the columns that the next row names."""
    row, lower, below = (rows[n] if n < len(rows) else {} for n in range(at, at + 3))
    if not lower or numbers[at + 1] - numbers[at] != 1:
        return False
    corner = min((*lower, *below))
    if corner in row and row[corner] == lower.get(corner):
        return True
    if any(is_figure(lower[n]) for n in lower.keys() - _names_like_data(lower, [below])):
        return False
    if corner not in row and any(text == row.get(n + 1) for n, text in row.items()):
        return True
    figures = any(is_figure(below.get(n, "")) for n in _repeated(row))
    return figures and not _repeated(_joined_names(row, lower))


def _may_be_upper(row: Row) -> bool:
    return len(row) > 1 and not any(is_figure(t) or len(t) > _LONG_NAME for t in row.values())


def _names_columns(cells: Sequence[str], *, corner: bool = False) -> bool:
    """Whether cells name columns; years alone do with a blank `corner` before them.

    >>> _names_columns(["Country", "2018", "2019"]), _names_columns(["Norway", "14.2"])
    (True, False)
    """
    years = all(_YEAR.fullmatch(cell) for cell in cells)
    like_data = any(is_figure(cell) or len(cell) > _LONG_NAME for cell in cells)
    return not like_data and (corner or not years)


def is_figure(cell: str) -> bool:
    """Whether a cell holds a number that is no year.

    >>> is_figure("14.2 %"), is_figure("2019")
    (True, False)
    """
    return bool(_NUMBER.fullmatch(cell)) and not _YEAR.fullmatch(cell)


def _sentences(cells: Row, names: Row) -> list[str]:
    """The lines of a row: short cells together, then long ones."""
    alone = len(cells) == 1 and (not names or (len(names) > 2 and min(cells) == min(names)))
    pairs, long = [], []
    for at, text in cells.items():
        if alone or len(text) > _LONG_CELL:
            long += [sentence for sentence, _ in split_sentences([(text, 0)])]
        else:
            name = "" if at not in names else names[at].rstrip(": ")
            pairs.append(f"{name}: {text}" if name else text)
    return [*_joined(pairs), *long]


def _joined(pairs: Sequence[str]) -> Iterator[str]:
    line = ""
    for pair in pairs:
        if line and len(line) + len(pair) > _LONG_LINE:
            yield line
            line = pairs[0]
        line = f"{line}; {pair}" if line else pair
    if line:
        yield line


def table_document(content: TableLines, unit: str, **about: str) -> Iterator[Document | str]:
    """The document of a table with text, and a clause if rows were left out."""
    lines, numbers, starts = content.sentences
    if lines:
        yield Document(lines, numbers, starts=starts, unit=unit, **about)  # type: ignore[arg-type]
    if content.cut:
        yield (
            f"has more rows than are read ({MOST_ROWS:,}, or {MOST_BYTES >> 20} MiB of text, of "
            "one table); split it"
        )


def require_some(results: Iterable[Document | str]) -> Iterator[Document | str]:
    """The same results. Raises Unreadable at the end without any document."""
    some = False
    for result in results:
        some = some or isinstance(result, Document)
        yield result
    if not some:
        raise Unreadable("is empty")
