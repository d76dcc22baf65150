"""Encodings of RTF by font and header; signs of symbol fonts."""

from __future__ import annotations

import codecs

SYMBOLS = "symbols"
CHARSETS = {
    2: SYMBOLS,
    77: "mac_roman",
    128: "cp932",
    129: "cp949",
    130: "johab",
    134: "gbk",
    136: "cp950",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
    254: "cp437",
    255: "cp850",
}
"""By a font's character set; others have the file's."""
_SIGNS = {
    **dict(zip(range(0xA2, 0xA6), "′≤⁄∞", strict=True)),
    **dict(zip(range(0xAC, 0xB0), "←↑→↓", strict=True)),
    **dict(zip(range(0xB0, 0xBD), "°±″≥×∝∂•÷≠≡≈…", strict=True)),
    **dict(zip(b"abgdelmpstwDSW", "αβγδελμπστωΔΣΩ", strict=True)),
    **dict(zip(b"-%<=>+", "−%<=>+", strict=True)),
    **dict(zip(range(0xFB, 0xFF), "✗✓☒☒", strict=True)),
    0xA8: "☐",
}
_TICKS = {
    "symbol": {},
    "wingdings": {"o": "☐", "x": "☒"},
    "wingdings 2": {"P": "✓", "O": "✗", "Q": "☒", "R": "☒", "£": "☐"},
    "webdings": {"a": "✓", "r": "✗", "c": "☐"},
}
"""By font, letters that show other signs than in a symbol font."""
_DIGITS = b"0123456789 ()[].,/"
_PAGES = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850"}


def symbol(code: int) -> str:
    """The sign, a bullet for boxes and unknown codes."""
    return _SIGNS.get(code, chr(code) if code in _DIGITS else "•")


def in_font(text: str, font: str) -> str:
    """What a text shows in a font.

    >>> in_font("ü", "Wingdings"), in_font("P", "Wingdings 2"), in_font("P", "Arial")
    ('✓', '✓', 'P')
    """
    ticks = _TICKS.get(font.casefold())
    if ticks is None:
        return text
    return "".join(ticks.get(letter) or symbol(ord(letter) & 0xFF) for letter in text)


def codec_of_page(word: str, number: int | None) -> str:
    """The encoding in a header, "" if unknown."""
    if word in _PAGES:
        return _PAGES[word]
    name = {10000: "mac_roman", 65001: "utf-8"}.get(number or 0, f"cp{number}")
    try:
        return codecs.lookup(name).name
    except LookupError:
        return ""
