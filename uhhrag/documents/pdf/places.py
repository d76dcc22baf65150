"""Letters by PDFium's positions: places, sizes, weights."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable
from ctypes import addressof, byref, c_double, c_int, c_ushort, create_string_buffer
from itertools import pairwise
from math import atan2, degrees
from statistics import median
from typing import Any

import pypdfium2.raw as pdfium

WIDE = 0.95
"""Gap that parts segments, in ems; words are mostly nearer."""
_NARROW = 0.3
"""The same without a space on a page that writes spaces."""
FILLER = "\u2060"
"""For a position without a letter, as the second half beyond U+FFFF; `clean` removes it."""
_SYMBOLS = {
    **dict.fromkeys((0xF0B7, 0xF0A7, 0xF0A8, 0xF0D8, 0xF06E, 0xF06F, 0xF071, 0xF076), "•"),
    **dict(zip((0xF02D, 0xF0E0, 0xF0FB, 0xF0FC, 0xF0FE, 0xF078), "-→✗✓☒☒", strict=True)),
    0x2217: "*",  # of LaTeX, as a mark
}
"""Codes, most of Word for Symbol and Wingdings, and what they show."""
_T1 = {
    **dict(zip(range(0x10, 0x17), "“”„«»–—", strict=True)),
    **dict(zip(range(0x1B, 0x20), "ﬀﬁﬂﬃﬄ", strict=True)),
    **dict(zip(range(0x80, 0xA0), "ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§", strict=True)),
    **dict(zip(range(0xA0, 0xC0), "ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£", strict=True)),
    **dict(zip((0x27, 0x60, 0xD7, 0xF7, 0xFF), "’‘Œœß", strict=True)),
}
"""LaTeX's codes in bitmap fonts, which say of no code which letter it is."""
_OT1 = dict(
    zip(
        (*range(0x0B, 0x20), *b"\"'<>\\`{|^_}~\x7f"),
        "ﬀﬁﬂﬃﬄiȷ\u0300\u0301\u030c\u0306\u0304\u030a\u0327ßæœøÆŒØ”’¡¿“‘–—\u0302\u0307\u030b\u0303\u0308",
        strict=True,
    )
)
"""The same of older fonts, which draw accents before their letters."""
_ODD = re.compile(rf"[{re.escape(''.join(map(chr, (*_T1, *_OT1))))}](?!\n)")
_LINE_END = re.compile(r"(?<=\S)\r\n(?=[^\r\n])")
_BESIDE, _SPACE, _OFF = 0.3, 0.2, 0.7
"""Gap beside raised or lowered letters, least one that is a space, and their offset, in ems."""
_SMALL = 0.5
"""Least size of raised letters over the others'."""
_SPACED, _OF_WORDS = 4, 1.4
"""Letters set apart, at least; gaps of words over theirs."""
Box = tuple[float, float, float, float]
"""Left, low, right, high, in points."""
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_ODD_WIDTH = 0.05
"""Difference of widths over the greatest."""
_LEAST_HEIGHT = 3.0
"""Of letters, in points."""
_BOLD = re.compile(rb"bold|black|heavy|CMBX", re.IGNORECASE)
_BOLD_WEIGHT = 600
MOST_WITHOUT = 0.1
"""Greatest share of characters that are no letters, figures or signs."""
COMMON, _LEAST_SAID, _SAMPLED = "aeinorstAEINORST", 0.35, 16
"""Letters, their share where a font does not say which, and distance of letters asked first."""


def text_of(page: Any) -> tuple[Any, str]:
    """Text page and `placed_text`. If PDFium takes short lines or distant columns for upright
    writing and parts all letters, an unseen bar as wide as the page corrects it."""
    found = page.get_textpage()
    text = placed_text(found)
    lines = [line for line in text.split("\n") if line.strip()]
    if 2 * sum(len(line.strip()) == 1 for line in lines) <= len(lines):
        return found, text
    bar = pdfium.FPDFPageObj_NewTextObj(page.pdf.raw, b"Helvetica", 1.0)
    pdfium.FPDFText_SetText(bar, (c_ushort * 2)(ord("H")))
    pdfium.FPDFTextObj_SetTextRenderMode(bar, pdfium.FPDF_TEXTRENDERMODE_INVISIBLE)
    pdfium.FPDFPageObj_Transform(bar, 2 * page.get_width(), 0, 0, 3, 0, 0)
    pdfium.FPDFPage_InsertObject(page.raw, bar)
    level = page.get_textpage()
    told = placed_text(level)
    fewer = told.endswith("\nH") and 2 * told.count("\n") < text.count("\n")
    return (level, told[:-1].rstrip()) if fewer else (found, text)


def placed_text(text_page: Any) -> str:
    """A character per position."""
    text, count = str(text_page.get_text_range()), text_page.count_chars()
    if len(text) != count:
        codes = (pdfium.FPDFText_GetUnicode(text_page.raw, at) for at in range(count))
        text = _PAIR.sub(_one_letter, "".join(chr(code) if code else FILLER for code in codes))
    return _without_unsaid(text_page.raw, _with_latex_letters(text_page.raw, text))


def _with_latex_letters(page: Any, text: str) -> str:
    """Bitmap fonts do not tell their letters: those with letters use LaTeX's codes, those of signs
    Latin 1 and their own code for the euro."""
    odd = [found.start() for found in _ODD.finditer(text)]
    if not any(_is_unsaid(page, at) for at in odd):
        return text
    fonts = [_font(page, at) for at in range(len(text))]
    runs = zip(fonts, text, text[1:], text[2:], strict=False)
    words = {font for font, *run in runs if all(map(str.isalpha, run))} - {0}
    old = {fonts[at] for at in odd if text[at] in "\x0b\x0c\r\x0e\x0f"} & words  # ligatures
    letters = [*text]
    for at in odd:
        if fonts[at] in old:
            letters[at] = _OT1.get(ord(text[at]), text[at])
        elif fonts[at] in words:
            letters[at] = _T1.get(ord(text[at]), text[at])
        elif fonts[at] and text[at] == "¿":
            letters[at] = "€"
    for at in range(len(letters) - 1) if old else ():
        whole = unicodedata.normalize("NFC", letters[at + 1] + letters[at])
        if len(whole) == 1:
            letters[at : at + 2] = whole, FILLER
    return "".join(letters)


def _without_unsaid(page: Any, text: str) -> str:
    """Drops letters of a font that does not tell which they are, if many are uncommon."""
    unsaid = [at for at in range(0, len(text), _SAMPLED) if _is_unsaid(page, at)]
    odd = [at for at in range(len(text)) if _is_unsaid(page, at)] if unsaid else []
    odd = [at for at in odd if not text[at].isspace()]
    common = sum(text[at] in COMMON for at in odd)
    if len(odd) <= MOST_WITHOUT * len(text) or common > _LEAST_SAID * len(odd):
        return text.translate(_SYMBOLS)
    gone = set(odd)
    return "".join("\N{REPLACEMENT CHARACTER}" if n in gone else c for n, c in enumerate(text))


def _is_unsaid(page: Any, at: int) -> bool:
    return bool(pdfium.FPDFText_HasUnicodeMapError(page, at) == 1)


def _font(page: Any, at: int) -> int:
    """Of a bitmap letter that its font does not tell; else 0."""
    if not _is_unsaid(page, at):
        return 0
    font = pdfium.FPDFTextObj_GetFont(pdfium.FPDFText_GetTextObject(page, at))
    bitmap = font and pdfium.FPDFFont_GetBaseFontName(font, None, 0) <= 1
    return addressof(font.contents) if bitmap else 0


def _one_letter(pair: re.Match[str]) -> str:
    return pair[0].encode("utf-16", "surrogatepass").decode("utf-16") + FILLER


class Letters:
    """Left is where a line begins, even if written upwards."""

    def __init__(self, text_page: Any, text: str) -> None:
        self._page = text_page.raw
        self._box, self._matrix = pdfium.FS_RECTF(), pdfium.FS_MATRIX()
        self._across, self._up = 1.0, 0.0
        self.is_level = True
        """The line runs from left to right."""
        self._seen = text_page.page.get_bbox()
        spaces = [at for at, letter in enumerate(text) if letter == " "]
        self._added = [at for at in spaces if pdfium.FPDFText_IsGenerated(self._page, at) == 1]
        self._writes_spaces = 2 * len(self._added) < len(spaces)
        self.added = set(self._added)
        """Spaces that the file does not write, by position."""

    def added_within(self, start: int, end: int) -> list[int]:
        return self._added[bisect_left(self._added, start) : bisect_left(self._added, end)]

    def least_gap(self, at: int) -> float:
        """Between segments, in ems."""
        return _NARROW if self._writes_spaces and at in self.added else WIDE

    def are_as_wide(self, places: Iterable[int]) -> bool:
        """Whether all have one width, as typewritten."""
        widths = [right - left for left, right in map(self.ends, places)]
        return max(widths) - min(widths) < _ODD_WIDTH * max(widths)

    def is_drawn_apart(self, before: int, after: int) -> bool:
        """Whether letters are of two runs, not single letters."""
        last, begun = self._run(before), self._run(after)
        whole = last == self._run(before - 1) or begun == self._run(after + 1)
        return last != begun and whole

    def _run(self, at: int) -> int:
        text = pdfium.FPDFText_GetTextObject(self._page, at)
        return addressof(text.contents) if text else -at

    @property
    def angle(self) -> int:
        """The line's, in degrees."""
        return round(degrees(atan2(self._up, self._across)))

    def turn_to(self, at: int) -> float:
        """Takes a letter's direction as its line's; returns its size in points."""
        size, matrix = self.size(at), self._matrix
        length = (matrix.a**2 + matrix.b**2) ** 0.5 or 1.0
        self._across, self._up = matrix.a / length, matrix.b / length
        self.is_level = not self._up and self._across > 0
        return size

    def height(self, at: int) -> float:
        x, y = c_double(), c_double()
        pdfium.FPDFText_GetCharOrigin(self._page, at, byref(x), byref(y))
        return self._across * y.value - self._up * x.value

    def lift(self, at: int) -> float:
        """Of a letter's ink above its feet, in a level line."""
        left, right, low, high = (c_double() for _ in range(4))
        pdfium.FPDFText_GetCharBox(self._page, at, *map(byref, (left, right, low, high)))
        return low.value - self.height(at) if self.is_level else 0.0

    def size(self, at: int) -> float:
        matrix = self._matrix
        if not pdfium.FPDFText_GetMatrix(self._page, at, matrix):
            return 0.0
        scale = abs(matrix.a * matrix.d - matrix.b * matrix.c) ** 0.5
        return float(scale * pdfium.FPDFText_GetFontSize(self._page, at))

    def is_resized(self, at: int) -> bool:
        """Whether font size differs from the letter before."""
        size = pdfium.FPDFText_GetFontSize
        return bool(size(self._page, at) != size(self._page, at - 1))

    def is_bold(self, at: int) -> bool:
        name, flags = create_string_buffer(128), c_int()
        pdfium.FPDFText_GetFontInfo(self._page, at, name, len(name), byref(flags))
        weight = pdfium.FPDFText_GetFontWeight(self._page, at)
        return bool(_BOLD.search(name.value)) or weight >= _BOLD_WEIGHT

    def ends(self, at: int) -> tuple[float, float]:
        """Left and right, with white space."""
        box = self._box
        pdfium.FPDFText_GetLooseCharBox(self._page, at, box)
        if self.is_level:
            return box.left, box.right
        places = [
            self._across * x + self._up * y
            for x in (box.left, box.right)
            for y in (box.bottom, box.top)
        ]
        return min(places), max(places)

    def box(self, left: float, right: float, low: float, high: float) -> Box:
        """Page area between a line's ends and heights."""
        corners = [(end, height) for end in (left, right) for height in (low, high)]
        xs = [self._across * end - self._up * height for end, height in corners]
        ys = [self._up * end + self._across * height for end, height in corners]
        return min(xs), min(ys), max(xs), max(ys)

    def are_seen(self, left: float, right: float, height: float) -> bool:
        box, seen = self.box(left, right, height, height), self._seen
        level = box[1] < seen[3] and box[3] + _LEAST_HEIGHT > seen[1]
        return bool(box[0] < seen[2] and box[2] > seen[0] and level)

    def is_unpainted(self, at: int) -> bool:
        """Whether it is not drawn, as below scans."""
        text = pdfium.FPDFText_GetTextObject(self._page, at)
        mode = pdfium.FPDFTextObj_GetTextRenderMode(text)
        return bool(mode == pdfium.FPDF_TEXTRENDERMODE_INVISIBLE)


def unspaced(letters: Letters, line: str, first: int) -> str:
    parts = line.split(" ")
    added = all(first + 2 * at + 1 in letters.added for at in range(len(parts) - 1))
    if sum(map(str.isalpha, parts)) < _SPACED or len(max(parts, key=len)) > 1 or not added:
        return line
    ends = [letters.ends(first + 2 * at) for at in range(len(parts))]
    gaps = [after[0] - before[1] for before, after in pairwise(ends)]
    least = _OF_WORDS * median(gaps)
    return parts[0] + "".join(
        (" " if gap > least else "") + part for gap, part in zip(gaps, parts[1:], strict=True)
    )


def with_small_letters(letters: Letters, text: str) -> str:
    """Replaces line ends before raised or lowered letters by `FILLER`."""
    return _LINE_END.sub(lambda end: _line_end(letters, end), text)


def _line_end(letters: Letters, end: re.Match[str]) -> str:
    before, after = end.start() - 1, end.end()
    small, large = sorted((letters.turn_to(before), letters.size(after)))
    if small < _SMALL * large:
        return end[0]
    gap = letters.ends(after)[0] - letters.ends(before)[1]
    off = abs(letters.height(after) - letters.height(before))
    beside = abs(gap) <= _BESIDE * large and 0 < off <= _OFF * large
    return f"{' ' if gap > _SPACE * large else FILLER}{FILLER}" if beside else end[0]
