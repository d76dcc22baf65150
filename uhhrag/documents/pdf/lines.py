"""A page of a PDF → its lines: places, letter size and weight, and segments parted by wide gaps.

PDFium puts letters together into lines, in drawing order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from math import isfinite
from statistics import median
from typing import Any, NamedTuple

from uhhrag.documents.marks import lowered, raised
from uhhrag.documents.pdf.places import (
    FILLER,
    WIDE,
    Letters,
    placed_text,
    unspaced,
    with_small_letters,
)
from uhhrag.documents.pdf.struck import Stroke, strokes_of, struck_words
from uhhrag.documents.segmentation import MARK

_JUSTIFIED, _ALIKE = 5, 1.15
"""Least words of a justified line; its widest gap over its narrowest, at most."""
# A hyphen that breaks a word at a line's end takes the place of the line break.
_LINE = re.compile(r"[^\s\x02\ufffe](?:[^\r\n\x02\ufffe]*[^\s\x02\ufffe])?[\x02\ufffe]?")
_BELOW = 0.7
"""Least drop to the next line, in letter sizes."""
_FAR = 4.0
"""Greatest gap between a mark of a list and its item, in letter sizes."""
_MIN_WIDTH = 0.1
"""Points. What is written from right to left has none."""
_LARGE = 1.8
"""Least size of a large first letter over its word's."""
_OF_A_OR_I = re.compile(
    r"[^aeiouy\W]+|bove|ccording|fter|gainst|lmost|lready|lso|lthough|mong|nother|ny|re",
    re.IGNORECASE,
)
"""What only goes on after A or I, which are words themselves."""
_GAP = re.compile(r"(?:\s*[.·…]){5,}\s*|\s+")
"""White space, or dots that lead to a figure."""
_LARGEST = 10_000
"""Points. A page may be 14,400 high."""
# What stands before an item of a list or a heading is no segment of its own.
_BULLETS = "·○●■□❖➢➤►oØü§"
"""Bullets, the last ones of fonts that say other letters than they show."""
_MARK = re.compile(rf"{MARK}|[✓{_BULLETS}]|\d{{1,2}}(?:\.\d{{1,2}})+\.?")
# A letter after a figure may be the mark of a note: "1,234a".
_FIGURES = re.compile(rf"[-−+]?\d+(?:[,–-]\d+)*|(?<=[\d{FILLER}])[a-z](?:,[a-z])*(?!\w)")
_OFF, _SMALLER, _AFTER = 0.12, 0.85, 12
"""Offset and size of small figures, in letter sizes; letters after them that tell their meaning."""


class LineSegment(NamedTuple):
    """A part of a line, in points from the page's lower left corner."""

    text: str
    left: float
    right: float
    height: float
    """Of the letters' feet."""


class _Mark(NamedTuple):
    """A part of a line that is not as the line is."""

    start: int
    end: int
    how: str
    """"above" or "below" of small figures, "struck"."""


class Line(NamedTuple):
    """A line of a page."""

    text: str
    page: int
    """From 1."""
    size: float = 0.0
    """Of its letters, in points."""
    bold: bool = False
    segments: tuple[LineSegment, ...] = ()
    """() if its setting is unknown."""


def page_lines(pdf: Any, number: int) -> list[Line]:
    """The lines of a page, from 1, that are not blank. Raises RuntimeError, as PDFium's own error
    is, for a damaged page."""
    page = pdf[number - 1]
    lines = _initials_joined(list(_lines(page.get_textpage(), strokes_of(page), number)))
    page.close()
    return lines


def _lines(text_page: Any, strokes: Sequence[Stroke], number: int) -> Iterator[Line]:
    text = placed_text(text_page)
    letters = Letters(text_page, text)
    text = with_small_letters(letters, text)
    lines = (parted for match in _LINE.finditer(text) for parted in _parted(letters, match))
    for line, first in lines:
        places = range(len(line)), range(len(line) // 2, len(line)), range(len(line) - 1, -1, -1)
        start, middle, end = (first + _letter_in(line, order) for order in places)
        bold, size = letters.is_bold(start) and letters.is_bold(end), letters.turn_to(middle)
        size = max(size, letters.size(start), letters.size(end))  # of other than raised letters
        marks = _marks(letters, strokes, line, first, size)
        segments = tuple(_segments(letters, line, first, size))
        known = 0 < size < _LARGEST and all(isfinite(sum(segment[1:])) for segment in segments)
        if marks:
            segments = tuple(_with_marks(segments, line, marks))
            line = _marked_text(line, 0, len(line), marks)
        seen = tuple(one for one in segments if not known or letters.are_seen(*one[1:]))
        if len(seen) < len(segments):
            segments, line = seen, " ".join(one.text for one in seen)
        if not line.strip(f" {FILLER}"):
            continue
        if (together := unspaced(letters, line, first)) != line:
            line, segments = together, (_as_one(segments, together),)
        if _is_justified(line, segments):
            segments = (_as_one(segments, line),)
        elif len(segments) > 1 and _is_mark(segments[0], segments[1], size):
            line = f"•{line[1:]}" if segments[0].text in _BULLETS else line
            segments = (_with_mark(*segments[:2]), *segments[2:])
        yield Line(line, number, size, bold, segments) if known else Line(line, number)


def _as_one(segments: Sequence[LineSegment], text: str) -> LineSegment:
    return segments[0]._replace(text=text, right=segments[-1].right)


def _initials_joined(lines: list[Line]) -> list[Line]:
    """The lines, large first letters joined to their words, wherever those are drawn."""
    joined = lines.copy()
    for initial in lines:
        if len(initial.text) > 1 or not initial.text.isupper() or not initial.segments:
            continue
        begun = (at for at, line in enumerate(joined) if _is_begun_by(initial, line))
        if (at := next(begun, None)) is not None:
            first, *others = joined[at].segments
            first = first._replace(text=initial.text + first.text)
            text = initial.text + joined[at].text
            joined[at] = joined[at]._replace(text=text, segments=(first, *others))
            joined.remove(initial)
    return joined


def _is_begun_by(initial: Line, line: Line) -> bool:
    word = line.text.split()[0]
    goes_on = word[0].islower() or word.isupper()
    if not line.segments or initial.size < _LARGE * line.size or not goes_on:
        return False
    near = line.segments[0].left - initial.segments[0].right
    higher = line.segments[0].height - initial.segments[0].height
    placed = -line.size / 2 <= near <= _FAR * line.size and 0 < higher < initial.size
    return placed and (initial.text not in "AI" or bool(_OF_A_OR_I.fullmatch(word)))


def _marks(
    letters: Letters, strokes: Sequence[Stroke], line: str, first: int, size: float
) -> list[_Mark]:
    struck = struck_words(strokes, letters, line, first, size)
    small = _small_marks(letters, line, first, size)
    free = [m for m in small if not any(start < m.end and m.start < end for start, end in struck)]
    return sorted([*free, *(_Mark(start, end, "struck") for start, end in struck)])


def _small_marks(letters: Letters, line: str, first: int, size: float) -> list[_Mark]:
    figures = [match.span() for match in _FIGURES.finditer(line)]
    if not figures:
        return []
    starts = {start for start, _ in figures}
    places = [at for at, c in enumerate(line) if c.isalpha() and at not in starts]
    places = places or [figures[0][0]]
    sample = places[0], places[len(places) // 2], places[-1]
    base = median(letters.height(first + at) for at in sample)

    @cache
    def usual() -> float:
        return max(letters.size(first + at) for at in sample)

    def off(at: int) -> float:
        """How far a smaller figure is above the line, else 0."""
        above = letters.height(first + at) - base
        if abs(above) <= _OFF * size or letters.size(first + at) >= _SMALLER * usual():
            return 0.0
        return above

    marks = []
    for start, end in figures:
        at = end
        while at > start and off(at - 1):
            at -= 1
        if at == end:
            at = start
            while at < end and off(at):
                at += 1
            start, at, end = start, start, at
        if at < end:
            marks.append(_Mark(at, end, "above" if off(at) > 0 else "below"))
    return marks


def _marked_text(line: str, start: int, end: int, marks: Sequence[_Mark]) -> str:
    """A part of a line, its small figures written out (`marks`), without what is struck."""
    text, at = "", start
    for mark in marks:
        if start <= mark.start and mark.end <= end:
            text += line[at : mark.start]
            figures, after = line[mark.start : mark.end], line[mark.end : mark.end + _AFTER]
            if mark.how != "struck":
                above = mark.how == "above"
                text = text.rstrip(FILLER)
                figures = figures[:1] if figures[0].isalpha() else figures  # "a,b" as "a"
                text += raised(text, figures, after) if above else lowered(text, figures)
            at = mark.end
    return text + line[at:end]


def _with_marks(
    segments: Sequence[LineSegment], line: str, marks: Sequence[_Mark]
) -> Iterator[LineSegment]:
    at = 0
    for segment in segments:
        start = line.index(segment.text, at)
        at = start + len(segment.text)
        text = _marked_text(line, start, at, marks)
        if text.strip():
            yield segment._replace(text=text)


def _parted(letters: Letters, match: re.Match[str]) -> Iterator[tuple[str, int]]:
    """A line of PDFium with start positions, parted where letters go on below and farther left."""
    line, first = match[0], match.start()
    spaces = letters.added_within(first + 1, match.end() - 1)
    size = letters.turn_to(first) if spaces else 0.0
    start = first
    for at in spaces:
        below = letters.height(at - 1) - letters.height(at + 1) > _BELOW * size
        if below and letters.ends(at + 1)[0] < letters.ends(at - 1)[0]:
            yield line[start - first : at - first].rstrip(), start
            start = at + 1
    yield line[start - first :], start


def _letter_in(line: str, order: Iterable[int]) -> int:
    """The first position, in this order, of a letter, else of a digit, else 0."""
    letter = next((at for at in order if line[at].isalpha()), None)
    return next((at for at in order if line[at].isalnum()), 0) if letter is None else letter


def _segments(letters: Letters, line: str, first: int, size: float) -> Iterator[LineSegment]:
    narrow, wide = letters.narrowest * size, WIDE * size
    start, left = 0, letters.ends(first)[0]
    for gap in _GAP.finditer(line, 1):
        if gap.end() == len(line):
            continue
        before, after = (letters.ends(first + at) for at in (gap.start() - 1, gap.end()))
        least = narrow if first + gap.start() in letters.added else wide
        if len(gap[0].strip()) > 1 or after[0] - before[1] > least:
            right = max(left + _MIN_WIDTH, before[1])
            yield LineSegment(line[start : gap.start()], left, right, letters.height(first + start))
            start, left = gap.end(), after[0]
    right = max(left + _MIN_WIDTH, letters.ends(first + len(line) - 1)[1])
    yield LineSegment(line[start:], left, right, letters.height(first + start))


def _is_justified(line: str, segments: Sequence[LineSegment]) -> bool:
    gaps = [after.left - before.right for before, after in pairwise(segments)]
    lower = sum(segment.text[0].islower() for segment in segments)
    all_words = len(segments) == len(line.split()) >= _JUSTIFIED
    return all_words and 2 * lower > len(segments) and max(gaps) <= _ALIKE * min(gaps)


def _is_mark(mark: LineSegment, item: LineSegment, size: float) -> bool:
    """Whether a segment marks an item or numbers a heading, and is no figure of a table."""
    near = item.left - mark.right <= _FAR * size
    return near and not item.text[0].isdigit() and bool(_MARK.fullmatch(mark.text))


def _with_mark(mark: LineSegment, item: LineSegment) -> LineSegment:
    text = "•" if mark.text in _BULLETS else mark.text
    return mark._replace(text=f"{text} {item.text}", right=max(mark.right, item.right))
