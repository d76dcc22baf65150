"""A page of a PDF → its lines: places, letter size and weight, and segments parted by wide gaps.

PDFium puts letters together into lines, in drawing order.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from ctypes import byref, c_double, c_int, create_string_buffer
from functools import cache
from itertools import pairwise
from math import isfinite
from statistics import median
from typing import Any, NamedTuple

from uhhrag.documents.marks import lowered, raised
from uhhrag.documents.segmentation import MARK

_WIDE = 0.95
"""Gap that parts segments, in letter sizes; gaps of words are mostly narrower."""
_NARROW = 0.15
"""The same for a gap without a space in a file that writes spaces."""
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
_GAP = re.compile(r"(?:\s*[.·…]){5,}\s*|\s+")
"""White space, or dots that lead to a figure."""
_LARGEST = 10_000
"""Points. A page may be 14,400 high."""
# What stands before an item of a list or a heading is no segment of its own.
_MARK = re.compile(rf"{MARK}|[·○●■□]|\d{{1,2}}(?:\.\d{{1,2}})+\.?")
_FIGURES = re.compile(r"[-−+]?\d+(?:[,–-]\d+)*")
_OFF, _SMALLER, _AFTER = 0.12, 0.85, 12
"""Offset and size of small figures, in letter sizes; letters after them that tell their meaning."""
_BOLD = re.compile(rb"bold|black|heavy|CMBX", re.IGNORECASE)
_BOLD_WEIGHT = 600


class LineSegment(NamedTuple):
    """A part of a line, in points from the page's lower left corner."""

    text: str
    left: float
    right: float
    height: float
    """Of the letters' feet."""


class _Mark(NamedTuple):
    """Small figures of a line, above it or below."""

    start: int
    end: int
    above: bool


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
    """The lines of a page, from 1, that are not blank; none if damaged."""
    try:
        page = pdf[number - 1]
        lines = list(_lines(page.get_textpage(), number))
        page.close()
    except RuntimeError:  # as PDFium's own error is
        return []  # one damaged page; the others are read
    return lines


def _lines(text_page: Any, number: int) -> Iterator[Line]:
    text = text_page.get_text_range()
    if len(text) != text_page.count_chars():  # the places of its letters are others
        yield from (Line(line.strip(), number) for line in text.splitlines() if line.strip())
        return
    letters = _Letters(text_page, text)
    lines = (parted for match in _LINE.finditer(text) for parted in _parted(letters, match))
    for line, first in lines:
        places = range(len(line)), range(len(line) // 2, len(line)), range(len(line) - 1, -1, -1)
        start, middle, end = (first + _letter_in(line, order) for order in places)
        bold, size = letters.is_bold(start) and letters.is_bold(end), letters.turn_to(middle)
        marks = _small_marks(letters, line, first, size)
        segments = tuple(_segments(letters, line, first, size))
        if marks:
            segments = tuple(_with_marks(segments, line, marks))
            line = _marked_text(line, 0, len(line), marks)
        if _is_justified(line, segments):
            segments = (segments[0]._replace(text=line, right=segments[-1].right),)
        elif len(segments) > 1 and _is_mark(segments[0], segments[1], size):
            segments = (_with_mark(*segments[:2]), *segments[2:])
        known = 0 < size < _LARGEST and all(isfinite(sum(segment[1:])) for segment in segments)
        yield Line(line, number, size, bold, segments) if known else Line(line, number)


def _small_marks(letters: _Letters, line: str, first: int, size: float) -> list[_Mark]:
    figures = [match.span() for match in _FIGURES.finditer(line)]
    if not figures:
        return []
    places = [at for at, letter in enumerate(line) if letter.isalpha()] or [figures[0][0]]
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
            marks.append(_Mark(at, end, off(at) > 0))
    return marks


def _marked_text(line: str, start: int, end: int, marks: Sequence[_Mark]) -> str:
    """A part of a line, its small figures written out (`marks`)."""
    text, at = "", start
    for mark in marks:
        if start <= mark.start and mark.end <= end:
            text += line[at : mark.start]
            figures, after = line[mark.start : mark.end], line[mark.end : mark.end + _AFTER]
            text += raised(text, figures, after) if mark.above else lowered(text, figures)
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


def _parted(letters: _Letters, match: re.Match[str]) -> Iterator[tuple[str, int]]:
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


def _segments(letters: _Letters, line: str, first: int, size: float) -> Iterator[LineSegment]:
    narrow, wide = letters.narrowest * size, _WIDE * size
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
    return mark._replace(text=f"{mark.text} {item.text}", right=max(mark.right, item.right))


class _Letters:
    """The letters of a page by position; left is where a line begins, also of text written
    upwards."""

    def __init__(self, text_page: Any, text: str) -> None:
        import pypdfium2.raw as pdfium

        self._pdfium, self._page = pdfium, text_page.raw
        self._box, self._matrix = pdfium.FS_RECTF(), pdfium.FS_MATRIX()
        self._across, self._up = 1.0, 0.0
        self._spaces = [at for at, letter in enumerate(text) if letter == " "]
        is_added, page = pdfium.FPDFText_IsGenerated, self._page
        self._added = [at for at in self._spaces if is_added(page, at) == 1]
        self.added = set(self._added)
        """The positions of spaces that the file does not write."""

    def added_within(self, start: int, end: int) -> list[int]:
        """The same between two positions, in order."""
        return self._added[bisect_left(self._added, start) : bisect_left(self._added, end)]

    @property
    def narrowest(self) -> float:
        """Gap that parts segments where the file writes no space, in letter sizes."""
        return _NARROW if 2 * len(self.added) < len(self._spaces) else _WIDE

    def turn_to(self, at: int) -> float:
        """Take a letter's direction for its line's; give its size in points."""
        matrix = self._matrix
        if not self._pdfium.FPDFText_GetMatrix(self._page, at, matrix):
            return 0.0
        length = (matrix.a**2 + matrix.b**2) ** 0.5 or 1.0
        self._across, self._up = matrix.a / length, matrix.b / length
        return self.size(at)

    def height(self, at: int) -> float:
        x, y = c_double(), c_double()
        self._pdfium.FPDFText_GetCharOrigin(self._page, at, byref(x), byref(y))
        return self._across * y.value - self._up * x.value

    def size(self, at: int) -> float:
        matrix = self._matrix
        if not self._pdfium.FPDFText_GetMatrix(self._page, at, matrix):
            return 0.0
        scale = abs(matrix.a * matrix.d - matrix.b * matrix.c) ** 0.5
        return float(scale * self._pdfium.FPDFText_GetFontSize(self._page, at))

    def is_bold(self, at: int) -> bool:
        name, flags = create_string_buffer(128), c_int()
        self._pdfium.FPDFText_GetFontInfo(self._page, at, name, len(name), byref(flags))
        weight = self._pdfium.FPDFText_GetFontWeight(self._page, at)
        return bool(_BOLD.search(name.value)) or weight >= _BOLD_WEIGHT

    def ends(self, at: int) -> tuple[float, float]:
        """Its left and right ends, with its white space."""
        box = self._box
        self._pdfium.FPDFText_GetLooseCharBox(self._page, at, box)
        if not self._up and self._across > 0:
            return box.left, box.right
        places = [
            self._across * x + self._up * y
            for x in (box.left, box.right)
            for y in (box.bottom, box.top)
        ]
        return min(places), max(places)
