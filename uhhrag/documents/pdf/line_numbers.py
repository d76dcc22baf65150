"""Pages without line numbers, as of bills and preprints."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from uhhrag.documents.pdf.lines import Line, line_of
from uhhrag.documents.pdf.pieces import RUNNING

_NUMBER = re.compile(r"\d{1,4}")
_BEFORE_TEXT = re.compile(r"(\d{1,4})\s+(?=\S)")
_STEPS = (1, 2, 5, 10)
_MIN_LINE_NUMBERS = 5
"""Line numbers needed on a page."""
_MIN_LINE_NUMBERS_REPEATED = 3
"""The same in steps of five or more."""
_MOSTLY = 0.8


class _Numbered(NamedTuple):
    """The position of a line, and the line without its number."""

    at: int
    value: int
    left: float
    height: float
    rest: Line | None


def without_line_numbers(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    for side in (-1, 0):
        found = [_at_side(page, side) for page in pages]
        numbered = [n for n, page in zip(found, pages, strict=True) if _is_numbering(n, page)]
        if places := [one.left for numbers in numbered for one in numbers]:
            least, most = min(places) - 9, max(places) + 9
            near = [[one for one in numbers if least <= one.left <= most] for numbers in found]
            return list(map(_without, pages, near))
    return list(map(list, pages))


def _without(page: Sequence[Line], numbers: Sequence[_Numbered]) -> list[Line]:
    if len(numbers) >= _MIN_LINE_NUMBERS and not _steps(numbers):
        return list(page)
    rests = {one.at: one.rest for one in numbers}
    return [one for n, line in enumerate(page) if (one := rests.get(n, line)) is not None]


def _at_side(page: Sequence[Line], side: int) -> list[_Numbered]:
    """Possible line numbers at the left (-1) or right (0), from above."""
    found = []
    for at, line in enumerate(page):
        if not line.segments or line.row:
            continue
        number = line.segments[0 if side else -1]
        others = line.segments[1:] if side else line.segments[:-1]
        if _NUMBER.fullmatch(number.text):
            rest = line_of(line, others) if others else None
            found.append(_Numbered(at, int(number.text), number.left, number.height, rest))
        elif side and (match := _BEFORE_TEXT.match(number.text)):
            left = number.left + line.size * (len(match[1]) + 1) / 2
            text = number._replace(text=number.text[match.end() :], left=left)
            rest = line_of(line, (text, *others))
            found.append(_Numbered(at, int(match[1]), number.left, number.height, rest))
    return sorted(found, key=lambda one: -one.height)


def _steps(numbers: Sequence[_Numbered]) -> bool:
    rises = [below.value - above.value for above, below in pairwise(numbers)]
    return any(rises.count(step) >= _MOSTLY * len(rises) > 0 for step in _STEPS)


def _is_numbering(numbers: Sequence[_Numbered], page: Sequence[Line]) -> bool:
    if len(numbers) < _MIN_LINE_NUMBERS_REPEATED or not _steps(numbers):
        return False
    step = max(1, numbers[1].value - numbers[0].value)
    if len(numbers) < _MIN_LINE_NUMBERS and (
        step < _MIN_LINE_NUMBERS or any(one.value % step for one in numbers)
    ):
        return False
    taken = {one.at for one in numbers}
    texts = [one.rest for one in numbers if one.rest]
    texts += [line for at, line in enumerate(page) if at not in taken]
    if 2 * sum(len(line.segments) < 2 for line in texts) < len(texts):
        return False
    first, last = min(one.left for one in numbers), max(one.left for one in numbers)
    inside = [line for line in texts if line.segments and (last < line.left or line.right < first)]
    small = sum(line.text[:1].islower() for line in texts)
    enough = step * len(numbers) >= 0.6 * len(texts)
    return enough and len(inside) >= _MOSTLY * len(texts) and small >= RUNNING * len(texts)
