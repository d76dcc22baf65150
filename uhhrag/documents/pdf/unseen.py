"""What a page draws beside letters: strokes, covers, bullets.

Words without a mark on the drawn page are unseen: under a bar, or in its colour. Pages are drawn
only if something may hide words.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from ctypes import byref, c_float, c_int, c_uint
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pypdfium2.raw as pdfium

from uhhrag.documents.pdf.places import Box, Letters
from uhhrag.documents.pdf.rules import MOST_OBJECTS, Rules, Stretch, drawn_lines
from uhhrag.documents.scans import Pixels

_THICKEST, _SHORTEST = 2.0, 2.0
"""Of a line, in points."""
_DOT, _ROUND = (1.0, 8.0), 1.6
"""Extents of a bullet, in points; greater over lesser."""
_BESIDE, _RAISED = 2.5, 0.7
"""Gap to its text, and height above its feet, in ems."""
_LOWEST, _HIGHEST = 0.12, 0.55
"""Heights that strike out, in ems; lower lines underline."""
_OFF, _SPACE = 0.4, 0.6
"""Distance of a strike's ends from letters', and a struck space at a line's end, in ems; a table's
lines go on.
"""
BAR = "█"
"""Of redacted words."""
_LIGHT, _DARK, _PAINT, _PAPER = 200, 100, 128, 240
"""Shades of a page and of a bar, 0 for black; paint that hides; least shade that shows nothing."""
_PIXELS = 1_200_000
"""A4 at 112 dpi."""
_BAND, _INSET = (0.05, 0.45), 0.12
"""Where all letters have ink, above their feet; left out at a word's ends."""
_INK, _LEAST_INK = 20, 0.04
"""Difference of ink from paper, and share of pixels."""
_LEAST_SIZE, _TINY, _THIN, _SHORT = 2.0, 9.0, 4, 2
"""Pixels of letters that tell anything, or little; that difference of these; letters of a short
word.
"""
_WORD = re.compile(r"[^\W_]+")
_BESIDE_TEXT = {1, 2, *range(10, 13), 14, 16, 17, 20}
"""PDFium's annotations that hide nothing: notes, links, lines, fields."""


class _Shape(NamedTuple):
    """A drawn object; text, if perhaps in the page's colour."""

    kind: int
    box: Box
    shade: int | None
    """None without paint."""
    over: bool
    """Drawn after text."""

    @property
    def stroke(self) -> Stretch:
        left, low, right, high = self.box
        return Stretch((low + high) / 2, left, right)

    @property
    def extents(self) -> tuple[float, float]:
        """The lesser, the greater."""
        left, low, right, high = self.box
        return min(right - left, high - low), max(right - left, high - low)

    @property
    def is_dot(self) -> bool:
        lesser, greater = self.extents
        return _DOT[0] <= lesser and greater <= min(_DOT[1], _ROUND * lesser)

    @property
    def is_line(self) -> bool:
        left, low, right, high = self.box
        return high - low <= _THICKEST and right - left >= _SHORTEST

    @property
    def may_hide(self) -> bool:
        paints = self.shade is not None and (self.over or self.shade <= _DARK)
        return paints and self.extents[0] > _THICKEST and not self.is_dot


class Drawings:
    def __init__(self, page: Any) -> None:
        self._page, self.rules = page, Rules(drawn_lines(page))
        shapes, picture = [*_shapes(page)], pdfium.FPDF_PAGEOBJ_IMAGE
        paths = [shape for shape in shapes if shape.kind == pdfium.FPDF_PAGEOBJ_PATH]
        self._dots = sorted(shape.stroke for shape in paths if shape.is_dot)
        self._strokes = [shape.stroke for shape in paths if shape.is_line and not shape.is_dot]
        self._covers: list[Box] = [shape.box for shape in shapes if shape.may_hide]
        filled = (shape for shape in paths if shape.shade is not None)
        self.shades = [shape.box for shape in filled if shape.extents[0] > _THICKEST]
        half = page.get_width() * page.get_height() / 2
        pictures = (one.extents for one in shapes if one.kind == picture)
        self._is_scan = any(lesser * greater > half for lesser, greater in pictures)
        for note, kind in shown_notes(page):
            self._strokes += _strikes(note) if kind == pdfium.FPDF_ANNOT_STRIKEOUT else ()
            self._covers += [] if kind in _BESIDE_TEXT else [box_of(note)]
        self._strokes.sort()
        self.hid = False
        """Words were found that are not seen."""

    @cached_property
    def _drawn(self) -> Any:
        scale = (_PIXELS / max(1e-6, self._page.get_width() * self._page.get_height())) ** 0.5
        drawn = self._page.render(scale=scale, grayscale=True)
        return grey(drawn), drawn.get_posconv(self._page).to_bitmap, scale

    def has_bullet(self, left: float, height: float, size: float) -> bool:
        near = _between(self._dots, height, height + _RAISED * size)
        return any(0 <= left - dot.end <= _BESIDE * size for dot in near)

    def left_out(self, letters: Letters, line: str, first: int, size: float) -> dict[int, str]:
        """Positions of struck-out or unseen letters in a line that begins at `first`, each with
        what is seen: `BAR` or ""."""
        struck = self._struck(letters, line, first, size) if letters.is_level else set()
        hidden = self._hidden(letters, line, first, size) if self._covers else {}
        self.hid |= bool(hidden)
        return dict.fromkeys(struck, "") | hidden

    def _struck(self, letters: Letters, line: str, first: int, size: float) -> set[int]:
        feet, ends, struck = letters.height(first), list[tuple[float, float]](), set[int]()
        for stroke in _between(self._strokes, feet + _LOWEST * size, feet + _HIGHEST * size):
            ends = ends or [letters.ends(first + at) for at in range(len(line))]
            under = [at for at, x in enumerate(ends) if stroke.start < sum(x) / 2 < stroke.end]
            if not under:
                continue
            space = _SPACE * size if under[-1] == len(line) - 1 else 0.0
            before, after = ends[under[0]][0] - stroke.start, stroke.end - ends[under[-1]][1]
            if max(abs(before), -after, after - space) <= _OFF * size:
                struck.update(at for at in under if not line[at].isspace())
        return struck

    def _hidden(self, letters: Letters, line: str, first: int, size: float) -> dict[int, str]:
        left, right, feet = _place(letters, first, first + len(line) - 1)
        left, low, right, high = letters.box(left, right, feet, feet + size / 2)
        if not any(a < right and left < c and b < high and low < d for a, b, c, d in self._covers):
            return {}
        words = [word.span() for word in _WORD.finditer(line)]
        seen = ((word, self._seen_over(letters, first, size, *word)) for word in words)
        hidden = {word: shown for word, shown in seen if shown is not None}
        if len(hidden) == len(words) > 0:
            return dict.fromkeys(range(len(line)), max(hidden.values()))
        return {at: shown for word, shown in hidden.items() for at in range(*word)}

    def _seen_over(
        self, letters: Letters, first: int, size: float, start: int, end: int
    ) -> str | None:
        """What is seen in place of a word, None for itself."""
        left, right, feet = _place(letters, first + start, first + end - 1)
        # A short word may be one stroke, which fills its box.
        inset = _INSET * size if end - start > _SHORT else -_INSET * size
        heights = feet + _BAND[0] * size, feet + _BAND[1] * size
        shades = self._shades(letters.box(left + inset, right - inset, *heights), size)
        if shades is None:
            return None
        shade, darkest = shades
        laid_under = self._is_scan and shade > _DARK  # by OCR, perhaps beside
        if laid_under and letters.is_unpainted(first + start):
            return None
        return BAR if darkest < _PAPER else ""

    def _shades(self, box: Box, size: float) -> tuple[int, int] | None:
        """A part's commonest and darkest shade; None if inked, too small or outside."""
        pixels, place, scale = self._drawn
        corners = place(box[0], box[1]), place(box[2], box[3])
        (left, right), (high, low) = (sorted(ends) for ends in zip(*corners, strict=True))
        part = pixels[max(0, high) : low + 1, max(0, left) : right + 1]
        if part.size < 4 or size * scale < _LEAST_SIZE:
            return None
        darkest, lightest = int(part.min()), int(part.max())
        dark = np.count_nonzero(part <= (darkest + lightest) // 2) / part.size
        tiny = size * scale < _TINY
        contrast = lightest - darkest > (_THIN if tiny else _INK)
        if contrast and _LEAST_INK < dark < 1 - _LEAST_INK:
            return None
        return (darkest if dark > 0.5 else lightest), darkest


def grey(drawn: Any) -> Pixels:
    """A byte per pixel."""
    pixels: Pixels = drawn.to_numpy()
    return pixels.reshape(*pixels.shape[:2], -1)[:, :, 0].copy()


def shown_notes(page: Any) -> Iterator[tuple[Any, int]]:
    """Annotations with kinds; each is closed before the next."""
    hidden = pdfium.FPDF_ANNOT_FLAG_HIDDEN | pdfium.FPDF_ANNOT_FLAG_NOVIEW
    for at in range(pdfium.FPDFPage_GetAnnotCount(page.raw)):
        note = pdfium.FPDFPage_GetAnnot(page.raw, at)
        if not pdfium.FPDFAnnot_GetFlags(note) & hidden:
            yield note, pdfium.FPDFAnnot_GetSubtype(note)
        pdfium.FPDFPage_CloseAnnot(note)


def box_of(note: Any) -> Box:
    box = pdfium.FS_RECTF()
    pdfium.FPDFAnnot_GetRect(note, byref(box))
    return box.left, box.bottom, box.right, box.top


def _strikes(note: Any) -> Iterator[Stretch]:
    ends = pdfium.FS_QUADPOINTSF()
    for at in range(pdfium.FPDFAnnot_CountAttachmentPoints(note)):
        if pdfium.FPDFAnnot_GetAttachmentPoints(note, at, byref(ends)):
            across = ends.x1, ends.x2, ends.x3, ends.x4
            height = (ends.y1 + ends.y2 + ends.y3 + ends.y4) / 4
            yield Stretch(height, min(across), max(across))


def _shapes(page: Any) -> Iterator[_Shape]:
    ends, over = [c_float() for _ in range(4)], False
    for at in range(min(pdfium.FPDFPage_CountObjects(page.raw), MOST_OBJECTS)):
        drawn = pdfium.FPDFPage_GetObject(page.raw, at)
        kind = pdfium.FPDFPageObj_GetType(drawn)
        is_text = kind == pdfium.FPDF_PAGEOBJ_TEXT
        if not is_text or _is_faint(drawn):
            pdfium.FPDFPageObj_GetBounds(drawn, *map(byref, ends))
            left, low, right, high = (end.value for end in ends)
            shade = 0 if is_text else _shade_of(drawn, kind)
            yield _Shape(kind, (left, low, right, high), shade, over or is_text)
        over = over or is_text


def _shade_of(drawn: Any, kind: int) -> int | None:
    if kind != pdfium.FPDF_PAGEOBJ_PATH:
        return _LIGHT
    fills, lines = c_int(), c_int()
    pdfium.FPDFPath_GetDrawMode(drawn, byref(fills), byref(lines))
    if not fills.value:
        return None
    *colours, paint = _paint(drawn)
    return max(colours) if paint >= _PAINT else None


def _is_faint(text: Any) -> bool:
    *colours, paint = _paint(text)
    unpainted = pdfium.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium.FPDF_TEXTRENDERMODE_CLIP
    mode = pdfium.FPDFTextObj_GetTextRenderMode(text)
    return min(colours) >= _LIGHT or paint < _PAINT or mode in unpainted


def _paint(drawn: Any) -> list[int]:
    """Red, green, blue, opacity."""
    parts = [c_uint(0), c_uint(0), c_uint(0), c_uint(255)]
    pdfium.FPDFPageObj_GetFillColor(drawn, *map(byref, parts))
    return [part.value for part in parts]


def _between(strokes: Sequence[Stretch], low: float, high: float) -> Sequence[Stretch]:
    first, last = (bisect(strokes, end, key=lambda stroke: stroke.at) for end in (low, high))
    return strokes[first:last]


def _place(letters: Letters, first: int, last: int) -> tuple[float, float, float]:
    """Left, right and feet."""
    ends = (*letters.ends(first), *letters.ends(last))
    return min(ends), max(ends), letters.height(first)
