"""Letters as plain text: raised and lowered ones without note marks, symbol fonts; RTF
encodings."""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence

_NOTE = re.compile(
    r"[ivx]{2,7}|:\s\d[\d,–-]*|\[[^\]]{0,24}\]|\([\da-z*]{1,3}\)|[*†‡§¶#]{1,3}|\d{1,3}(?:\s?[,–;-]\s?\d{1,3})+|\d{1,3}\)"
    r"|[\da-h*†‡§¶#]{1,3}(?:,\s?[\da-h*†‡§¶#]{1,3})+"
)
_ORDINALS = {"st", "nd", "rd", "th", "er", "re", "e", "ème", "º", "ª", "de", "te", "o"}
_SIGNS = {"tm": "™", "r": "®", "(r)": "®", "c": "©", "sm": "℠"}
_UNITS = {
    *("m", "km", "cm", "mm", "dm", "µm", "μm", "nm", "ft", "in", "yd", "mi", "sec", "min", "hr"),
    *("kg", "mg", "mol", "ha", "Pa", "kPa", "mc", "cos", "sin", "tan", "log", "dB", "lm", "ms"),
    *("meter", "meters", "metre", "metres", "foot", "feet", "inch", "inches", "mile", "miles"),
}
_PRICE = re.compile(
    r"(?:[$£€¥₹]|\b(?:USD|EUR|GBP|NOK|SEK|DKK|CHF|Fr\.|kr\.?|Rs\.?))\s?\d{1,3}(?:[,.’ ]?\d{3})*$"
)
_SUM = re.compile(r"[$£€]\s?\d[\d.,]*\s?m$")  # million, not metres
_CROWNS, _CENTS = re.compile(r"\d\s?(?:kr|€|£|\$|[Ff]r)\.?$"), re.compile(r"\d[05]|99")
"""Cents behind the name of the money: "12 kr 50"."""
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d$")
_FRACTION = re.compile(r"\d{1,2}[/⁄]\d{1,2}")
_MEASURED = re.compile(r"\s?%|[ -](?!(?:is|are|was|and|or|times|as|which|when|in)\b)[a-zß-ÿ]")
"""Follows a number with a fraction, unlike a root: "4 1/2 per cent"."""
_MONEY = re.compile(r"\s?(?:[€£$]|kr\b|EUR\b|euros?\b|zł)", re.IGNORECASE)
_HOUR = re.compile(r"\bkl\.?\s?\d{1,2}$")
_CLOCK = re.compile(r"\s?(?:Uhr\b|h\b|[ap]\.?m\b|o.clock)")
_NUMBER = re.compile(r"[\d.,’']*\d$")
_WORD = re.compile(r"([^\W\d_]+)$")
_POWER = re.compile(r"[×·*x]\s?10$")
_SLASH = re.compile(r"\s?[/⁄∕]")
_ELEMENT = re.compile(
    r"(?!(?:A[mnst]|B[ey]|[DGST]o|I[fnst]|My|No|O[fnr]|U[ps]|We)\b)(?:[BCFHKNOPSU-WY]|I(?!\s)|[A-Z][a-z])\b"
)
_BASE = re.compile(r"(?<![\w.,])(?:\d{1,3}|\w)$")
_NEAR = 120
"""Characters before a mark that tell what it is."""
_CHARGE = re.compile(r"\d?[+−-]")
FORMS = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman"}
FORMS |= {"I": "upperRoman"}
"""Of numbers, by how HTML and OpenDocument name them, as Word names them."""
_LETTERS = ["m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i"]
_VALUES = (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1)
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
_SYMBOL_SIGNS = {
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
_PLAIN = b"0123456789 ()[].,/"
_PAGES = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850"}


def raised(before: str, mark: str, after: str = "", *, linked: bool = False) -> str:
    """What a raised `mark` adds to `before`; nothing for a note, such as a `linked` one."""
    mark, before = mark.strip(), before[-_NEAR:]
    if not mark or _NOTE.fullmatch(mark) or (linked and mark not in _ORDINALS):
        return ""
    if not before[-1:].strip():  # nothing, or a space: a mark of a note, or of an isotope
        number = mark.isdecimal() or (len(mark) == 1 and mark.isalpha())
        begins = after[:1].isalnum() if before else after[:1].islower()  # not "a Closed in May."
        other = _ELEMENT.match(after) if mark.isdecimal() else begins
        return "" if number and not (other or _SLASH.match(after)) else mark
    measured = before[-1].isdecimal() and not _YEAR.search(before) and _MEASURED.match(after)
    if measured and _FRACTION.fullmatch(mark):
        return f" {mark}"
    if not linked and _CENTS.fullmatch(mark) and _CROWNS.search(before):
        return f" {mark}"
    if mark.isdecimal() and before[-1].isdecimal():
        return _after_number(before, mark, after)
    if mark.lstrip("-−–+").isdecimal():
        return f"^{_signed(mark)}" if _takes_exponent(before, mark) else ""
    return _letters(before, mark, after)


def lowered(before: str, mark: str) -> str:
    mark = mark.strip()
    return f"_{mark}" if before[-1:].isdecimal() and mark[:1].isdecimal() else mark


def plain_runs(runs: Sequence[tuple[str, str]]) -> str:
    """Runs of text, each "superscript", "subscript", "struck" (left out) or ""."""
    text = ""
    for at, (run, how) in enumerate(runs):
        if how == "superscript":
            after = next((other for other, kind in runs[at + 1 :] if kind != "struck"), "")
            text += raised(text, run, after)
        elif how == "subscript":
            text += lowered(text, run)
        elif how != "struck":
            text += run
    return text


def _after_number(before: str, mark: str, after: str) -> str:
    if _SLASH.match(after):
        return f" {mark}"
    if _POWER.search(before):
        return f"^{mark}"
    if len(mark) == 2 and (_PRICE.search(before) or _MONEY.match(after)):
        return f".{mark}"
    if len(mark) == 2 and mark < "60" and (_HOUR.search(before) or _CLOCK.match(after)):
        return f":{mark}"
    number = _NUMBER.search(before)
    digits = [c for c in number[0] if c.isdecimal()] if number else []
    whole = bool(number and "." not in number[0])
    note = len(digits) > 3 or (mark == "1" and digits not in (["2"], ["1", "0"]))
    if number and not (after or any(map(str.isalnum, before[: number.start()]))):  # all of a cell
        whole, note = True, note or len(digits) > 2 or not number[0].isdecimal()
    return "" if whole and note else f"^{mark}"


def _takes_exponent(before: str, mark: str) -> bool:
    if before[-1] in ")]":
        inner = before[max(before.rfind("("), before.rfind("[")) + 1 : -1]
        return bool(re.fullmatch(r"[\w.]{1,3}|.{0,40}[+*/=^−×·-].{0,40}", inner))
    word = _WORD.search(before)
    if _SUM.search(before):
        return False
    if word is None:
        return before[-1].isdecimal()
    alone = len(word[1]) == 1 and word[1] not in "AI"
    return alone or word[1] in _UNITS or mark[0] in "-−–"


def _letters(before: str, mark: str, after: str) -> str:
    digit = before[-1].isdecimal()
    if (mark.casefold() in _SIGNS and not digit and mark.isupper()) or mark in "®©™":
        return _SIGNS.get(mark.casefold(), mark)
    if mark in ("o", "º", "°", "0") and digit and re.match(r"\s?[CFNSEW]\b", after):
        return "°"
    if mark in _ORDINALS and re.search(r"(?<![\d.,])\d{1,3}$", before):
        return mark
    if _CHARGE.fullmatch(mark) or (digit and re.search(r"[\w)][+−*/-]\w", mark)):
        return f"^{_signed(mark)}"
    if len(mark) == 1 and mark.isalpha():
        if mark in "nxykmijtp" and _BASE.search(before):
            return f"^{mark}"
        noted = mark in "abcdfivx" or (before[-3:].isalpha() and before[-3:].islower())
        return "" if digit or noted else mark
    notes = digit and 1 < len(mark) < 4 and [*mark] == sorted({*mark} & {*"abcdefgh"})
    return "" if notes else mark


def _signed(mark: str) -> str:
    return mark.replace("−", "-").replace("–", "-")


def numeral(number: int, form: str) -> str:
    """
    >>> numeral(4, ""), numeral(49, "upperRoman"), numeral(28, "lowerLetter")
    ('4', 'XLIX', 'bb')
    """
    text = f"{number:02}" if form == "decimalZero" else str(number)
    if form.endswith("Letter") and number in range(1, 1_000):
        text = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
    elif form.endswith("Roman") and number in range(1, 4_000):
        text = ""
        for letters, value in zip(_LETTERS, _VALUES, strict=True):
            text += letters * (number // value)
            number %= value
    return text.upper() if form.startswith("upper") else text


def symbol(code: int) -> str:
    """A bullet for boxes and unknown codes."""
    return _SYMBOL_SIGNS.get(code, chr(code) if code in _PLAIN else "•")


def in_font(text: str, font: str) -> str:
    """
    >>> in_font("ü", "Wingdings"), in_font("P", "Wingdings 2"), in_font("P", "Arial")
    ('✓', '✓', 'P')
    """
    ticks = _TICKS.get(font.casefold())
    if ticks is None:
        return text
    return "".join(ticks.get(letter) or symbol(ord(letter) & 0xFF) for letter in text)


def codec_of_page(word: str, number: int | None) -> str:
    """A header's encoding, "" if unknown."""
    if word in _PAGES:
        return _PAGES[word]
    name = {10000: "mac_roman", 65001: "utf-8"}.get(number or 0, f"cp{number}")
    try:
        return codecs.lookup(name).name
    except LookupError:
        return ""
