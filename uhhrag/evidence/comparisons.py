"""Rows of a table that a claim is about, and how their figures compare. The verifier knows what
"more than" means, but not which number is larger: words beside the figures say it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from uhhrag.evidence.columns import (
    are_dated,
    earlier_columns,
    is_of_all,
    is_part,
    is_plan,
    may_be_compared,
    numbers_of,
    outcome_of,
    period_of,
    series_of,
    shape_of,
)
from uhhrag.evidence.row_names import place_in, rows_named, rows_with
from uhhrag.evidence.row_times import Times, puts_first, times_of
from uhhrag.evidence.rows import NAMELESS, Row, cells_of, is_like, is_no_item, is_total, words_of
from uhhrag.records import RowFigure
from uhhrag.text.figures import (
    TIME_UNITS,
    Amount,
    AmountKind,
    CellFigure,
    amount_of,
    figure_in,
    is_turned,
    share_of,
    since,
    told,
)
from uhhrag.text.numerals import DIGITS, NUMBER_WORD, search_words
from uhhrag.text.superlatives import Superlative, superlative_in

_OF_SO_MANY = re.compile(rf"(?i)\bof (?:(?:all|the|these|its|their) )+(?:{DIGITS}|{NUMBER_WORD})\b")
"""Tells how many there are."""
_COMPARING = frozenset({"than", "abov", "below", "beyond", "exceed"})
"""Stems."""
_MAX_ROWS_AWAY = 200
"""Rows of a table looked at on each side."""
_MOST_COLUMNS = 2
"""A claim that names more columns names none."""


@dataclass(frozen=True, slots=True)
class ClaimedRows:
    rows: Mapping[int, Row]
    """By their lines."""
    named: Mapping[int, str]
    """Lines of rows that the claim names, in its order, with what names them."""
    said: Sequence[str]
    """The claim's words."""
    amount: Amount | None
    superlative: Superlative | None
    in_order: bool
    """Whether the first of two times is compared with the second."""
    times: Times
    """Of all rows but totals; years there are no figures."""

    def cells(self, line: int) -> tuple[RowFigure, ...]:
        """Figures in the columns of which the claim has most words, or in all."""
        columns = self.columns(line)
        named, notes = len(columns) <= _MOST_COLUMNS, self._notes(line, columns)
        noted = ([self._told(line, n, one[n]) for one in notes if one.get(n)] for n in columns)
        plain = (self._told(line, name) for name in columns)
        decides = self.amount.is_part if self.amount else self._compares
        pairs = zip(plain, map(tuple, noted), strict=True)
        return tuple(RowFigure(a, b, named, decides or is_turned(self.said, b)) for a, b in pairs)

    def _notes(self, line: int, columns: Sequence[str]) -> Sequence[Mapping[str, str]]:
        """By column, what compares its figure with other rows that the claim names, or else with
        other columns and all rows."""
        others = [other for other in self.named if other != line] if line in self.named else []
        several = self.amount is not None and self.amount.kind is AmountKind.SEVERAL
        second = bool(others) and line != next(iter(self.named))
        if several or second or self._counts_otherwise(line, columns):
            return ()
        if others and not self.superlative:
            return [{name: self._than(line, name, others) for name in columns}]
        then = {} if self.superlative else {n: self._from_then(line, n) for n in columns}
        if any(then.values()):
            return [then]
        shares = {} if self.superlative else {n: self._share(line, n, columns) for n in columns}
        if any(shares.values()):
            return [shares]
        if len(columns) == 2 and all(map(self._says, columns)):
            return [self._among(line, columns)]
        among = {} if self.superlative else self._among(line, columns)
        return [among, {} if self.amount else {name: self._rank(line, name) for name in columns}]

    @property
    def _compares(self) -> bool:
        """Whether the claim compares with something else than all other rows."""
        return not (self.superlative or _COMPARING.isdisjoint(self.said))

    def _says(self, column: str) -> bool:
        """Whether the claim has all words of a column's name."""
        return {*words_of(column)} <= {*self.said}

    def _counts_otherwise(self, line: int, columns: Sequence[str]) -> bool:
        """Whether the claim counts weeks, say, and columns days."""
        cells = " ".join(f"{name} {self.rows[line][name]}" for name in columns)
        units = TIME_UNITS.intersection(search_words(cells))
        return bool(self.amount and self.amount.unit and units and self.amount.unit not in units)

    def _told(self, line: int, column: str, note: str = "") -> str:
        """The row with no other figure."""
        return "; ".join(
            (value if name.startswith(NAMELESS) else f"{name}: {value}")
            + (f" {note}" if note and name == column else "")
            for name, value in self.rows[line].items()
            if name == column or not self.figure(line, name)
        )

    def columns(self, line: int) -> list[str]:
        """Columns of figures that the claim names; one in place of the same earlier."""
        columns = self._said_columns(line)
        if self.amount and self.amount.kind is AmountKind.FIGURE:
            return columns
        now = {then: name for name, (then, _) in earlier_columns((*self.rows[line],)).items()}
        columns = [*dict.fromkeys(now.get(name, name) for name in columns)]
        return columns if self.superlative else self.with_outcome(line, columns)

    def with_outcome(self, line: int, columns: Sequence[str]) -> list[str]:
        """The outcome before its plan, if the claim names the plan alone."""
        figures = [name for name in self.rows[line] if self.figure(line, name)]
        done = len(columns) == 1 and outcome_of(columns[0], figures)
        return [done, *columns] if done else [*columns]

    def _said_columns(self, line: int) -> list[str]:
        """Columns of figures of which the claim has most words; if as many, all."""
        words = {n: words_of(n) for n in self.rows[line] if self.figure(line, n)}
        said = {name: len({*self.said}.intersection(own)) for name, own in words.items()}
        whole = [name for name, own in words.items() if own and self._says(name)]
        whole = [n for n in whole if not any({*words[n]} < {*words[other]} for other in whole)]
        most = max(said.values(), default=0)
        named = max((said[name] for name in whole), default=-1)
        best = whole if named == most else [name for name in words if said[name] == most]
        aside = [n for n in best if {*self.said} & ({*search_words(n)} - {*words[n]})]
        return aside or [name for name in best if most and is_of_all(name)] or best

    def figure(self, line: int, name: str) -> CellFigure | None:
        return figure_in(self.rows[line].get(name, "")) if name != self.times.column else None

    def _than(self, line: int, name: str, others: Sequence[int]) -> str:
        own = self.figure(line, name)
        figures = [(at, self.figure(at, name)) for at in others]
        notes = [self._beside(line, name, at, own, it) for at, it in figures if own and it]
        return f"({', '.join(notes)})" if all(notes) and notes else ""

    def _beside(self, line: int, name: str, at: int, own: CellFigure, other: CellFigure) -> str:
        who, times = self.named[at], self.times.of
        later = line in times and at in times and times[line].low > times[at].low
        if not later or self.amount:
            return told(own, other, who, self.amount)
        when = f"{'on' if times[at].low == times[at].high else 'in'} {who}"
        return since(own, other, self.rows[at][name], when) or told(own, other, who, self.amount)

    def _from_then(self, line: int, name: str) -> str:
        """Against the earlier figure in another column."""
        column, then = earlier_columns((*self.rows[line],)).get(name, ("", ""))
        own, its = self.figure(line, name), self.figure(line, column)
        if not own or not its or (self.amount and self.amount.kind is AmountKind.FIGURE):
            return ""
        changed = "" if self.amount else since(own, its, self.rows[line][column], then)
        note = changed or told(own, its, column, self.amount)
        return f"({note})" if note else ""

    def _share(self, line: int, name: str, columns: Sequence[str]) -> str:
        """Of the total row, or of another column of a part's that the claim names, by a part that
        it states."""
        own, column = self.figure(line, name), self._whole(line, name, columns)
        words = {*words_of(name)}.difference(words_of(column)) - {*map(str, numbers_of(name))}
        if column and {*self.said}.isdisjoint(words):
            return ""
        totals = [at for at, row in self.rows.items() if is_total(row) and at != line]
        at = line if column else totals[0] if len(totals) == 1 else None
        whole = None if at is None else self.figure(at, column or name)
        if own is None or whole is None or self.amount is None:
            return ""
        return share_of(own, whole, self.amount, column or "the total")

    def _whole(self, line: int, name: str, columns: Sequence[str]) -> str:
        """The column before one "of which" are its figures, or the larger of two alone."""
        figures = {n: it.number for n in self.rows[line] if (it := self.figure(line, n))}
        names = [*figures][: [*figures].index(name)] if name in figures else []
        larger = [n for n in names if figures[n] >= figures[name] and not is_part(n)]
        if is_part(name):
            return larger[-1] if larger else ""
        two = columns if len(columns) == 2 else [*figures]
        alone = len(two) == 2 and shape_of(two[0]) != shape_of(two[1]) and not are_dated(two)
        return next((n for n in two if alone and n in larger), "")

    def _rank(self, line: int, name: str) -> str:
        row, own = self.rows[line], self.figure(line, name)
        if not (own and self.superlative) or name == next(iter(row)) or is_no_item(row):
            return ""
        rest = [at for at, other in self.rows.items() if at != line and not is_no_item(other)]
        times = self.times.of
        rest = [at for at in rest if line in times and times[at] == times[line]] or rest
        figures = [figure for at in rest if (figure := self.figure(at, name))]
        numbers = [figure.number for figure in figures if figure.unit == own.unit]
        if len(numbers) < max(2, len(figures)):
            return ""
        order = self.superlative.order(f"{name} {row[name]}", [own.number, *numbers])
        return self.superlative.placed([order * n for n in (own.number, *numbers)])

    def _among(self, line: int, columns: Sequence[str]) -> dict[str, str]:
        """Notes that compare columns: the two that the claim names, in its order, else each series
        or unit, or the one that it names with the one before."""
        if self.amount and self.amount.kind is AmountKind.FIGURE:
            return {}
        notes = {}
        for name, other in self.pairs(line, columns):
            both, part = (name, other), self.amount and self.amount.is_part
            if part and not (are_dated(both) or all(map(self._says, both))):
                continue
            own, its = self.figure(line, name), self.figure(line, other)
            value = self.rows[line][other]
            if own and its and (than := told(own, its, other, self.amount)):
                most = f", {self._change(line, name, other)}" if self.superlative else ""
                later = self.amount is None and period_of(name) > period_of(other) > ""
                changed = since(own, its, value, f"in {period_of(other)}") if later else ""
                notes[name] = f"({changed or f'{than}: {value}'}{most})"
        return notes

    def _change(self, line: int, name: str, other: str) -> str:
        """Whether no other row's figure rose, or fell, by as much between the columns."""
        gaps = {
            at: own.number - its.number
            for at, row in self.rows.items()
            if at == line or not is_no_item(row)
            if (own := self.figure(at, name)) and (its := self.figure(at, other))
        }
        way = 1 if gaps[line] > 0 else -1
        most = all(gaps[line] * way > gap * way for at, gap in gaps.items() if at != line)
        return f"{'' if most else 'not '}by the most of all"

    def pairs(self, line: int, columns: Sequence[str]) -> list[tuple[str, str]]:
        if len(columns) == 2:
            before, name = columns
            if not may_be_compared(name, before, self.said):
                return []
            if (are_dated(columns) or shape_of(name) == shape_of(before)) and not self.in_order:
                return [(max(columns, key=numbers_of), min(columns, key=numbers_of))]
            first = min(name, before, key=lambda one: place_in(self.said, one))
            turned = is_plan(name, before) or (first == before and not is_plan(before, name))
            return [(before, name) if turned else (name, before)]
        named = (name for name in self.rows[line] if not name.startswith(NAMELESS))
        units = {n: it.unit for n in named if (it := self.figure(line, n))}
        pairs = [(name, before) for group in series_of(units) for before, name in pairwise(group)]
        return [pair for pair in pairs if len(columns) != 1 or pair[0] == columns[0]]


def comparison(lines: Sequence[str], line: int, claim: str) -> ClaimedRows | None:
    """Of the table around a line; None if it is no row with a figure."""
    row = cells_of(lines[line])
    if len(row) < 2 or not any(figure_in(v) for n, v in row.items() if not n.startswith(NAMELESS)):
        return None
    rows = {line: row}
    for way in (-1, 1):
        at = line + way
        while 0 <= at < len(lines) and abs(at - line) <= _MAX_ROWS_AWAY:
            other = cells_of(lines[at])
            if not is_like(other, row):
                break
            rows[at] = other
            at += way
    return claimed(dict(sorted(rows.items())), claim)


def claimed(rows: Mapping[int, Row], claim: str) -> ClaimedRows:
    """Of all rows of a table, by lines."""
    said = search_words(claim)
    times = times_of(rows)
    named = rows_named(rows, times, claim)
    columns = next(iter(rows.values()))
    amount = amount_of(_OF_SO_MANY.sub("", claim), [*columns, *named.values()])
    named = named or rows_with(rows, amount)
    return ClaimedRows(rows, named, said, amount, superlative_in(claim), puts_first(claim), times)
