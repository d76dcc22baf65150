"""A page → lines in drawing order, in segments parted by wide gaps."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from math import dist, isfinite
from typing import Any, NamedTuple, TypeVar
from unicodedata import bidirectional

from uhhrag.documents.pdf.places import FILLER, Letters, text_of, unspaced, with_small_letters
from uhhrag.documents.pdf.rules import TableRow
from uhhrag.documents.pdf.small import Mark, marked, marks_of
from uhhrag.documents.pdf.unseen import Drawings
from uhhrag.documents.segmentation import MARK

# A hyphen that breaks a word at a line's end takes the place of the line break.
_LINE = re.compile(r"[^\s\x02\ufffe](?:[^\r\n\x02\ufffe]*[^\s\x02\ufffe])?[\x02\ufffe]?")
_BELOW = 0.7
"""Least drop, in ems."""
FAR = 4.0
"""Gap between a mark and its item, in ems, at most."""
_MIN_WIDTH = 0.1
"""Points; text from right to left has none."""
_GAP_IN_GRID = re.compile(r"\s+|(?:(?<=[\w)%])|(?<=\w\.))(?!(?<=\d)\d)(?=[A-ZÀ-Þ\d$€£(+−–-])")
_GAP = re.compile(rf"(?:\s*[.·…]){{5,}}\s*|{_GAP_IN_GRID.pattern}")
_GAP_OF_CELLS = re.compile(rf"{_GAP.pattern}|(?<=\w\w)(?=[a-z])")
_SENTENCES, _TYPED = re.compile('(?:.[.?!]|[A-Z]:) [A-Z“"]'), 1.25
"""Ends and begins sentences; two spaces of a typewriter between these, in ems."""
_LEADER = " .·…"
"""Leaders, spaces, or nothing between cells that touch."""
_AGAIN = 0.2
"""Between a line and its shadow, in ems."""
_TO_LEFT = {"R", "AL", "AN"}
_OPTION = re.compile(r"[☐☑☒]\s?\w")
"""A box with what it is for; in a table it stands alone."""
_MAX_SIZE = 10_000
"""Points; a page may be 14,400 high."""
# What stands before an item of a list or a heading is no segment of its own.
_SHAPES = "•▪‣◦·○●■□❖➢➤►"
_BULLETS = f"{_SHAPES}oØü§\x84\x95"
"""The last ones say other letters than they show."""
_NUMBER = re.compile(r"\d{1,2}(?:\.\d{1,2})+\.?")
_MARK = re.compile(rf"{MARK}|[✓{_BULLETS}]|{_NUMBER.pattern}")


class LineSegment(NamedTuple):
    """Points from the page's lower left corner."""

    text: str
    left: float
    right: float
    height: float
    """Of the baseline."""
    apart: bool = True
    """A wide gap is before it."""
    walled: bool = False
    """So is a drawn side of a cell."""


class Line(NamedTuple):
    text: str
    page: int
    """From 1."""
    size: float = 0.0
    """In points."""
    bold: bool = False
    segments: tuple[LineSegment, ...] = ()
    """() if unknown."""
    angle: int = 0
    """Degrees."""
    row: TableRow | None = None
    """Its cells, in a drawn grid."""

    @property
    def left(self) -> float:
        return self.segments[0].left

    @property
    def right(self) -> float:
        return self.segments[-1].right

    @property
    def height(self) -> float:
        return self.segments[0].height


def line_of(line: Line, segments: Sequence[LineSegment]) -> Line:
    text = " ".join(segment.text for segment in segments)
    return line._replace(text=text, segments=tuple(segments))


def distance(above: Line, below: Line) -> float:
    """In ems; 0 if not below."""
    if above.page != below.page or not above.segments or not below.segments:
        return 0.0
    return max(0.0, above.height - below.height) / below.size


_One = TypeVar("_One")


def in_runs(items: Iterable[_One], goes_on: Callable[[_One, _One], bool]) -> list[list[_One]]:
    """Parts items where one does not continue the one before."""
    found: list[list[_One]] = []
    for item in items:
        if found and goes_on(found[-1][-1], item):
            found[-1].append(item)
        else:
            found.append([item])
    return found


def by_direction(page: Sequence[Line]) -> tuple[list[Line], list[Line]]:
    """Lines that run as most letters do, and others."""
    letters: Counter[int] = Counter()
    for line in page:
        letters[line.angle] += len(line.text)
    usual = max(letters, key=lambda angle: letters[angle], default=0)
    level = [line for line in page if line.angle == usual]
    return level, [line for line in page if line.angle != usual]


def page_lines(page: Any, number: int, drawings: Drawings) -> list[Line]:
    """Non-blank lines of page `number`, from 1."""
    text_page, text = text_of(page)
    letters = Letters(text_page, text)
    text = with_small_letters(letters, text)
    parts = (parted for match in _LINE.finditer(text) for parted in _parted(letters, match))
    every = (_line(letters, drawings, line, first, number) for line, first in parts)
    known: dict[str, list[tuple[float, float]]] = {}
    return [line for line in every if line.text.strip() and not _is_drawn_again(line, known)]


def _line(letters: Letters, drawings: Drawings, line: str, first: int, number: int) -> Line:
    places = range(len(line)), range(len(line) // 2, len(line)), range(len(line) - 1, -1, -1)
    start, middle, end = (first + _letter_in(line, order) for order in places)
    bold, size = letters.is_bold(start) and letters.is_bold(end), letters.turn_to(middle)
    size = max(size, letters.size(start), letters.size(end))  # of other than raised letters
    out = drawings.left_out(letters, line, first, size)
    marks = marks_of(letters, line, first, size, out)
    segments = tuple(_segments(letters, drawings, line, first, size))
    if not (0 < size < _MAX_SIZE and all(isfinite(sum(segment[1:4])) for segment in segments)):
        return Line(marked(line, 0, len(line), marks).replace(FILLER, ""), number)
    if marks:
        segments = tuple(_with_marks(segments, line, marks))
        line = marked(line, 0, len(line), marks)
    seen = tuple(one for one in segments if letters.are_seen(*one[1:4]))
    if len(seen) < len(segments):
        segments, line = seen, " ".join(one.text for one in seen)
    if not segments:
        return Line("", number)
    if any(after.left < before.left - size for before, after in pairwise(segments)):
        segments = tuple(_from_left(segments, size))
        line = " ".join(one.text for one in segments)
    if (as_words := unspaced(letters, line, first)) != line:
        line, segments = as_words, (segments[0]._replace(text=as_words, right=segments[-1].right),)
    if drawings.has_bullet(segments[0].left, segments[0].height, size):
        line = f"• {line}"
        segments = (segments[0]._replace(text=f"• {segments[0].text}"), *segments[1:])
    bare = (one._replace(text=one.text.replace(FILLER, "").strip()) for one in segments)
    segments = tuple(one for one in bare if one.text)
    return settled(Line(line.replace(FILLER, ""), number, size, bold, segments, letters.angle))


def settled(line: Line) -> Line:
    """Joins a list mark with its item, a box with what precedes it."""
    segments = list(line.segments)
    text = line.text
    pages = all(one.text.isdecimal() for one in segments[2:])  # of contents
    marked = len(segments) > 1 and is_mark(segments[0], segments[1], line.size)
    if marked and (pages or not _NUMBER.fullmatch(segments[0].text)):  # but for a time of day
        mark, item, *others = segments
        if mark.text in _BULLETS:
            mark, text = mark._replace(text="•"), f"•{text[1:]}"
        segments = [_with_next(mark, item), *others]
    for at in reversed(range(1, len(segments))):
        if _OPTION.match(segments[at].text):
            segments[at - 1 : at + 1] = [_with_next(*segments[at - 1 : at + 1])]
    return line._replace(text=text, segments=tuple(segments))


def _is_drawn_again(line: Line, known: dict[str, list[tuple[float, float]]]) -> bool:
    if not line.segments:
        return False
    place, places = (line.left, line.height), known.setdefault(line.text, [])
    again = any(dist(place, one) < _AGAIN * line.size for one in places)
    places.append(place)
    return again


def _with_marks(
    segments: Sequence[LineSegment], line: str, marks: Sequence[Mark]
) -> Iterator[LineSegment]:
    at = 0
    for segment in segments:
        start = line.index(segment.text, at)
        at = start + len(segment.text)
        text = marked(line, start, at, marks)
        if text.strip():
            yield segment._replace(text=text)


def _parted(letters: Letters, match: re.Match[str]) -> Iterator[tuple[str, int]]:
    line, first = match[0], match.start()
    spaces = letters.added_within(first + 1, match.end() - 1)
    size = letters.turn_to(first) if spaces else 0.0
    start = first
    for at in spaces:
        left = letters.ends(at + 1)[0]
        below = letters.height(at - 1) - letters.height(at + 1) > _BELOW * size
        to_left = bidirectional(line[at + 1 - first]) in _TO_LEFT
        again = left < letters.ends(start)[0] + size and not to_left
        if left < letters.ends(at - 1)[0] and (below or again):
            yield line[start - first : at - first].rstrip(), start
            start = at + 1
    yield line[start - first :], start


def _letter_in(line: str, order: Iterable[int]) -> int:
    kinds = str.isalpha, str.isalnum
    return next((at for is_so in kinds for at in order if is_so(line[at])), 0)


def _segments(
    letters: Letters, drawings: Drawings, line: str, first: int, size: float
) -> Iterator[LineSegment]:
    start, left, apart, walled = 0, letters.ends(first)[0], True, False
    part, height = drawings.rules.part, letters.height(first)
    parted = part(letters.angle, left, letters.ends(first + len(line) - 1)[1], height)
    added = letters.added_within(first, first + len(line))
    cells = any(letters.is_drawn_apart(at - 1, at + 1) for at in added)
    pattern = _GAP_IN_GRID if parted else _GAP_OF_CELLS if cells else _GAP
    for gap in (*pattern.finditer(line, 1), None):
        end = gap.start() if gap else len(line)
        if gap and gap.end() == len(line):
            continue
        if gap and not (gap[0] or letters.is_drawn_apart(first + end - 1, first + end)):
            continue
        last, right = letters.ends(first + end - 1)
        if gap:
            after = letters.ends(first + gap.end())[0]
            least = letters.least_gap(first + end) * size
            back = after < last - size and bidirectional(line[gap.end()]) not in _TO_LEFT
            wide = bool(gap[0]) and (back or after - right > least)
            typed = wide and end > 1 and after - right < _TYPED * size
            if typed and _SENTENCES.match(line, end - 2):
                wide = not letters.are_as_wide(first + at for at in (end - 2, end - 1, gap.end()))
            wall = parted and part(letters.angle, right, after, height)
            wide = wide or wall
            if not wide and not _may_part(letters, gap, first, after - right):
                continue
        most = max(1, end - start - 1)  # the last letter may be raised
        height = letters.height(first + start + _letter_in(line[start:end], range(most)))
        if not start or walled or line[start:end].strip(_LEADER):
            right = max(left + _MIN_WIDTH, right)
            yield LineSegment(line[start:end], left, right, height, apart, walled)
        if gap:
            start, left, apart, walled = gap.end(), after, wide, wall


def _from_left(segments: Sequence[LineSegment], size: float) -> list[LineSegment]:
    """Moves letters of another font, perhaps drawn last, to their place."""
    if any(bidirectional(letter) in _TO_LEFT for one in segments for letter in one.text):
        return list(segments)
    row: list[LineSegment] = []
    for one in sorted(segments, key=lambda segment: segment.left):
        if row and one.left - row[-1].right <= size and not one.walled:
            one = _with_next(row.pop(), one)
        row.append(one)
    return row


def _with_next(one: LineSegment, other: LineSegment) -> LineSegment:
    return one._replace(text=f"{one.text} {other.text}", right=max(one.right, other.right))


def _may_part(letters: Letters, gap: re.Match[str], first: int, width: float) -> bool:
    start, end = first + gap.start(), first + gap.end()
    unwritten = start == end or (end - start == 1 and start in letters.added)
    if width < -_MIN_WIDTH or not unwritten or not letters.is_drawn_apart(start - 1, end):
        return False
    return abs(letters.height(start - 1) - letters.height(end)) < 1  # else raised


def is_mark(mark: LineSegment, item: LineSegment, size: float) -> bool:
    """Whether it marks an item or numbers a heading, and is no table figure."""
    near = item.left - mark.right <= FAR * size and not item.walled
    figure = item.text[0].isdigit() and mark.text not in _SHAPES
    return near and not figure and bool(_MARK.fullmatch(mark.text))
