"""Drawing order → reading order: columns in turn, margin notes last, footnotes after the sentence
they part."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise, takewhile
from statistics import median
from typing import NamedTuple

from uhhrag.documents.pdf.beside import LEAST_ROWS, MIN_COLUMN_CHARS, NEAR, notes_apart
from uhhrag.documents.pdf.floats import CAPTION
from uhhrag.documents.pdf.lines import Line, by_direction, in_runs, line_of
from uhhrag.documents.pdf.numbering import without_line_numbers
from uhhrag.documents.pdf.pieces import RUNNING, filled, together
from uhhrag.documents.segmentation import OPEN
from uhhrag.text.fragments import is_ended

_MOST_LINES, _MOST_RUNS = 2_000, 300
"""Most lines and runs of a page put in order."""
_FEW, _FEW_SHARE = 3, 0.2
"""Runs out of order, and their share, put back one by one."""
_FOOTNOTE = 0.92
"""Greatest size of a footnote over the usual."""
_COLUMN = 2.0
"""Rise to a new column, in ems."""


def in_reading_order(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """Without line numbers."""
    directed = [by_direction(page) for page in pages]
    numbered = without_line_numbers([together(level) for level, _ in directed])
    ordered = [
        [*_ordered(page), *turned] for page, (_, turned) in zip(numbered, directed, strict=True)
    ]
    parted = [in_runs(page, _is_in_column) for page in ordered]
    columns = [column for page in parted for column in page]
    sizes = [line.size for column in columns for line in column]
    top = min((column[0].size for column in columns), default=0.0)
    small = _FOOTNOTE * max(top, median(sizes or [0.0]))  # footnotes may have the most lines
    for column, following in pairwise(columns):
        _move_footnotes(column, following, small)
    return [[line for column in page for line in column] for page in parted]


def _ordered(page: list[Line]) -> list[Line]:
    if len(page) > _MOST_LINES:
        return page
    return list(filled(list(_columns_apart(_sorted(notes_apart(page))))))


class _Run(NamedTuple):
    lines: list[Line]
    left: float
    right: float
    low: float
    high: float

    def is_above(self, other: _Run) -> bool:
        return self.low > other.high and self.left < other.right and other.left < self.right


def _sorted(page: Sequence[Line]) -> list[Line]:
    """Puts back what is drawn out of order; if much is, sorts all from above, then from left."""
    runs = list(_runs(page)) if all(line.segments for line in page) else []
    if len(runs) > _MOST_RUNS:
        return list(page)
    above = [{at for at, one in enumerate(runs) if one.is_above(run)} for run in runs]
    if not (strays := _strays(above, runs)):
        return list(page)
    few = len(strays) <= max(_FEW, len(runs) * _FEW_SHARE)
    places = _put_back(above, strays, runs) if few else _from_left(above, runs)
    return [line for at in places for line in runs[at].lines]


def _strays(above: Sequence[set[int]], runs: Sequence[_Run]) -> set[int]:
    every = range(len(runs))
    wrong = {at: {n for n in every if max(at, n) in above[min(at, n)]} for at in every}
    strays = set[int]()
    while any(wrong.values()):
        worst = max(wrong, key=lambda at: (len(wrong[at]), -len(runs[at].lines)))
        strays.add(worst)
        del wrong[worst]
        for others in wrong.values():
            others.discard(worst)
    return strays


def _put_back(above: Sequence[set[int]], strays: set[int], runs: Sequence[_Run]) -> list[int]:
    placed = [at for at in range(len(runs)) if at not in strays]
    for stray in sorted(strays, key=lambda at: -runs[at].high):
        below = [n for n, at in enumerate(placed) if stray in above[at]]
        over = [n for n, at in enumerate(placed, 1) if at in above[stray]]
        placed.insert(below[0] if below else max(over, default=len(placed)), stray)
    return placed


def _from_left(above: Sequence[set[int]], runs: Sequence[_Run]) -> list[int]:
    left, placed = dict(enumerate(above)), list[int]()
    while left:
        free = (at for at, others in left.items() if not others & left.keys())
        first = min(free, key=lambda at: runs[at].left)
        placed.append(first)
        del left[first]
    return placed


def _runs(lines: Sequence[Line]) -> Iterator[_Run]:
    for run in in_runs(lines, _goes_on):
        left, right = min(line.left for line in run), max(line.right for line in run)
        yield _Run(run, left, right, run[-1].height, run[0].height)


def _goes_on(above: Line, below: Line) -> bool:
    (first, *_), (second, *_) = above.segments, below.segments
    over = first.left < below.right and second.left < above.right
    return over and 0 < first.height - second.height <= NEAR * below.size


def _is_in_column(above: Line, below: Line) -> bool:
    placed = above.segments and below.segments
    return not (placed and below.height - above.height > _COLUMN * below.size)


def _is_plain(head: Line, below: Line) -> bool:
    return not head.bold and head.size <= below.size and not head.text[:1].islower()


def _move_footnotes(column: list[Line], following: list[Line], size: float) -> None:
    """Puts footnotes, up to `size`, and a caption, head or table behind the sentence they part."""
    _join_note(column, following, size)
    notes = _notes(column, size)
    body = column[: len(column) - len(notes)]
    ends = [at for at, line in enumerate(following, start=1) if is_ended(line.text)]
    if not body or body[-1].row or is_ended(body[-1].text) or not ends:
        return
    placed = [line for line in following[:2] if line.segments]
    head = len(placed) > 1 and not _goes_on(*placed) and _is_plain(*placed)
    start = _caption_end(following) or int(head)
    caption, rest, ends = following[:start], following[start:], [at for at in ends if at > start]
    first = rest[0].text[:1] if ends else "A"
    goes_on = first.islower() or (OPEN.search(body[-1].text) and not first.isupper())
    if goes_on and (notes or caption) and rest[0].size > size:
        blank, end = Line("", body[-1].page), ends[0] - start
        foot = len(rest) - len(_notes(rest, size))
        if 0 < foot < end:  # the column parts the sentence too
            following[foot:foot] = notes
        else:
            following[:] = [*rest[:end], blank, *notes, blank, *caption, blank, *rest[end:]]
        del column[len(body) :]


def _caption_end(lines: Sequence[Line]) -> int:
    """How many first lines are captions and table rows."""
    end = 0
    while end < len(lines) and (lines[end].row or CAPTION.match(lines[end].text)):
        ends = (at for at, line in enumerate(lines[end:], end + 1) if is_ended(line.text))
        end = end + 1 if lines[end].row else next(ends, len(lines))
    return end


def _notes(column: Sequence[Line], size: float) -> list[Line]:
    return [*takewhile(lambda x: 0 < x.size <= size and not x.row, reversed(column))][::-1]


def _join_note(column: list[Line], following: list[Line], size: float) -> None:
    """Moves the rest of the last footnote's sentence from the next foot."""
    notes, more = _notes(column, size), _notes(following, size)
    if not (notes and more) or is_ended(notes[-1].text):
        return
    start, ends = len(following) - len(more), [at for at, x in enumerate(more) if is_ended(x.text)]
    if ends and (more[0].text[:1].islower() or OPEN.search(notes[-1].text)):
        column += more[: ends[0] + 1]
        del following[start : start + ends[0] + 1]


def _columns_apart(page: Sequence[Line]) -> Iterator[Line]:
    gutter = _gutter(page)
    if gutter is None:
        yield from page
        return
    for beside, run in groupby(page, key=lambda line: _is_beside(line, gutter)):
        if not beside:
            yield from run
            continue
        for half in _halves(list(run), gutter):
            yield from _columns_apart(half)


def _halves(lines: Sequence[Line], gutter: float) -> Iterator[list[Line]]:
    """What is left of the gutter, then right of it."""
    for left in (True, False):
        parts = [[one for one in line.segments if (one.left < gutter) == left] for line in lines]
        yield [line_of(line, part) for line, part in zip(lines, parts, strict=True) if part]


def _is_beside(line: Line, gutter: float) -> bool:
    return bool(line.segments) and not any(one.left < gutter < one.right for one in line.segments)


def _gutter(page: Sequence[Line]) -> float | None:
    gaps = [
        (before.right, after.left)
        for line in page
        for before, after in pairwise(line.segments)
        if after.left > before.right
    ]
    if len(gaps) < LEAST_ROWS:
        return None
    lefts, rights = (sorted(ends) for ends in zip(*gaps, strict=True))

    def over(gutter: float) -> int:
        return bisect_left(lefts, gutter) - bisect_right(rights, gutter)

    gutter = max(sorted({(left + right) / 2 for left, right in gaps}), key=over)
    return gutter if _parts_text(page, gutter) else None


def _parts_text(page: Sequence[Line], gutter: float) -> bool:
    beside = [line for line in page if _is_beside(line, gutter)]
    both = [line for line in beside if line.left < gutter < line.right]
    if len(both) < LEAST_ROWS or 2 * len(both) < len(beside):
        return False
    for texts in ([line.text for line in half] for half in _halves(both, gutter)):
        small = sum(text[:1].islower() for text in texts)
        if small < RUNNING * len(texts) or median(map(len, texts)) < MIN_COLUMN_CHARS:
            return False
    return True
