"""Table rows as sentences: "Country: Norway; Year: 2019; Ships: 14".

A lone cell above, or first in a wide table, is a heading or note. A wide row becomes several lines,
each beginning with its first cell.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from itertools import accumulate, chain, islice, pairwise, repeat, takewhile
from typing import Any

from uhhrag.documents.document import HEADING_SEPARATOR, Document, Unreadable
from uhhrag.documents.segmentation import clean
from uhhrag.documents.tables.areas import (
    areas,
    carried,
    columns_of_groups,
    width_of_records,
)
from uhhrag.documents.tables.growing import OF_ALL, GrowingTable
from uhhrag.documents.tables.headings import Heading, heading_of
from uhhrag.documents.tables.values import (
    Row,
    are_fine,
    is_figure,
    merged,
    with_unit,
)
from uhhrag.text.fragments import is_ended
from uhhrag.text.scales import unit_in

MOST_ROWS, MOST_BYTES = 200_000, 48 * 2**20
"""Of one table: rows, and bytes of sentences."""
_LOOKED_AT, _BELOW = 60, 8
"""Rows searched for a heading, and for one below a gap."""
_INDENT, _ALIKE = 2, 3
"""Spaces of a level; widths of labels that end in one column, at least."""
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

    Only a table of its own file is `limited`: there, blank cells count. The first `marked` row
    names columns if none else does. The only cell of rows in `spans` is over all columns. Texts
    `above` may give the figures' unit.
    """
    rows = iter(rows)
    first = [*islice(rows, _LOOKED_AT)]
    looked_at = _looked_at([row for _, row in first])
    heading = heading_of(looked_at, [at for at, _ in first], marked, spread=limited)
    rest = looked_at[heading.last + 1 :]
    unit = _unit(looked_at, heading, above, whole=len(first) < _LOOKED_AT)
    table = GrowingTable(
        heading=heading,
        limited=limited,
        marked=marked,
        spans=spans,
        grouped=any([*row] == [min(heading.names, default=-1)] for row in rest[:1]),
        fine=are_fine(rest, unit),
        unit=unit,
        names=heading.names,
        units=with_unit(heading.names, rest, unit),
        wide=width_of_records(heading.names),
    )
    flat = _is_right_aligned([row for _, row in first[heading.last + 1 :]])
    every = _nested(chain(first, rows), MOST_ROWS if flat else heading.last)
    if heading.names and (columns := columns_of_groups(rest)):
        every = carried(every, heading.last, columns)
    ahead = deque(islice(every, _BELOW))
    for count, later in enumerate(chain(every, repeat((0, dict[int, str]()), len(ahead)))):
        number, cells = ahead.popleft()
        ahead.append(later)
        if limited and (count >= MOST_ROWS or table.size > MOST_BYTES):
            return table.document(), True
        if cells:
            table.add(count, number, cells, ahead)
    return table.document(), False


def _looked_at(rows: Sequence[Row]) -> list[Row]:
    """Equal units below several names are no title."""
    filled = [*map(_filled, rows)]
    left = min((min(row) for row in filled if len(row) > 1), default=0)
    pairs = pairwise([{}, *filled])
    return [b if len(a) > 1 and left < min(b, default=0) else merged(b) for a, b in pairs]


def _unit(rows: Sequence[Row], heading: Heading, above: Sequence[str], *, whole: bool) -> str:
    """From above the names, the corner or, if `rows` are all, notes below."""
    told = (text for row in rows[: heading.first] for text in row.values())
    corner = heading.names.get(min(chain(*rows), default=0), "")
    last = reversed(rows[heading.last + 1 :] if whole else [])
    foot = takewhile(lambda row: len(row) < 2, last)
    notes = filter(OF_ALL.match, (text for row in foot for text in row.values()))
    return unit_in("; ".join((*notes, *above, *told, corner)))


def _is_right_aligned(rows: Sequence[Row]) -> bool:
    labels = [row[min(cells)] for row in rows if (cells := _filled(row))]
    widths = {len(label.strip()) for label in labels}
    return len(widths) >= _ALIKE and len({len(label.rstrip()) for label in labels}) == 1


def _nested(rows: Iterable[tuple[int, Row]], last: int) -> Iterator[tuple[int, Row]]:
    """Rows without blanks; below row `last`, an indented label follows those around it."""
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


def _filled(row: Row) -> Row:
    texts = {at: text for at, cell in row.items() if (text := clean(cell))}
    return {} if all(map(_RULE.fullmatch, texts.values())) else texts


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
    """Passes results on; raises Unreadable at the end if none is a document."""
    some = False
    for result in results:
        some = some or isinstance(result, Document)
        yield result
    if not some:
        raise Unreadable(why)
