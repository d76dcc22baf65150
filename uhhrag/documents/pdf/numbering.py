"""Removes line numbers, as in bills, preprints and court records.

They rise in a column; a row's number never parts a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from uhhrag.documents.pdf.beside import MIN_COLUMN_CHARS
from uhhrag.documents.pdf.lines import Line, in_runs, line_of, settled
from uhhrag.documents.pdf.pieces import RUNNING
from uhhrag.documents.segmentation import OPEN
from uhhrag.text.fragments import is_ended

_LINE_NUMBER = re.compile(r"(\d{1,4})(?:\s+(?=\S)|$)")
_STEPS = (1, 2, 5, 10)
_MIN_LINE_NUMBERS, _MIN_LINE_NUMBERS_REPEATED = 5, 3
"""Line numbers needed on a page, and in steps of five or more."""
_MOSTLY, _LEAST_SHARE = 0.8, 0.6
"""Of lines, and of those that are numbered."""
_NEAR = 9.0
"""Between left ends of numbers in a column, in points."""
_MAX_PARTS = 1_000


class _Numbered(NamedTuple):
    at: int
    """The line's position."""
    value: int
    side: int
    """Where its number is: first (0) or last (-1)."""
    left: float
    height: float
    rest: Line | None
    """The line without it."""


def without_line_numbers(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    columns = [[one for side in (0, -1) for one in _columns(page, side)] for page in pages]
    paged = [(one, page) for page, found in zip(pages, columns, strict=True) for one in found]
    told = [(column, _parts(column, page)) for column, page in paged]
    least = 1 if sum(parts for _, parts in told) > 1 else _MAX_PARTS
    series = [column for column, parts in told if parts >= least]
    places = {(one[0].side, *_ends(one)) for one in series}
    following = {one[-1].value + _step(one) for one in series}
    return [
        _unnumbered(page, [n for one in found for n in _of_series(one, places, following)])
        for page, found in zip(pages, columns, strict=True)
    ]


def _ends(column: Sequence[_Numbered]) -> tuple[float, float]:
    lefts = [one.left for one in column]
    return min(lefts), max(lefts)


def _of_series(
    column: list[_Numbered], places: Set[tuple[int, float, float]], following: Set[int]
) -> list[_Numbered]:
    """Those in a series' place, by side and `_ends`, or that continue one on the other side, as
    `following` does."""
    side, (left, right), rising = column[0].side, _ends(column), _in_steps(column)
    for other, low, high in places:
        if side == other and low - _NEAR <= right and left <= high + _NEAR:
            return column if len(column) < _MIN_LINE_NUMBERS else rising
    outside = side and all(one.rest and len(one.rest.segments) == 1 for one in column)
    goes_on = column[0].value in following and outside
    return column if goes_on and (len(column) == 1 or rising) else []


def _unnumbered(page: Sequence[Line], numbers: Sequence[_Numbered]) -> list[Line]:
    rests = {one.at: one.rest for one in numbers}
    return [one for n, line in enumerate(page) if (one := rests.get(n, line)) is not None]


def _columns(page: Sequence[Line], side: int) -> list[list[_Numbered]]:
    """Possible line numbers at left (0) or right (-1), by column, from above."""
    found = []
    for at, line in enumerate(page):
        first = line.segments[side] if line.segments and not line.row else None
        number = _LINE_NUMBER.match(first.text) if first else None
        text = first.text[number.end() :] if first and number else ""
        if first and number and not (text and side):
            others = list(line.segments[:-1] if side else line.segments[1:])
            left = first.left + line.size * (len(number[1]) + 1) / 2
            others[:0] = [first._replace(text=text, left=left)] if text else []
            rest = settled(line_of(line, others)) if others else None
            found.append(_Numbered(at, int(number[1]), side, first.left, first.height, rest))
    found.sort(key=lambda one: one.left)
    runs = in_runs(found, lambda one, other: other.left - one.left <= _NEAR)
    return [sorted(run, key=lambda one: -one.height) for run in runs]


def _step(numbers: Sequence[_Numbered]) -> int:
    """By which most numbers rise; 0 if they do not."""
    rises = [below.value - above.value for above, below in pairwise(numbers)]
    least = max(1, min(_MOSTLY * len(rises), len(rises) - 1))  # but for the page's number
    return next((step for step in _STEPS if rises.count(step) >= least), 0)


def _in_steps(numbers: Sequence[_Numbered]) -> list[_Numbered]:
    if not (step := _step(numbers)):
        return []
    rises = [False, *(b.value - a.value == step for a, b in pairwise(numbers)), False]
    return [one for one, *near in zip(numbers, rises, rises[1:], strict=False) if any(near)]


def _parts(column: list[_Numbered], page: Sequence[Line]) -> int:
    """How many sentences they surely part, `_MAX_PARTS` in running text; 0 for row numbers."""
    numbers = _in_steps(column)
    step, side = _step(numbers), column[0].side
    odd = step < _MIN_LINE_NUMBERS or any(one.value % step for one in numbers)
    if len(numbers) < (_MIN_LINE_NUMBERS if odd else _MIN_LINE_NUMBERS_REPEATED):
        return 0
    first, last = _ends(column)
    lines = [x for x in _unnumbered(page, numbers) if x.segments and not x.text.isdecimal()]
    across = sum(line.left < first and last + _NEAR < line.right for line in lines)
    texts = [x for x in lines if (x.right < first if side else last < x.left)]
    level: dict[int, Line] = {}
    for line in sorted(texts, key=lambda x: x.right if side else -x.left):
        level.update(dict.fromkeys(range(round(line.height) - 1, round(line.height) + 2), line))
    beside = [one.rest or level.get(round(one.height)) for one in numbers]
    told = [line for line in beside if line] or texts
    left = min((line.left for line in told), default=0.0)
    right = max((line.right for line in told), default=0.0)
    texts = [x for x in texts if (left < x.right if side else x.left < right)]
    few = step * len(numbers) < _LEAST_SHARE * len(texts)
    apart = 2 * sum(len(line.segments) < 2 for line in texts) < len(texts)
    if few or apart or not texts or across > (1 - _MOSTLY) * len(lines):
        return 0
    narrow = median(len(line.text) for line in texts) < MIN_COLUMN_CHARS
    if len(texts) < _MOSTLY * len(lines) and narrow:
        return 0
    told = told if step < _MIN_LINE_NUMBERS else texts
    small = sum(line.text[:1].islower() for line in told)
    if small >= RUNNING * len(told):
        return _MAX_PARTS
    broken = sum(_broken(a, b, right) for a, b in pairwise(beside) if a and b)
    return broken if broken >= small else 0


def _broken(above: Line, below: Line, right: float) -> int:
    """1 if a sentence goes on below for want of room, 2 if surely."""
    word = len(below.text.split()[0]) / len(below.text) * (below.right - below.left)
    goes_on = below.text[:1].islower() and not is_ended(above.text) and above.right + word > right
    return goes_on * (1 + bool(OPEN.search(above.text))) * (len(above.text) >= MIN_COLUMN_CHARS)
