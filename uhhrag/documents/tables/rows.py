"""Rows of a table as sentences: "Country: Norway; Year: 2019; Ships: 14".

A lone cell above, or first in a wide table, is a heading or note. A wide row becomes several
lines, each beginning with its first cell.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from itertools import accumulate, chain, groupby, islice, pairwise, repeat, takewhile
from typing import Any

from uhhrag.documents.document import HEADING_SEPARATOR, Document, Unreadable
from uhhrag.documents.segmentation import clean, split_sentences
from uhhrag.documents.tables.areas import (
    LONGEST_SECTION,
    Apart,
    areas,
    carried,
    columns_of_groups,
    records,
    sections_of,
    width_of_records,
)
from uhhrag.documents.tables.headings import Heading, begins_table, heading_of
from uhhrag.documents.tables.values import (
    DECIMALS,
    LONG_CELL,
    Row,
    are_fine,
    has_own,
    is_figure,
    merged,
    with_unit,
)
from uhhrag.documents.whose_words import is_claim
from uhhrag.text.fragments import is_ended
from uhhrag.text.scales import unit_in

MOST_ROWS, MOST_BYTES = 200_000, 48 * 2**20
"""Of one table: rows, and bytes of sentences."""
_LONG_LINE = 600
_LOOKED_AT, _BELOW = 60, 8
"""Rows searched for a heading, and for one below a gap."""
_LONGEST_NAME, _INDENT, _ALIKE = 8, 2, 3
"""Words of what ends like a sentence; spaces of a level; widths of labels that end in
one column, at least."""
_NO_NAMES = Heading((), {})
_NOTE = re.compile(r"(?:sources?|notes?|quellen?)\s?:|[*†‡]", re.IGNORECASE)
OF_ALL = re.compile(
    r"\W*(?:notes?\W+)?(?:(?:all|the) )?(?:figures|amounts|values|sums)\b", re.IGNORECASE
)
"""Begins a note below a table that may give their unit."""
_RULE = re.compile(r":?(?:-{3,}|_{3,}|={3,}|\+{3,}):?")
"""A line drawn in letters."""
_PART = re.compile(r"(?:of which|thereof|davon|darunter|herav|hvorav|varav|heraf)\b", re.IGNORECASE)
"""Begins the name of a part of the row above, whose figures stand beside it."""


def table_lines(
    rows: Iterable[tuple[int, Row]],
    *,
    limited: bool = True,
    marked: Sequence[int] = (),
    spans: Set[int] = frozenset(),
    above: Sequence[str] = (),
) -> tuple[Document, bool]:
    """Sentences with row numbers as pages, and whether rows were left out as too many.

    Only a table of its own file is `limited`: there, blank cells count. The first row in `marked`
    names columns if none else does. The only cell of rows in `spans` is over all columns. Texts
    `above` may give the unit of its figures."""
    rows = iter(rows)
    first = [*islice(rows, _LOOKED_AT)]
    at_rows, filled = [at for at, _ in first], [_filled(row) for _, row in first]
    left = min((min(row) for row in filled if len(row) > 1), default=0)
    pairs = pairwise([{}, *filled])  # equal units below several names are no title
    looked_at = [b if len(a) > 1 and left < min(b, default=0) else merged(b) for a, b in pairs]
    heading = heading_of(looked_at, at_rows, marked, spread=limited)
    told = (text for row in looked_at[: heading.first] for text in row.values())
    corner = heading.names.get(min(chain(*looked_at), default=0), "")
    rest = looked_at[heading.last + 1 :]
    foot = takewhile(lambda row: len(row) < 2, reversed(rest if len(first) < _LOOKED_AT else []))
    notes = filter(OF_ALL.match, (text for row in foot for text in row.values()))
    unit = unit_in("; ".join((*notes, *above, *told, corner)))
    names, fresh, before, size = heading.names, False, 0, 0
    units = with_unit(names, rest, unit)
    fine, wide = are_fine(rest, unit), width_of_records(names)
    figures: dict[int, bool] = {}  # whether a column has held nothing else
    lines: list[str] = []
    numbers: list[int] = []
    starts: list[int] = []
    labels: list[str] = []
    apart: list[Apart] = []
    cut = False
    flat = _is_right_aligned([row for _, row in first[heading.last + 1 :]])
    every = _nested(chain(first, rows), MOST_ROWS if flat else heading.last)
    grouped = any([*row] == [min(names, default=-1)] for row in rest[:1])
    if names and (columns := columns_of_groups(rest)):
        every = carried(every, heading.last, columns)
    lower = _NO_NAMES  # of a later table, in several rows
    ahead = deque(islice(every, _BELOW))
    for count, later in enumerate(chain(every, repeat((0, dict[int, str]()), len(ahead)))):
        number, cells = row = ahead.popleft()
        ahead.append(later)
        follows, below = ahead[0]
        if cut := limited and (count >= MOST_ROWS or size > MOST_BYTES):
            break
        if not cells:
            continue
        starts.append(len(lines))
        gap, before = limited and number - before > 1, number
        fresh = gap or fresh
        turned = count in marked and sum(figures.get(at, False) for at in cells) > 1
        again = fresh or turned or cells[min(cells)] == names.get(min(cells))
        begins = again and begins_table(cells, below, figures, names)
        may_begin = (count > heading.last >= 0 or gap) and number not in lower.rows
        begins = may_begin and (begins or _repeats(cells, names))
        if limited and fresh and may_begin:
            lower = _names_in_several_rows((row, *ahead))
        if begins := begins or number in lower.rows[:1]:
            titled = labels[-1:] if apart and apart[-1].place == len(labels) - 1 else []
            apart[-1:] = [one._replace(heads=bool(titled)) for one in apart[-1:]]
            unit = unit_in("; ".join((*titled, cells[min(cells)]))) or ("" if titled else unit)
            names, figures = (lower.names if number in lower.rows else cells), {}
            units = with_unit(names, [row for _, row in ahead] if lower.rows else [below], unit)
        wide = width_of_records(names) if begins else wide
        alone = [*cells] == [min(names, default=-1)]
        titles = fresh and alone and not is_figure(cells[min(cells)])
        if begins or count in heading.rows or number in lower.rows:
            made = ["; ".join(text for text, _ in groupby(cells.values()))]
        elif count > heading.last:
            counts = count == heading.last + 1 and _counts_columns(cells)
            parts = records(cells, names, wide)
            whole = fine and not any(map(DECIMALS.fullmatch, cells.values()))
            other = whole or has_own(cells[min(cells)])
            held = names if other else units
            held = {} if titles or counts or (number in spans and below) else held
            made = [line for part in parts for line in _sentences(part, held)]
            figures |= {at: figures.get(at, True) and is_figure(t) for at, t in cells.items()}
        else:
            made = _sentences(merged(cells), {})
        labels.append(cells[min(cells)])
        titles = titles and gap and len(labels[-1]) <= LONGEST_SECTION
        over = number in spans and not _NOTE.match(labels[-1])
        said = made == labels[-1:] or not follows or (alone and grouped)
        named = not (is_ended(labels[-1]) and len(labels[-1].split()) > _LONGEST_NAME)
        if named and len(merged(cells)) == 1 and (count < heading.first or said or titles):
            apart.append(Apart(count, len(labels) - 1, gap, over))
        fresh = fresh and len(cells) == 1
        lines += made
        numbers += [number] * len(made)
        size += sum(len(line.encode()) for line in made)
    found = sections_of(apart, labels, heading.first)
    sections = tuple((starts[at], name) for at, name in found)
    table = Document(tuple(lines), tuple(numbers), starts=tuple(starts), sections=sections)
    return table, cut


def _names_in_several_rows(rows: Iterable[tuple[int, Row]]) -> Heading:
    """Of a table that begins with them, words above figures, by numbers of rows."""
    numbers, cells = zip(*(pair for pair in rows if pair[1]), strict=True)
    first, *below = (any(map(is_figure, row.values())) for row in cells)
    if first or len(cells[0]) < 2 or not any(below):
        return _NO_NAMES
    found = heading_of(cells, numbers, (), spread=True)
    return (
        Heading(numbers[: found.last + 1], found.names) if found.rows[:2] == (0, 1) else _NO_NAMES
    )


def _repeats(cells: Row, names: Row) -> bool:
    """Whether a row has the names again, perhaps without the first."""
    first, *others = cells
    same = all(cells[at] == names.get(at) for at in others)
    return bool(others) and same and (len(others) > 1 or cells[first] == names.get(first))


def _is_right_aligned(rows: Sequence[Row]) -> bool:
    labels = [row[min(cells)] for row in rows if (cells := _filled(row))]
    widths = {len(label.strip()) for label in labels}
    return len(widths) >= _ALIKE and len({len(label.rstrip()) for label in labels}) == 1


def _nested(rows: Iterable[tuple[int, Row]], last: int) -> Iterator[tuple[int, Row]]:
    """Rows without blanks; below row `last`, an indented label follows those it is part of."""
    above: list[tuple[int, str]] = []
    column = -1
    for count, (number, row) in enumerate(rows):
        cells = _filled(row)
        under, column = column, min(cells, default=-1)
        if count > last and cells and not is_figure(cells[at := column]):
            indent = len(row[at]) - len(row[at].lstrip())
            deep = indent // _INDENT or indent * cells[at][0].islower()  # " of which"
            part = at == under and any(map(is_figure, cells.values())) and not is_ended(cells[at])
            deep = deep or (part and bool(_PART.match(cells[at])))
            above = [*((wide, text) for wide, text in above if wide < deep), (deep, cells[at])]
            cells = {**cells, at: HEADING_SEPARATOR.join(text for _, text in above)}
        yield number, cells


def _counts_columns(cells: Row) -> bool:
    """Whether a row below names numbers its columns: (1), (2), (3), (4)."""
    numbers = [text.strip("()[]") for text in cells.values()]
    several = len(numbers) > _ALIKE and numbers[-1] == str(max(cells) + 1)
    return several and all(one == str(at + 1) for one, at in zip(numbers, cells, strict=True))


def _filled(row: Row) -> Row:
    texts = {at: text for at, cell in row.items() if (text := clean(cell))}
    return {} if all(map(_RULE.fullmatch, texts.values())) else texts


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
    if said and any(map(is_claim, labels)):
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


def table_document(
    rows: Iterable[tuple[int, Row]], unit: str, spans: Set[int] = frozenset(), **about: Any
) -> Iterator[Document | str]:
    made = (table_lines(one, spans=spans, above=[unit]) for one in areas(rows))
    found, cuts = zip(*made, strict=True)
    table, cut = _joint(found), any(cuts)
    if table.lines:
        yield replace(table, unit=unit, **about)
    if cut:
        yield (
            f"has more rows than are read ({MOST_ROWS:,}, or {MOST_BYTES >> 20} MiB of text, of "
            "one table); split it"
        )


def _joint(tables: Sequence[Document]) -> Document:
    """Tables one after another."""
    ends = [0, *accumulate(len(one.lines) for one in tables)]
    placed = list(zip(ends, tables, strict=False))
    sections = [(end + at, name) for end, one in placed for at, name in [(0, ""), *one.sections]]
    return Document(
        tuple(chain(*(one.lines for one in tables))),
        tuple(chain(*(one.pages for one in tables))),
        starts=tuple(end + at for end, one in placed for at in one.starts),
        sections=tuple(sections[1:]) if any(one.sections for one in tables) else (),
    )


def require_some(
    results: Iterable[Document | str], why: str = "is empty"
) -> Iterator[Document | str]:
    """The same results; raises Unreadable at the end without any document."""
    some = False
    for result in results:
        some = some or isinstance(result, Document)
        yield result
    if not some:
        raise Unreadable(why)
