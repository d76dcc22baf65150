"""A table while its rows are read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field
from itertools import groupby

from uhhrag.documents.document import Document
from uhhrag.documents.segmentation import split_sentences
from uhhrag.documents.tables.areas import (
    LONGEST_SECTION,
    Apart,
    records,
    sections_of,
    width_of_records,
)
from uhhrag.documents.tables.headings import Heading, begins_table, heading_of
from uhhrag.documents.tables.values import (
    DECIMALS,
    LONG_CELL,
    Row,
    has_own,
    is_figure,
    merged,
    with_unit,
)
from uhhrag.documents.whose_words import is_claim
from uhhrag.text.fragments import is_ended
from uhhrag.text.scales import unit_in

_LONG_LINE, _LONGEST_NAME, _ALIKE = 600, 8, 3
"""Characters; words of what ends like a sentence; numbers of columns, at least."""
_NO_NAMES = Heading((), {})
OF_ALL = re.compile(
    r"\W*(?:notes?\W+)?(?:(?:all|the) )?(?:figures|amounts|values|sums)"
    r"(?= (?:are|is|in|shown|given|stated)\b(?! (?:brackets|italics|bold|parenthes))|,|\s?\()",
    re.IGNORECASE,
)
"""Begins a note below a table that may give their unit."""
_NOTE = re.compile(r"(?:sources?|notes?|quellen?)\s?:|[*†‡]", re.IGNORECASE)


@dataclass(slots=True, kw_only=True)
class GrowingTable:
    heading: Heading
    limited: bool
    marked: Sequence[int]
    spans: Set[int]
    grouped: bool
    """Its first row below the names is the name of a group."""
    fine: bool
    """Its sums have decimals: whole figures are counts."""
    unit: str
    names: Row
    units: Row
    """The names with `unit`."""
    wide: int
    lower: Heading = _NO_NAMES
    """Of a later table, in several rows."""
    figures: dict[int, bool] = field(default_factory=dict)
    """Whether a column has held nothing else."""
    fresh: bool = False
    """Blank rows are above, or above rows of one cell."""
    before: int = 0
    """Number of the row before."""
    size: int = 0
    """Bytes of the lines."""
    lines: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    apart: list[Apart] = field(default_factory=list)

    def add(self, count: int, number: int, cells: Row, ahead: Sequence[tuple[int, Row]]) -> None:
        """`count`: its position among all rows; `ahead`: rows below."""
        self.starts.append(len(self.lines))
        gap, self.before = self.limited and number - self.before > 1, number
        self.fresh = gap or self.fresh
        begins = self._begins(count, number, cells, gap, ahead)
        if begins:
            self._begin(number, cells, ahead)
        label, alone = cells[min(cells)], [*cells] == [min(self.names, default=-1)]
        titles = self.fresh and alone and not is_figure(label)
        if begins or count in self.heading.rows or number in self.lower.rows:
            made = ["; ".join(text for text, _ in groupby(cells.values()))]
        elif count > self.heading.last:
            made = self._sentences(count, number, cells, titles, ahead[0][1])
        else:
            made = _sentences(merged(cells), {})
        self.labels.append(label)
        titles = titles and gap and len(label) <= LONGEST_SECTION
        said = made == [label] or not ahead[0][0] or (alone and self.grouped)
        named = not (is_ended(label) and len(label.split()) > _LONGEST_NAME)
        if named and len(merged(cells)) == 1 and (count < self.heading.first or said or titles):
            over = number in self.spans and not _NOTE.match(label)
            self.apart.append(Apart(count, len(self.labels) - 1, gap, over))
        self.fresh = self.fresh and len(cells) == 1
        self.lines += made
        self.numbers += [number] * len(made)
        self.size += sum(len(line.encode()) for line in made)

    def _begins(
        self, count: int, number: int, cells: Row, gap: bool, ahead: Sequence[tuple[int, Row]]
    ) -> bool:
        """Whether the row names a further table's columns."""
        turned = count in self.marked and sum(self.figures.get(at, False) for at in cells) > 1
        again = self.fresh or turned or cells[min(cells)] == self.names.get(min(cells))
        may_begin = (count > self.heading.last >= 0 or gap) and number not in self.lower.rows
        if self.limited and self.fresh and may_begin:
            self.lower = _names_in_several_rows(((number, cells), *ahead))
        if number in self.lower.rows[:1]:
            return True
        begins = again and begins_table(cells, ahead[0][1], self.figures, self.names)
        return may_begin and (begins or _repeats(cells, self.names))

    def _begin(self, number: int, cells: Row, ahead: Sequence[tuple[int, Row]]) -> None:
        titled = bool(self.apart) and self.apart[-1].position == len(self.labels) - 1
        self.apart[-1:] = [one._replace(heads=titled) for one in self.apart[-1:]]
        told = (*(self.labels[-1:] if titled else ()), cells[min(cells)])
        self.unit = unit_in("; ".join(told)) or ("" if titled else self.unit)
        self.names = self.lower.names if number in self.lower.rows else cells
        below = [row for _, row in ahead][: None if self.lower.rows else 1]
        self.figures, self.units = {}, with_unit(self.names, below, self.unit)
        self.wide = width_of_records(self.names)

    def _sentences(
        self, count: int, number: int, cells: Row, titles: bool, below: Row
    ) -> list[str]:
        counts = count == self.heading.last + 1 and _counts_columns(cells)
        whole = self.fine and not any(map(DECIMALS.fullmatch, cells.values()))
        held = self.names if whole or has_own(cells[min(cells)]) else self.units
        held = {} if titles or counts or (number in self.spans and below) else held
        for at, text in cells.items():
            self.figures[at] = self.figures.get(at, True) and is_figure(text)
        parts = records(cells, self.names, self.wide)
        return [line for part in parts for line in _sentences(part, held)]

    def document(self) -> Document:
        found = sections_of(self.apart, self.labels, self.heading.first)
        sections = tuple((self.starts[at], name) for at, name in found)
        lines, numbers = tuple(self.lines), tuple(self.numbers)
        return Document(lines, numbers, starts=tuple(self.starts), sections=sections)


def _names_in_several_rows(rows: Iterable[tuple[int, Row]]) -> Heading:
    """Of a table that begins with them, words above figures, by row numbers."""
    numbers, cells = zip(*(pair for pair in rows if pair[1]), strict=True)
    first, *below = (any(map(is_figure, row.values())) for row in cells)
    if first or len(cells[0]) < 2 or not any(below):
        return _NO_NAMES
    found = heading_of(cells, numbers, (), spread=True)
    return (
        Heading(numbers[: found.last + 1], found.names) if found.rows[:2] == (0, 1) else _NO_NAMES
    )


def _repeats(cells: Row, names: Row) -> bool:
    """Whether a row repeats the names, perhaps without the first."""
    first, *others = cells
    same = all(cells[at] == names.get(at) for at in others)
    return bool(others) and same and (len(others) > 1 or cells[first] == names.get(first))


def _counts_columns(cells: Row) -> bool:
    """Whether a row numbers its columns: (1), (2), (3), (4)."""
    numbers = [text.strip("()[]") for text in cells.values()]
    several = len(numbers) > _ALIKE and numbers[-1] == str(max(cells) + 1)
    return several and all(one == str(at + 1) for one, at in zip(numbers, cells, strict=True))


def _sentences(cells: Row, names: Row) -> list[str]:
    first = len(cells) == 1 and min(cells) == min(names, default=-1)
    text = next(iter(cells.values()))
    note = _NOTE.match(text) or OF_ALL.match(text)
    alone = first and bool(len(names) > 2 or is_ended(text) or note)
    alone = alone or (len(cells) == 1 and not names)
    pairs: list[str] = []
    long: list[str] = []
    said = all(is_ended(text) and len(text.split()) > 1 for text in cells.values())  # no verdict
    labels = [names.get(at, "") for at in cells]
    if said and any(map(is_claim, labels)) and all(labels):
        return [f"{names[at].rstrip(': ')}: {text}" for at, text in cells.items()]  # myth and fact
    for at, text in cells.items():
        if alone or len(text) > LONG_CELL:
            long += [sentence for sentence, _ in split_sentences([(text, 0)])]
        else:
            name = "" if at not in names else names[at].rstrip(": ")
            beside = not name and pairs and pairs[-1][-1] == ":" != text[-1]
            label = f"{pairs.pop()} " if beside else f"{name}: " if name else ""
            pairs.append(f"{label}{text}")
    return [*_joined(pairs), *long]


def _joined(pairs: Sequence[str]) -> list[str]:
    lines = [*pairs[:1]]
    for pair in pairs[1:]:
        if len(lines[-1]) + len(pair) > _LONG_LINE:
            lines.append(pairs[0])
        lines[-1] += f"; {pair}"
    return lines
