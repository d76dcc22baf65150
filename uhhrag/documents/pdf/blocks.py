"""Lines → headings, rows, paragraphs, by size, weight, gaps."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from uhhrag.documents.blocks import LONGEST_HEADING, TABLE_END, Block, named, paragraph_blocks
from uhhrag.documents.pdf.floats import floats_behind
from uhhrag.documents.pdf.lines import Line, distance
from uhhrag.documents.pdf.tables import PdfTable, with_tables
from uhhrag.documents.segmentation import ENDED, MARK, OPEN, Part, joined, line_width
from uhhrag.text.fragments import is_ended

LARGER, _FAR_LARGER = 1.12, 1.4
"""Least size of a heading over the usual, or of a paragraph over another; of a heading that ends
like a sentence and is not bold.
"""
_MOST_LINES = 3
"""Of a heading."""
_NEAR = 1.7
"""Greatest distance of a heading's lines, in ems."""
_SPACED, _GOES_ON = 1.3, 1.8
"""Distance that ends a paragraph, or an unfinished sentence, over the usual."""
_SINGLE = 1.2
"""Distance if no lines tell it, in ems."""
_NEIGHBOURS, _ALIKE, _MARGIN = 3, 3.0, 0.5
"""Lines near that tell where one is full; difference of left ends, and room for a word, in ems."""
_EVEN = 0.2
"""Difference of full lines' right ends, in ems."""
_SHORT, _FEW = 0.6, 4
"""Least share of the usual width in a full line if none near is full; full lines too few to tell
that width.
"""
_INDENTED = 0.8
"""Indent that begins a paragraph, in ems."""
_NUMBERED = re.compile(r"(?:\d{1,2}\.)+\d{0,2} [A-Z]\D*$")
"""Begins a heading."""
_AMOUNT = re.compile(r"\W{0,2}\d[\d.,]*\s?(?:[^\W\d_]{1,2}|million|billion)?\W?")  # "£1.2m"
_QUOTES = '"“”„«»‘’'
"""Around what is called out of an article."""
_ITEM = re.compile(rf"(?:{MARK}|\d[\d.]*)\s")
_MOST_WORDS, _WIDEST = 6, 0.5
"""Of a name; its greatest share of the page's widest line."""
_LEAST_INDENT, _MOST_INDENT, _BELOW = 1.5, 4.0, 2.2
"""Of a value, and its distance from the name, in ems."""
_MIN_PAIRS = 3
"""Pairs of a list."""


class _Style(NamedTuple):
    size: float
    bold: bool


class _Setting(NamedTuple):
    style: _Style
    width: int
    """Characters of a full line."""
    distance: float
    """Between lines, in ems."""
    wide: float
    """Points of a full line, 0 if few tell it."""


class _Heading(NamedTuple):
    text: str
    page: int
    style: _Style


def pdf_blocks(lines: Sequence[Line]) -> Iterator[Block]:
    """Heading levels go by size and weight."""
    lines = _with_terms(lines)
    setting = _setting(lines)
    items = list(_with_headings(floats_behind(with_tables(lines)), setting))
    styles = sorted({item.style for item in items if isinstance(item, _Heading)}, reverse=True)
    text: list[Line] = []
    for item in items:
        if isinstance(item, Line):
            text.append(item)
            continue
        yield from _paragraphs(text, setting)
        text = []
        if isinstance(item, PdfTable):
            marks = item.named or (False,) * len(item.rows)
            for cells, page, named in zip(item.rows, item.pages, marks, strict=True):
                yield Block(page=page, cells=cells, named=named)
            yield TABLE_END
        else:
            yield Block(item.text, item.page, level=styles.index(item.style) + 1)
    yield from _paragraphs(text, setting)


def _setting(lines: Sequence[Line]) -> _Setting:
    lines = [line for line in lines if not line.row] or lines
    letters: Counter[_Style] = Counter()
    for line in lines:
        letters[_style(line)] += len(line.text)
    style = max(letters, key=lambda style: letters[style], default=_Style(0.0, False))
    distances = sorted(
        apart
        for before, line in pairwise(lines)
        if _style(before) == _style(line) == style and (apart := distance(before, line)) > 0
    )
    usual_distance = distances[len(distances) // 5] if distances else _SINGLE
    full = [above.right - above.left for above, below in pairwise(lines) if _is_full(above, below)]
    wide = median(full) if len(full) > _FEW else 0.0
    return _Setting(style, line_width(line.text for line in lines), usual_distance, wide)


def _is_full(above: Line, below: Line) -> bool:
    first = below.text[:1]
    return distance(above, below) > 0 and first.isalpha() and not first.isupper()


def _style(line: Line) -> _Style:
    return _Style(round(2 * line.size) / 2, line.bold)


def _paragraphs(lines: Sequence[Line], setting: _Setting) -> Iterator[Block]:
    parts: list[Part] = []
    for at, line in enumerate(lines):
        if at and _ends(lines, at - 1, setting):
            parts.append(("", line.page))
        parts.append((line.text, line.page))
    return paragraph_blocks(parts, 0 if all(line.segments for line in lines) else setting.width)


def _ends(lines: Sequence[Line], at: int, setting: _Setting) -> bool:
    above, below = lines[at : at + 2]
    if _is_apart(above, below, setting):
        return True
    if not above.segments or not below.segments:
        return False
    off = abs(above.left - below.left) if distance(above, below) else 0.0
    if is_ended(above.text) and off > _INDENTED * below.size:
        return True
    goes_on = below.text[:1].islower() and not above.text.endswith(ENDED)
    same = 1 / LARGER < above.size / below.size < LARGER
    return not (goes_on or OPEN.search(above.text)) and (not same or _has_room(lines, at, setting))


def _has_room(lines: Sequence[Line], at: int, setting: _Setting) -> bool:
    line, below = lines[at : at + 2]
    left, right = line.left, line.right
    near = [
        (one.right, _is_full(one, other))
        for one, other in pairwise(lines[max(0, at - _NEIGHBOURS) : at + _NEIGHBOURS + 2])
        if one is not line and one.segments and abs(one.left - left) <= _ALIKE * line.size
    ]
    even = any(abs(end - right) <= _EVEN * line.size for end, _ in near)
    if even and line.text.count(" ") > _FEW:
        return False
    least = left + _SHORT * (max((right, *(end for end, _ in near))) - left)
    full = [end for end, is_full in near if is_full and end >= least]
    if not full and (not setting.wide or not distance(line, below)):
        return True
    first = below.segments[0]
    word = len(below.text.split()[0]) / len(first.text) * (first.right - first.left)
    return right + word + _MARGIN * line.size < max((*full, left + _SHORT * setting.wide))


def _is_apart(above: Line, below: Line, setting: _Setting) -> bool:
    goes_on = below.text[:1].islower() and not is_ended(above.text)
    return distance(above, below) > (_GOES_ON if goes_on else _SPACED) * setting.distance


def _with_headings(
    items: Iterable[Line | PdfTable], setting: _Setting
) -> Iterator[Line | PdfTable | _Heading]:
    run: list[Line] = []
    above: Line | None = None
    for item in (*items, None):
        line = item if isinstance(item, Line) else None
        if run and (line is None or not _goes_on(run, line)):
            yield from _heading(run, above, line, setting)
            above, run = run[-1], []
        if line:
            run.append(line)
        elif item:
            above = None
            yield item


def _goes_on(run: Sequence[Line], line: Line) -> bool:
    near = 0 < distance(run[-1], line) <= _NEAR and not _NUMBERED.match(line.text)
    return near and _style(run[-1]) == _style(line)


def _heading(
    run: Sequence[Line], above: Line | None, below: Line | None, setting: _Setting
) -> Iterator[Line | _Heading]:
    style = _style(run[0])
    larger = style.size > LARGER * setting.style.size > 0
    bold = style.bold and not setting.style.bold and style.size >= setting.style.size - 0.5
    alone = not above or is_ended(above.text) or _is_apart(above, run[0], setting)
    goes_on = below and below.text[:1].islower() and not _is_apart(run[-1], below, setting)
    said = above and above.text[-1:] in _QUOTES and _style(above) != setting.style  # by whom
    set_as_one = larger or (bold and alone and not goes_on and not said)
    may_end = larger and (style.bold or style.size > _FAR_LARGER * setting.style.size)
    text = reduce(joined, (line.text for line in run[: _MOST_LINES + 1]))
    if set_as_one and len(run) <= _MOST_LINES and _is_name(text, may_end):
        yield _Heading(text, run[0].page, style)
    else:
        yield from run


def _is_name(text: str, may_end: bool) -> bool:
    """Whether it reads like a heading, which `may_end` like a sentence."""
    ended = text.endswith((",", ";")) or (is_ended(text) and not text.endswith("?"))
    words = any(map(str.isalpha, text)) and not _AMOUNT.fullmatch(text)
    named = words and (may_end or not ended)
    named = named and not (text[0] in _QUOTES and text[-1] in _QUOTES)
    return named and 2 < len(text) <= LONGEST_HEADING


def _with_terms(lines: Sequence[Line]) -> list[Line]:
    """Joins names with values below, where several pairs alternate."""
    widths: dict[int, float] = {}
    for line in lines:
        if line.segments:
            widths[line.page] = max(widths.get(line.page, 0.0), line.right - line.left)
    pairs = [_are_pair(*two, widths) for two in pairwise(lines)]
    shown: list[Line] = []
    at = 0
    while at < len(lines):
        end = at
        while end < len(pairs) and pairs[end]:
            end += 2
        if end - at < 2 * _MIN_PAIRS:
            end = at + 1
            shown.append(lines[at])
        shown += [_with_value(*lines[n : n + 2]) for n in range(at, end - 1, 2)]
        at = end
    return shown


def _are_pair(name: Line, value: Line, widths: dict[int, float]) -> bool:
    several = len(name.segments) != 1 or len(value.segments) != 1
    if name.page != value.page or several or name.row or value.row:
        return False
    short = len(name.text.split()) <= _MOST_WORDS and not is_ended(name.text)
    short = short and name.right - name.left <= _WIDEST * widths[name.page]
    indent = (value.left - name.left) / name.size
    listed = _ITEM.match(name.text) or _ITEM.match(value.text) or name.text.endswith((",", ";"))
    placed = _LEAST_INDENT <= indent <= _MOST_INDENT and 0 < distance(name, value) <= _BELOW
    return bool(short and placed and not listed and name.text[:1].isupper())


def _with_value(name: Line, value: Line) -> Line:
    text, (first,), (other,) = named(name.text, value.text), name.segments, value.segments
    segment = first._replace(text=text, right=max(first.right, other.right))
    return name._replace(text=text, segments=(segment,))
