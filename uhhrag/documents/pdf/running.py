"""Pages without running heads and page numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from uhhrag.documents.pdf.blocks import LARGER
from uhhrag.documents.pdf.lines import Line, by_direction
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


def without_running_heads(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """Drops outermost lines that over half of all, left or right pages share but for the number; of
    two pages, fewer. Column names stay."""
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
    """A line's numbers, minus the page's."""
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
    """
    >>> _parted("Page 12 of 340"), _parted("– xiv –")
    (('page # of #', [12, 340]), ('– # –', [14]))
    """
    text = clean(line).lower()
    if roman := _ROMAN.fullmatch(text):
        values = [_VALUES[letter] for letter in roman[1]]
        number = sum(-a if a < b else a for a, b in pairwise((*values, 0)))
        return text.replace(roman[1], "#"), [number]
    return re.sub(r"\d+", "#", text), [int(number[-9:]) for number in re.findall(r"\d+", text)]
