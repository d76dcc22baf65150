"""Lines in drawing order → lines in reading order.

Line numbers are removed, columns of running text read in turn, margin notes after the page's text,
footnotes and captions after a sentence that goes on behind them.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise, takewhile
from statistics import median
from typing import NamedTuple

from uhhrag.documents.pdf.lines import Line, LineSegment
from uhhrag.text.fragments import is_ended

_NUMBER = re.compile(r"\d{1,4}")
_BEFORE_TEXT = re.compile(r"(\d{1,4})\s+(?=\S)")
_STEPS = (1, 2, 5, 10)
"""Between line numbers."""
_MIN_LINE_NUMBERS = 5
"""Line numbers needed on a page where no other page has them."""
_MIN_LINE_NUMBERS_REPEATED = 3
"""The same where each fifth line or fewer have one."""
_MOSTLY = 0.8
_RUNNING = 0.25
"""Least share of lines of running text that begin with a small letter."""
_LEAST_ROWS = 4
"""Lines side by side needed for columns of text."""
_MOST_LINES = 2_000
"""Of a page whose lines are put in order."""
_FOOTNOTE = 0.92
"""Greatest size of a footnote's letters over the usual one."""
_COLUMN = 2.0
"""How much higher a line stands than the one before it if it begins a column, in letter sizes."""
_CAPTION = re.compile(r"(?:figure|fig\.|table|box|chart|map) \d", re.IGNORECASE)
_MIN_COLUMN_CHARS = 22
"""Least median of characters of a column's lines."""


class _Numbered(NamedTuple):
    """A line number, the position of its line, and the rest of the line."""

    at: int
    value: int
    left: float
    height: float
    rest: Line | None


def in_reading_order(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """The lines of each page in reading order, without line numbers."""
    ordered = [
        list(_columns_apart(_without_notes(page))) if len(page) <= _MOST_LINES else page
        for page in _without_line_numbers(pages)
    ]
    sizes = [line.size for page in ordered for line in page]
    small = _FOOTNOTE * median(sizes) if sizes else 0.0
    parted = [list(_columns(page)) for page in ordered]
    for column, following in pairwise(column for page in parted for column in page):
        _move_footnotes(column, following, small)
    return [[line for column in page for line in column] for page in parted]


def _columns(page: Sequence[Line]) -> Iterator[list[Line]]:
    """The lines of a page, parted where one stands higher than the one before it."""
    start = 0
    for at, (above, below) in enumerate(pairwise(page), start=1):
        if above.segments and below.segments:
            rise = below.segments[0].height - above.segments[0].height
            if rise > _COLUMN * below.size:
                yield list(page[start:at])
                start = at
    if page:
        yield list(page[start:])


def _move_footnotes(column: list[Line], following: list[Line], size: float) -> None:
    """Put lines up to this size at the foot of a column, and a caption at the head of the next one,
    behind the sentence that they part."""
    notes = [*takewhile(lambda line: 0 < line.size <= size, reversed(column))][::-1]
    body = column[: len(column) - len(notes)]
    ends = [at for at, line in enumerate(following, start=1) if is_ended(line.text)]
    if not body or not body[-1].text or is_ended(body[-1].text) or not ends:
        return
    start = ends.pop(0) if _CAPTION.match(following[0].text) else 0
    caption, rest = following[:start], following[start:]
    if ends and (notes or caption) and rest[0].size > size and rest[0].text[:1].islower():
        blank, end = Line("", body[-1].page), ends[0] - start
        following[:] = [*rest[:end], blank, *notes, blank, *caption, blank, *rest[end:]]
        del column[len(body) :]


def _without_line_numbers(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    left = [_at_side(page, -1) for page in pages]
    right = [_at_side(page, 0) for page in pages]
    kept = [list(page) for page in pages]
    for side in (left, right):
        if any(map(_is_numbering, side, pages)):
            places = [
                one.left
                for numbers, page in zip(side, pages, strict=True)
                if _is_numbering(numbers, page)
                for one in numbers
            ]
            for at, numbers in enumerate(side):
                near = [n for n in numbers if min(places) - 9 <= n.left <= max(places) + 9]
                if _steps(near) or len(near) < _MIN_LINE_NUMBERS:
                    kept[at] = _taken_away(kept[at], near)
            break
    return kept


def _at_side(page: Sequence[Line], side: int) -> list[_Numbered]:
    """Possible line numbers at the left (-1) or right (0) of a page, from above."""
    found = []
    for at, line in enumerate(page):
        if not line.segments:
            continue
        number = line.segments[0 if side else -1]
        others = line.segments[1:] if side else line.segments[:-1]
        if _NUMBER.fullmatch(number.text):
            rest = _line_of(line, others) if others else None
            found.append(_Numbered(at, int(number.text), number.left, number.height, rest))
        elif side and (match := _BEFORE_TEXT.match(number.text)):
            left = number.left + line.size * (len(match[1]) + 1) / 2
            text = number._replace(text=number.text[match.end() :], left=left)
            rest = _line_of(line, (text, *others))
            found.append(_Numbered(at, int(match[1]), number.left, number.height, rest))
    return sorted(found, key=lambda one: -one.height)


def _line_of(line: Line, segments: Sequence[LineSegment]) -> Line:
    text = " ".join(segment.text for segment in segments)
    return line._replace(text=text, segments=tuple(segments))


def _steps(numbers: Sequence[_Numbered]) -> bool:
    rises = [below.value - above.value for above, below in pairwise(numbers)]
    return any(rises.count(step) >= _MOSTLY * len(rises) > 0 for step in _STEPS)


def _is_numbering(numbers: Sequence[_Numbered], page: Sequence[Line]) -> bool:
    """Whether numbers count lines: even steps, outside the text, beside running text."""
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
    inside = [
        line
        for line in texts
        if line.segments and (last < line.segments[0].left or line.segments[-1].right < first)
    ]
    small = sum(line.text[:1].islower() for line in texts)
    enough = step * len(numbers) >= 0.6 * len(texts)
    return enough and len(inside) >= _MOSTLY * len(texts) and small >= _RUNNING * len(texts)


def _taken_away(page: Sequence[Line], numbers: Sequence[_Numbered]) -> list[Line]:
    rests = {one.at: one.rest for one in numbers}
    lines = (rests.get(at, line) for at, line in enumerate(page))
    return [line for line in lines if line is not None]


def _without_notes(page: Sequence[Line]) -> list[Line]:
    body = [one for line in page for one in line.segments if len(one.text) > 2 * _MIN_COLUMN_CHARS]
    if len(body) < 2 * _LEAST_ROWS:
        return list(page)
    left, right = (median(ends) for ends in ([s.left for s in body], [s.right for s in body]))
    text: list[Line] = []
    notes: list[Line] = []
    for line in page:
        outside = [one for one in line.segments if _is_note(one, left, right, line.size)]
        inside = [one for one in line.segments if one not in outside]
        if outside and len(inside) < 2 and all(len(one.text) > _MIN_COLUMN_CHARS for one in inside):
            notes.append(_line_of(line, outside))
            text += [_line_of(line, inside)] if inside else []
        else:
            text.append(line)
    words = sum(len(note.text.split()) for note in notes)
    beside = [n for n in notes if _has_text_beside(n, text)]
    return [*text, *notes] if words > len(notes) and len(beside) == len(notes) else list(page)


def _is_note(segment: LineSegment, left: float, right: float, size: float) -> bool:
    """Whether a segment is in the margin of a text with these ends."""
    return segment.right < left - size / 3 or segment.left > right + size / 3


def _has_text_beside(note: Line, text: Sequence[Line]) -> bool:
    height = note.segments[0].height
    near = (line.segments[0].height - height for line in text if line.segments)
    return any(abs(distance) < 2 * note.size for distance in near)


def _columns_apart(page: Sequence[Line]) -> Iterator[Line]:
    place = _gutter(page)
    if place is None:
        yield from page
        return
    for beside, run in groupby(page, key=lambda line: _is_beside(line, place)):
        lines = list(run)
        if not beside:
            yield from lines
            continue
        for left in (True, False):
            parts = [
                (line, [one for one in line.segments if (one.left < place) == left])
                for line in lines
            ]
            yield from _columns_apart([_line_of(line, own) for line, own in parts if own])


def _is_beside(line: Line, place: float) -> bool:
    return bool(line.segments) and not any(one.left < place < one.right for one in line.segments)


def _gutter(page: Sequence[Line]) -> float | None:
    """The place between the widest columns of text, or None."""
    gaps = [
        (before.right, after.left)
        for line in page
        for before, after in pairwise(line.segments)
        if after.left > before.right
    ]
    if len(gaps) < _LEAST_ROWS:
        return None
    lefts, rights = (sorted(ends) for ends in zip(*gaps, strict=True))

    def over(place: float) -> int:
        return bisect_left(lefts, place) - bisect_right(rights, place)

    place = max(sorted({(left + right) / 2 for left, right in gaps}), key=over)
    return place if over(place) >= _LEAST_ROWS and _parts_text(page, place) else None


def _parts_text(page: Sequence[Line], place: float) -> bool:
    """Whether running text is on both sides of a place."""
    beside = [line for line in page if _is_beside(line, place)]
    both = [line for line in beside if line.segments[0].left < place < line.segments[-1].right]
    if len(both) < _LEAST_ROWS or 2 * len(both) < len(beside):
        return False
    for left in (True, False):
        texts = [
            " ".join(one.text for one in line.segments if (one.left < place) == left)
            for line in both
        ]
        small = sum(text[:1].islower() for text in texts)
        if small < _RUNNING * len(texts) or median(map(len, texts)) < _MIN_COLUMN_CHARS:
            return False
    return True
