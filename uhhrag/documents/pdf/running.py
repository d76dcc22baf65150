"""Pages of a PDF without running heads, numbers of pages and numbers of lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from uhhrag.documents.pdf.beside import MIN_COLUMN_CHARS
from uhhrag.documents.pdf.blocks import LARGER
from uhhrag.documents.pdf.lines import Line, by_direction, in_runs, line_of, settled
from uhhrag.documents.pdf.pieces import RUNNING
from uhhrag.documents.pdf.tables import PdfTable, with_tables
from uhhrag.documents.segmentation import clean
from uhhrag.text.fragments import is_ended, is_fragment

_FIRST_LINES = 40
_NUMBER = re.compile(r"\W*(?:(?:page|p\.|side|seite) )?#(?:(?: of | av | von | ?/ ?)#)?\W*")
_YEAR = re.compile(r"(?:19|20)\d\d")
_PRINTED = re.compile(r"\w://|#:#|\bpage #")
_COUNT = re.compile(
    r"(?P<named>\w+://\S+ |page |p\. ?|side |seite )?(\d{1,5})(?: of | av | von | ?/ ?)(\d{1,5})",
    re.IGNORECASE,
)
"""A number of a page and of all, perhaps behind the address that a browser prints."""
_PRINTED_AT = re.compile(r"\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4},? \d{1,2}[:.]\d\d\b")
_ROMAN = re.compile(r"\W*([ivxl]+)\W*")
_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50}
_LINE_NUMBER = re.compile(r"(\d{1,4})(?:\s+(?=\S)|$)")
_STEPS = (1, 2, 5, 10)
_MIN_LINE_NUMBERS, _MIN_LINE_NUMBERS_REPEATED = 5, 3
"""Line numbers needed on a page, and in steps of five or more."""
_MOSTLY, _LEAST_SHARE = 0.8, 0.6
"""Of lines, and of those that are numbered."""
_NEAR = 9.0
"""Between left ends of numbers in a column, in points."""
_MOST_PARTS = 1_000


def without_running_heads(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """Pages without outermost lines that over half of all, left or right pages share but for the
    number; of two pages, fewer lines are removed. Names of columns stay.
    """
    directed = [by_direction(page) for page in pages]
    kept = {
        id(line)
        for side in ([level for level, _ in directed], [turned for _, turned in directed])
        for page in _body(list(map(_from_above, _body(side))))
        for line in page
    }
    return [[line for line in page if id(line) in kept] for page in pages]


def _body(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    left = [_without_count(page, len(pages)) for page in pages]
    filled = [page for page in left if page]
    usual, few = _usual([line for page in filled for line in page]), len(filled) < 3
    sides = (filled, filled, *([p for p in left[n::2] if p] for n in (0, 1) if len(filled) > 3))
    ahead: set[int] = set()
    for side in sides if len(filled) > 1 else ():
        for end in (0, -1):
            ends = [page[end] for page in side if page]
            for lines in _running(ends, len(side), usual, few=few):
                counts = _counts_pages(lines)
                ahead |= _ahead(lines[0]) if counts else set()
                shown = few and not counts  # a sender's name, once
                taken = {id(line) for line in (lines[1:] if shown else lines)}
                for page in (page for page in side if page and id(page[end]) in taken):
                    if counts or end or not _begins_with_table(page):
                        del page[end]
    for page in left:  # of a first page or chapter, in a form of its own
        for end in (0, -1):
            if page and page[end].text.strip().isdecimal() and ahead & _ahead(page[end]):
                del page[end]
    return left


def _ahead(line: Line) -> set[int]:
    """Of the page's number, numbers of a line."""
    return {number - line.page for number in _parted(line.text)[1]}


def _without_count(page: Sequence[Line], pages: int) -> list[Line]:
    lines = list(page)
    for end in (-1, 0):
        found = _COUNT.fullmatch(lines[end].text.strip()) if lines else None
        if found and (found["named"] or (int(found[2]), int(found[3])) == (lines[end].page, pages)):
            del lines[end]
            head = next(iter(_from_above(lines)), None)
            if head and _PRINTED_AT.match(head.text):
                lines.remove(head)
    return lines


def _running(ends: Sequence[Line], pages: int, usual: Line, *, few: bool) -> list[list[Line]]:
    shapes: dict[str, list[Line]] = {}
    offsets: dict[tuple[int, int], list[Line]] = {}
    for line in ends:
        shapes.setdefault(_parted(line.text)[0], []).append(line)
        for end in (0, -1) if not few and any(map(str.isalpha, line.text)) else ():
            number = line.text.split()[end]
            if number.isdecimal() and not _YEAR.fullmatch(number):
                offsets.setdefault((end, int(number[-9:]) - line.page), []).append(line)
    least = max(1, pages / 2)
    same = [
        lines
        for shape, lines in shapes.items()
        if len(lines) > least and (shape.count("#") == 1 or any(map(str.isalpha, shape)))
        if _is_running(lines, usual)
        if not few or _is_running_on_two(shape, lines)
    ]
    # With the name of the chapter, which changes: "6 Chapter 1", "1.2 Harbours 7".
    return [*same, *(lines for lines in offsets.values() if len(lines) > least)]


def _from_above(page: Sequence[Line]) -> list[Line]:
    if not all(line.segments for line in page):
        return list(page)
    return sorted(page, key=lambda line: (-line.height, line.left))


def _usual(lines: Sequence[Line]) -> Line:
    size = median(line.size for line in lines) if lines else 0.0
    return Line("", 0, size, 2 * sum(line.bold for line in lines) > len(lines))


def _is_running(lines: Sequence[Line], usual: Line) -> bool:
    """Whether lines differ only in the page's number, and are no headings or sentences."""
    steps = [_goes_on(above, below) for above, below in pairwise(lines)]
    if 2 * sum(steps) <= len(steps):
        return False
    first, counts = lines[0], _counts_pages(lines)
    named = len(first.segments) == 1 and any(map(str.isalpha, first.text))
    set_off = first.size > LARGER * usual.size or (first.bold and not usual.bold)
    if counts and named and set_off:
        return False
    return not is_ended(first.text) or (
        (not counts or is_fragment(first.text)) and _are_at_one_height(lines)
    )


def _is_running_on_two(shape: str, lines: Sequence[Line]) -> bool:
    told = not _counts_pages(lines) or _PRINTED.search(shape)
    return bool(_NUMBER.fullmatch(shape) or (told and _are_at_one_height(lines)))


def _goes_on(line: Line, later: Line) -> bool:
    (_, numbers), (_, others) = _parted(line.text), _parted(later.text)
    grown = [b - a for a, b in zip(numbers, others, strict=True) if a != b]
    return not grown or grown == [later.page - line.page]


def _counts_pages(lines: Sequence[Line]) -> bool:
    return any(_parted(line.text)[1] != _parted(lines[0].text)[1] for line in lines)


def _are_at_one_height(lines: Sequence[Line]) -> bool:
    heights = [line.height for line in lines if line.segments]
    return len(heights) == len(lines) and max(heights) - min(heights) < lines[0].size / 2


def _begins_with_table(page: Sequence[Line]) -> bool:
    first = next(iter(with_tables(page[:_FIRST_LINES])))
    return isinstance(first, PdfTable) and all(first.rows[0][1:])


def _parted(line: str) -> tuple[str, list[int]]:
    """The shape of a line, and its numbers.

    >>> _parted("Page 12 of 340"), _parted("– xiv –")
    (('page # of #', [12, 340]), ('– # –', [14]))
    """
    text = clean(line).lower()
    if roman := _ROMAN.fullmatch(text):
        values = [_VALUES[letter] for letter in roman[1]]
        number = sum(-a if a < b else a for a, b in pairwise((*values, 0)))
        return text.replace(roman[1], "#"), [number]
    return re.sub(r"\d+", "#", text), [int(number[-9:]) for number in re.findall(r"\d+", text)]


class _Numbered(NamedTuple):
    """The position of a line, and the line without its number."""

    at: int
    value: int
    left: float
    height: float
    rest: Line | None


class _Column(NamedTuple):
    """Numbers from above, left (0) or right (-1) of their lines."""

    side: int
    numbers: list[_Numbered]

    @property
    def ends(self) -> tuple[float, float]:
        lefts = [one.left for one in self.numbers]
        return min(lefts), max(lefts)


def without_line_numbers(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """Pages without numbers of lines, as of bills, preprints and records of courts."""
    columns = [[one for side in (0, -1) for one in _columns(page, side)] for page in pages]
    told = [
        (column, _parts(column, page))
        for page, found in zip(pages, columns, strict=True)
        for column in found
    ]
    several = sum(parts for _, parts in told) > 1
    series = [column for column, parts in told if parts >= _MOST_PARTS or (parts and several)]
    return [
        _unnumbered(page, [one for column in found for one in _of_series(column, series)])
        for page, found in zip(pages, columns, strict=True)
    ]


def _of_series(column: _Column, series: Sequence[_Column]) -> list[_Numbered]:
    """Its numbers that are in the place of a series, or go on with it on the other side."""
    numbers, (left, right) = column.numbers, column.ends
    for one in series:
        least, most = one.ends
        if column.side == one.side and least - _NEAR <= right and left <= most + _NEAR:
            return numbers if len(numbers) < _MIN_LINE_NUMBERS else _in_steps(numbers)
    last = {one.numbers[-1].value + _step(one.numbers) for one in series}
    outside = all(one.rest and len(one.rest.segments) == 1 for one in numbers)
    goes_on = outside and numbers[0].value in last and column.side
    return numbers if goes_on and (len(numbers) < 2 or _in_steps(numbers)) else []


def _unnumbered(page: Sequence[Line], numbers: Sequence[_Numbered]) -> list[Line]:
    rests = {one.at: one.rest for one in numbers}
    return [one for n, line in enumerate(page) if (one := rests.get(n, line)) is not None]


def _columns(page: Sequence[Line], side: int) -> list[_Column]:
    """Possible line numbers at the left (0) or right (-1)."""
    found = []
    for at, line in enumerate(page):
        if line.row or not line.segments:
            continue
        others = list(line.segments)
        first = others.pop(side)
        number = _LINE_NUMBER.match(first.text)
        text = first.text[number.end() :] if number else ""
        if number and not (text and side):
            left = first.left + line.size * (len(number[1]) + 1) / 2
            others[:0] = [first._replace(text=text, left=left)] if text else []
            rest = settled(line_of(line, others)) if others else None
            found.append(_Numbered(at, int(number[1]), first.left, first.height, rest))
    found.sort(key=lambda one: one.left)
    runs = in_runs(found, lambda one, other: other.left - one.left <= _NEAR)
    return [_Column(side, sorted(run, key=lambda one: -one.height)) for run in runs]


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


def _parts(column: _Column, page: Sequence[Line]) -> int:
    """How many sentences the numbers part for sure, `_MOST_PARTS` if their lines are running text;
    0 for numbers of rows.
    """
    numbers = _in_steps(column.numbers)
    step = _step(numbers)
    odd = step < _MIN_LINE_NUMBERS or any(one.value % step for one in numbers)
    if len(numbers) < (_MIN_LINE_NUMBERS if odd else _MIN_LINE_NUMBERS_REPEATED):
        return 0
    first, last = column.ends
    lines = [x for x in _unnumbered(page, numbers) if x.segments and not x.text.isdecimal()]
    across = sum(line.left < first and last + _NEAR < line.right for line in lines)
    texts = [x for x in lines if (x.right < first if column.side else last < x.left)]
    level: dict[int, Line] = {}
    for line in sorted(texts, key=lambda x: x.right if column.side else -x.left):
        level.update(dict.fromkeys(range(round(line.height) - 1, round(line.height) + 2), line))
    beside = [one.rest or level.get(round(one.height)) for one in numbers]
    ends = [(line.left, line.right) for line in beside if line]
    left, right = min(ends, default=(0.0, 0.0))[0], max((end for _, end in ends), default=0.0)
    if ends:
        texts = [x for x in texts if (left < x.right if column.side else x.left < right)]
    few = step * len(numbers) < _LEAST_SHARE * len(texts)
    apart = 2 * sum(len(line.segments) < 2 for line in texts) < len(texts)
    if few or apart or not texts or across > (1 - _MOSTLY) * len(lines):
        return 0
    wide = median(len(line.text) for line in texts) >= MIN_COLUMN_CHARS
    if len(texts) < _MOSTLY * len(lines) and not wide:
        return 0
    told = [line for line in beside if line] if step < _MIN_LINE_NUMBERS else texts
    small = sum(line.text[:1].islower() for line in told or texts)
    if small >= RUNNING * len(told or texts):
        return _MOST_PARTS
    broken = sum(_broken(a, b, right) for a, b in pairwise(beside) if a and b)
    return broken if broken >= small else 0


def _broken(above: Line, below: Line, right: float) -> int:
    """2 if a sentence goes on below for want of room in a long line, 1 in another."""
    word = len(below.text.split()[0]) / len(below.text) * (below.right - below.left)
    goes_on = below.text[:1].islower() and not is_ended(above.text) and above.right + word > right
    return min(2, len(above.text) // MIN_COLUMN_CHARS) if goes_on else 0
