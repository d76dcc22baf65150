"""Invented tables with claims about them, as a file of passages to train a verifier on.

    python -m scripts.table_claims --passages 900 --out PASSAGES/tables.jsonl

The claims look values up, compare, round, rank, add up and count; each kind of claim is made true,
false and undecided, so that its wording does not tell its label. Training on such statements before
real tables is due to Eisenschlos et al. (2020), "Understanding tables with intermediate
pre-training".
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

Json = dict[str, Any]
Rows = tuple[int, ...]
Claim = tuple[str, str, Rows, str]
"""Its words, its label, the rows that decide it, its kind."""

WORDS = (
    *("none", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_SYLLABLES = """
bar ken dor mil tas vel nor hal sun rim pel kos var lin gar tem osk bel fen rud zan qui
jor ash eld wick mar tov ner sal dun ber cas lor mon tri vas gol hed ist kal
"""
SYLLABLES = tuple(_SYLLABLES.split())


@dataclass(frozen=True)
class Subject:
    """What a table is of: its rows, and its measures with the least and the greatest value."""

    row: str
    measures: tuple[tuple[str, str, float, float], ...]
    """Each a noun phrase, a unit (may be empty), least, greatest."""


def _subject(line: str) -> Subject:
    """As in "Port: ships 12-900, cargo (tonnes) 900-90000"."""
    row, _, rest = line.partition(": ")
    found = re.findall(r"([\w ]+?)(?: \(([^)]+)\))? (\d+)-(\d+)(?:, |$)", rest)
    return Subject(
        row, tuple((name, unit, float(low), float(high)) for name, unit, low, high in found)
    )


SUBJECTS = tuple(
    _subject(line)
    for line in """
Port: ships 12-900, cargo (tonnes) 900-90000, berths 2-40
School: pupils 60-1900, teachers 5-120, classrooms 6-70
Hospital: beds 40-1400, nurses 50-2600, births 90-5200
District: residents 900-480000, new homes 8-2400, area (km²) 3-900
Library: loans 2000-410000, visits 900-260000, staff 2-60
Line: passengers 1000-9000000, stops 6-48, length (km) 4-120
Company: revenue (million euros) 2-900, employees 14-22000, plants 1-15
Vineyard: harvest (tonnes) 4-600, bottles 900-700000, pickers 3-90
Reservoir: capacity (million litres) 20-9000, depth (metres) 4-95, outflow (litres a second) 30-8000
Museum: visitors 800-1300000, exhibits 90-40000, grant (thousand crowns) 40-6000
Ward: votes 200-21000, spoilt papers 2-400, turnout (percent) 18-91
Farm: cows 8-900, milk (litres a day) 90-22000, land (hectares) 12-1400
Team: points 6-98, goals 9-110, wins 1-31
Route: accidents 1-260, buses a day 4-190, late departures 2-800
Department: budget (million dollars) 1-400, posts 4-3000, vacancies 1-240
Station: rainfall (mm) 3-320, frost days 1-120, wind (km/h) 11-160
Lake: trout 20-9000, phosphorus (micrograms a litre) 4-210, bathers 30-60000
Plant: output (megawatts) 2-1400, outages 1-60, emissions (tonnes) 40-91000
""".strip().splitlines()
)


@dataclass(frozen=True)
class Table:
    """Rows by names, columns by measures or years, and how they are written."""

    place: str
    subject: Subject
    names: tuple[str, ...]
    columns: tuple[str, ...]
    units: tuple[str, ...]
    yearly: str
    """The measure whose years the columns are; empty where each column is a measure."""
    cells: tuple[tuple[float, ...], ...]
    first: int
    """The number of the first row among the sentences."""

    @property
    def kind(self) -> str:
        """What a row is, as a claim names it: "port"."""
        return self.subject.row.lower()

    def lines(self, *rows: int) -> Rows:
        """The numbers of rows among the sentences, in order; of all rows without any."""
        return tuple(self.first + n for n in sorted(rows or range(len(self.names))))

    def what(self, column: int) -> str:
        """The column as a claim names it."""
        if self.yearly:
            return f"{self.yearly} in {self.columns[column]}"
        return self.columns[column]


def _name(chance: random.Random) -> str:
    return "".join(chance.sample(SYLLABLES, 2)).capitalize()


def _shown(value: float, unit: str = "") -> str:
    number = f"{value:,.1f}" if value != int(value) else f"{int(value):,}"
    return f"{number} {unit}".strip()


def _said(value: float, unit: str, chance: random.Random) -> str:
    """A value in one of the notations that people use."""
    if value == int(value) and 0 < value <= 12 and chance.random() < 0.6:
        return f"{WORDS[int(value)]} {unit}".strip()
    if value >= 1e6 and value % 1e5 == 0 and chance.random() < 0.7:
        return f"{value / 1e6:g} million {unit}".strip()
    if value == int(value) and chance.random() < 0.3:
        return f"{int(value)} {unit}".strip()
    return _shown(value, unit)


def table(chance: random.Random) -> tuple[Table, list[str], str, str]:
    """A table with its sentences, title and heading."""
    subject = chance.choice(SUBJECTS)
    place = _name(chance)
    names = tuple(dict.fromkeys(_name(chance) for _ in range(chance.randint(3, 7))))
    measure = ""
    if yearly := chance.random() < 0.5:
        one = chance.choice(subject.measures)
        start = chance.randint(1998, 2023)
        columns = tuple(str(start + n) for n in range(chance.randint(2, 4)))
        measure, measures = one[0], (one,) * len(columns)
    else:
        measures = tuple(chance.sample(subject.measures, chance.randint(1, 3)))
        columns = tuple(name for name, *_ in measures)
    units = tuple(unit for _, unit, *_ in measures)
    ranges = tuple((least, most) for *_, least, most in measures)
    cells = tuple(_row(chance, ranges, yearly) for _ in names)
    made = Table(place, subject, names, columns, units, measure, cells, 0)
    first, rows, heading = _written(made, chance)
    kind = f"{made.kind}s"
    title = chance.choice((f"{place}: {kind}", f"{place} in figures", f"Statistics of {place}"))
    heading = heading or chance.choice((f"{subject.row}s", "Key figures", "Table 2"))
    return replace(made, first=len(first)), [*first, *rows], title, heading


def _written(made: Table, chance: random.Random) -> tuple[list[str], list[str], str]:
    """Lines above a table's rows, the rows, and the heading of a list of one column, else ""."""
    in_head = chance.random() < 0.5
    first = [f"{made.yearly.capitalize()} by {made.kind}"] if made.yearly else []
    if first and in_head and made.units[0]:
        first[0] += f", {made.units[0]}"
    heads = [
        f"{column} ({unit})" if in_head and unit and not made.yearly else column
        for column, unit in zip(made.columns, made.units, strict=True)
    ]
    if short := len(heads) == 1 and chance.random() < 0.7:
        names = [f"{name}: " for name in made.names]
        heads_of_cells = [""]
    else:
        names = [f"{made.subject.row}: {name}; " for name in made.names]
        heads_of_cells = [f"{head}: " for head in heads]
        if chance.random() < 0.5:
            first.append("; ".join([made.subject.row, *heads]))
    rows = [
        name
        + "; ".join(
            head + _shown(value, "" if in_head else unit)
            for head, value, unit in zip(heads_of_cells, row, made.units, strict=True)
        )
        for name, row in zip(names, made.cells, strict=True)
    ]
    return first, rows, heads[0] if short else ""


def _row(
    chance: random.Random, ranges: tuple[tuple[float, float], ...], yearly: bool
) -> tuple[float, ...]:
    values: list[float] = []
    for least, most in ranges:
        if yearly and values:
            value = max(1.0, values[-1] * chance.choice((0.5, 2, chance.uniform(0.6, 1.6))))
        else:
            value = least * (most / least) ** chance.random()
        if value > 1000 and chance.random() < 0.4:
            digits = 10 ** (len(str(int(value))) - 2)
            value = round(value / digits) * digits
        small = most < 1000 and chance.random() < 0.15
        values.append(round(value, 1) if small else float(max(1, round(value))))
    return tuple(values)


# Each maker gives a claim that is true where `true` and false elsewhere, or None where the table
# has none of its kind.
Maker = Callable[[Table, random.Random, bool], Claim | None]


def _label(true: bool) -> str:
    return "supports" if true else "refutes"


def _cell(table: Table, chance: random.Random) -> tuple[int, int, str, str, str, float]:
    n, c = chance.randrange(len(table.names)), chance.randrange(len(table.columns))
    return n, c, table.names[n], table.what(c), table.units[c], table.cells[n][c]


def look_up(table: Table, chance: random.Random, true: bool) -> Claim | None:
    n, c, name, what, unit, value = _cell(table, chance)
    if not true:
        others = [row[c] for row in table.cells if row[c] != value]
        others += [other for other in table.cells[n] if other != value]
        others.append(value * chance.choice((10, 0.1)) if value > 100 else value + 1)
        value = chance.choice(others)
    said = _said(round(value, 1), unit, chance)
    text = chance.choice(
        (
            f"{name} had {said} as its {what}.",
            f"The figure for {name}'s {what} is {said}.",
            f"In {table.place}, {said} is what is reported for {name}: {what}.",
            f"{said[0].upper()}{said[1:]} is given for {what} at {name}.",
        )
    )
    return text, _label(true), table.lines(n), "table look-up"


def threshold(table: Table, chance: random.Random, true: bool) -> Claim | None:
    n, _, name, what, unit, value = _cell(table, chance)
    over = chance.random() < 0.5
    below = over == true
    bound = value * (chance.uniform(0.5, 0.95) if below else chance.uniform(1.05, 1.8))
    digits = 10 ** max(0, len(str(int(bound))) - 2)
    bound = float(round(bound / digits) * digits)
    if bound == value or bound <= 0 or (value > bound) != below:
        return None
    said = _said(bound, unit, chance)
    more = ("more than", "over", "above") if over else ("less than", "under", "below")
    text = chance.choice(
        (
            f"{name}'s {what} came to {chance.choice(more)} {said}.",
            f"For {what}, {name} stands at {chance.choice(more)} {said}.",
            f"{name} reported {chance.choice(more)} {said} for {what}.",
        )
    )
    return text, _label(true), table.lines(n), "number comparison"


def rounded(table: Table, chance: random.Random, true: bool) -> Claim | None:
    n, _, name, what, unit, value = _cell(table, chance)
    if value < 100:
        return None
    digits = 10 ** (len(str(int(value))) - 1 - chance.randint(0, 1))
    near = round(value / digits) * digits
    if abs(near - value) > 0.08 * value:
        return None
    if not true:
        near *= chance.choice((0.5, 0.7, 1.4, 2, 10))
    said = [_said(float(round(near)), unit, chance) for _ in range(3)]
    text = chance.choice(
        (
            f"{name} has roughly {said[0]} for {what}.",
            f"The {what} of {name} was about {said[1]}.",
            f"Around {said[2]}: that is {name}'s {what}.",
        )
    )
    return text, _label(true), table.lines(n), "rounding"


def two_rows(table: Table, chance: random.Random, true: bool) -> Claim | None:
    c = chance.randrange(len(table.columns))
    a, b = chance.sample(range(len(table.names)), 2)
    if table.cells[a][c] == table.cells[b][c]:
        return None
    if (table.cells[a][c] > table.cells[b][c]) != true:
        a, b = b, a
    low = chance.random() < 0.4
    one, other = (table.names[b], table.names[a]) if low else (table.names[a], table.names[b])
    word = chance.choice(("lower", "smaller")) if low else chance.choice(("higher", "greater"))
    text = chance.choice(
        (
            f"{one} had a {word} figure for {table.what(c)} than {other}.",
            f"{one}'s {table.what(c)} was {word} than that of {other}.",
            f"Compared with {other}, {one} is {word} in {table.what(c)}.",
        )
    )
    return text, _label(true), table.lines(a, b), "table comparison"


def rank(table: Table, chance: random.Random, true: bool) -> Claim | None:
    c = chance.randrange(len(table.columns))
    order = sorted(range(len(table.names)), key=lambda n: -table.cells[n][c])
    if len({row[c] for row in table.cells}) < len(order):
        return None
    place, word = chance.choice(
        ((0, "highest"), (0, "largest"), (-1, "lowest"), (-1, "smallest"), (1, "second-highest"))
    )
    right = order[place]
    named = right if true else chance.choice([n for n in order if n != right])
    text = chance.choice(
        (
            f"{table.names[named]} has the {word} {table.what(c)} in the table.",
            f"Of all the {table.kind}s listed, {table.names[named]} is {word} for {table.what(c)}.",
            f"No other listed {table.kind} holds {table.names[named]}'s rank: the "
            f"{word} {table.what(c)}.",
        )
    )
    return text, _label(true), table.lines(), "superlative and rank"


def difference(table: Table, chance: random.Random, true: bool) -> Claim | None:
    c = chance.randrange(len(table.columns))
    a, b = chance.sample(range(len(table.names)), 2)
    gap = round(table.cells[a][c] - table.cells[b][c], 1)
    if gap <= 0:
        return None
    if not true:
        wrong = round(gap * chance.choice((0.5, 2, 1.3)), 1)
        gap = wrong if wrong != int(wrong) and gap != int(gap) else float(round(wrong))
        if gap == round(table.cells[a][c] - table.cells[b][c], 1) or gap <= 0:
            return None
    said = _said(gap, table.units[c], chance)
    text = chance.choice(
        (
            f"Between {table.names[a]} and {table.names[b]} there is a gap of {said} in "
            f"{table.what(c)}.",
            f"{table.names[a]} is {said} ahead of {table.names[b]} for {table.what(c)}.",
        )
    )
    return text, _label(true), table.lines(a, b), "difference"


def change(table: Table, chance: random.Random, true: bool) -> Claim | None:
    if not table.yearly:
        return None
    n = chance.randrange(len(table.names))
    a, b = sorted(chance.sample(range(len(table.columns)), 2))
    old, new = table.cells[n][a], table.cells[n][b]
    if old == new:
        return None
    rose = (new > old) == true
    words = ("rose", "grew", "went up") if rose else ("fell", "shrank", "went down")
    size = ""
    if true and chance.random() < 0.5:
        size = f" by {_said(abs(round(new - old, 1)), table.units[a], chance)}"
    span = f"from {table.columns[a]} to {table.columns[b]}"
    text = chance.choice(
        (
            f"{table.names[n]}'s {table.yearly} {chance.choice(words)}{size} {span}.",
            f"{span.capitalize()}, {table.yearly} at {table.names[n]} {chance.choice(words)}"
            f"{size}.",
        )
    )
    return text, _label(true), table.lines(n), "direction"


def times(table: Table, chance: random.Random, true: bool) -> Claim | None:
    if not table.yearly:
        return None
    n = chance.randrange(len(table.names))
    a, b = sorted(chance.sample(range(len(table.columns)), 2))
    share = table.cells[n][b] / table.cells[n][a]
    doubled, halved = 1.9 <= share <= 2.1, 0.48 <= share <= 0.52
    near = 0.38 <= share <= 0.65 or 1.6 <= share <= 2.6
    if true != (doubled or halved) or near != true:
        return None
    word = chance.choice(("doubled", "halved")) if not true else "doubled" if doubled else "halved"
    text = (
        f"{table.names[n]}'s {table.yearly} {word} between {table.columns[a]} and "
        f"{table.columns[b]}."
    )
    return text, _label(true), table.lines(n), "share"


def total(table: Table, chance: random.Random, true: bool) -> Claim | None:
    c = chance.randrange(len(table.columns))
    if len(table.names) > 4 or table.units[c] in ("percent", "metres", "mm", "km/h"):
        return None
    value = round(sum(row[c] for row in table.cells), 1)
    if not true:
        value = float(round(value * chance.choice((0.6, 0.8, 1.25, 2))))
    text = (
        f"The {WORDS[len(table.names)]} {table.kind}s listed add up to "
        f"{_said(value, table.units[c], chance)} for {table.what(c)}."
    )
    return text, _label(true), table.lines(), "sum"


def count(table: Table, chance: random.Random, true: bool) -> Claim | None:
    c = chance.randrange(len(table.columns))
    values = sorted(row[c] for row in table.cells)
    bound = float(round((values[len(values) // 2 - 1] + values[len(values) // 2]) / 2))
    if bound in values:
        return None
    number = sum(value > bound for value in values)
    if not true:
        number = chance.choice([n for n in range(1, len(values) + 1) if n != number])
    text = (
        f"{WORDS[number].capitalize()} of the {WORDS[len(values)]} "
        f"{table.kind}s listed {'is' if number == 1 else 'are'} above "
        f"{_said(bound, table.units[c], chance)} for {table.what(c)}."
    )
    return text, _label(true), table.lines(), "count"


MAKERS: tuple[Maker, ...] = (
    look_up, threshold, rounded, two_rows, rank, difference, change, times, total, count,
)  # fmt: skip


def undecided(table: Table, maker: Maker, chance: random.Random) -> Claim | None:
    """A claim of the same wording about a row, a year or a measure that the table does not hold."""
    made = maker(table, chance, chance.random() < 0.5)
    if made is None:
        return None
    text, _, rows, kind = made
    named = [name for name in table.names if name in text]
    swaps = [(name, _name(chance)) for name in named[:1]]
    if table.yearly:
        swaps += [
            (year, str(int(table.columns[-1]) + chance.randint(1, 6)))
            for year in table.columns
            if year in text
        ][:1]
        measures = [m for m in table.subject.measures if m[0] != table.yearly]
        swaps.append((table.yearly, chance.choice(measures)[0]))
    else:
        absent = [m[0] for m in table.subject.measures if m[0] not in table.columns]
        present = [c for c in table.columns if c in text]
        swaps += [(present[0], chance.choice(absent))] if absent and present else []
    if not swaps:
        return None
    old, new = chance.choice(swaps)
    return text.replace(old, new), "neutral", rows, f"{kind}, not held"


_ENOUGH = 9
"""Claims of a passage."""


def passages(number: int, chance: random.Random) -> Iterator[Json]:
    """Passages with some three claims of each label, kinds by chance."""
    for _ in range(number):
        made, lines, title, heading = table(chance)
        claims: list[Claim] = []
        for maker in chance.sample(MAKERS, len(MAKERS)):
            three = (
                maker(made, chance, True),
                maker(made, chance, False),
                undecided(made, maker, chance),
            )
            claims += filter(None, three)
            if len(claims) >= _ENOUGH:
                break
        yield {
            "title": title,
            "section": heading,
            "kind": "table",
            "sentences": lines,
            "claims": [
                {"claim": text, "label": label, "evidence": list(rows), "why": kind}
                for text, label, rows, kind in claims
            ],
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--passages", type=int, default=900)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=11)
    options = parser.parse_args()
    chance = random.Random(options.seed)  # noqa: S311 - a draw that can be repeated
    made = (json.dumps(p, ensure_ascii=False) + "\n" for p in passages(options.passages, chance))
    options.out.write_text("".join(made), encoding="utf-8")


if __name__ == "__main__":
    main()
