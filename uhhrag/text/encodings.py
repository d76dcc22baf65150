"""Decodes bytes by the rule of browsers (https://encoding.spec.whatwg.org), and beyond it: UTF-16
by zero bytes, Mac Roman by apostrophes, Mac Roman and DOS cp850 by letters within words, doubly
encoded UTF-8."""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial

_BOMS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_MEANT = {
    **dict.fromkeys(("ascii", "iso8859-1", "cp1252"), "cp1252"),
    **dict.fromkeys(("iso8859-9", "cp1254"), "cp1254"),
    **dict.fromkeys(("tis-620", "iso8859-11", "cp874"), "cp874"),
    **dict.fromkeys(("gb2312", "gbk", "gb18030"), "gb18030"),
    **dict.fromkeys(("shift_jis", "cp932"), "cp932"),
    **dict.fromkeys(("euc_kr", "cp949"), "cp949"),
    **dict.fromkeys(("big5", "big5hkscs", "cp950"), "big5hkscs"),
    **{name: name for name in ("utf-8", "utf-16-le", "utf-16-be", "cp866", "koi8-r", "koi8-u")},
    **{name: name for name in ("mac-roman", "mac-cyrillic", "euc_jp", "iso2022_jp")},
    **{f"iso8859-{n}": f"iso8859-{n}" for n in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
    **{f"cp{n}": f"cp{n}" for n in (1250, 1251, 1253, 1255, 1256, 1257, 1258)},
    **{f"cp{n}": f"cp{n}" for n in (437, 737, 775, 850, 852, 855, 857, 858, 860, 862, 863, 865)},
    "utf-16": "utf-16-le",
}
"""Declared names as browsers read them; DOS pages."""
_GUESSED = 2**18
"""Bytes read to guess."""
_LOST = "\udcff"
"""No encoding has it."""
_WORD = re.compile(r"[^\W\d_]+")
_EURO, _OF_CP1252 = re.compile(rb"\d\s?\xa4|\xa4\s?\d"), re.compile(rb"[\x80-\x9f]")
"""The euro of ISO 8859-15 at a figure; bytes that ISO 8859-15 lacks."""
_LATIN, _AFTER_FIGURE = re.compile(rb"[A-Za-z]"), re.compile(rb"(?<=\d)\xa0\x80?")
"""Letters; the no-break space of a figure, perhaps with a euro."""
_STOPS = re.compile(rb"0[\x01\x02]|[\x01\x02]0")
"""East Asian UTF-16, impossible in single-byte text."""
_EAST_ASIAN = re.compile(r"[\u2010-\u2026\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff00-\uffef]")
_MAC = re.compile(rb"[a-z]\xd5[a-z]")
_WITHIN = re.compile(rb"(?<=[A-Za-z])[\x80-\xff](?=[a-z])")
_SMALL = frozenset("àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿßœšž")
_JOINING = frozenset("’“–—…·\xa0\xad")
_OPENED = re.compile(rb"(?:^|[\s(])\x93[A-Za-z]")
_OLD = ("cp850", "mac-roman")
_FEWEST_ODD, _FEWEST_GOOD = 2, 20
"""Fewest odd characters within words; fewest small letters per odd one."""
_AFTER = "[\\u0080-\\u00bf‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ€]"
_TWICE = re.compile(f"[ÂÃ]{_AFTER}|â{_AFTER}{{2}}")
_LEAST_TWICE = 2
"""Fewest places of UTF-8 read as cp1252."""
_PAGE = {bytes([n]).decode("cp1252", "replace"): n for n in range(0x80, 0x100)}
_FEWEST_LETTERS, _FEWEST_FOREIGN, _FOREIGN_SHARE = 4, 3, 0.01


@dataclass(frozen=True, slots=True)
class Decoded:
    text: str
    encoding: str
    lost: int = 0
    """Invalid bytes, each U+FFFD in the text."""
    unsure: bool = False
    """Its words have characters within that are no letters."""

    @property
    def fault(self) -> str:
        """
        >>> Decoded("5�", "utf-8", 1).fault
        '1 byte is no character in utf-8 and stands as \ufffd; save it as UTF-8'
        """
        if self.unsure:
            return f"is in an encoding other than {self.encoding}, it seems; save it as UTF-8"
        if not self.lost:
            return ""
        some = "1 byte is" if self.lost == 1 else f"{self.lost:,} bytes are"
        stand = "stands" if self.lost == 1 else "stand"
        return f"{some} no character in {self.encoding} and {stand} as \ufffd; save it as UTF-8"


def decode(raw: bytes, declared: str = "") -> Decoded:
    r"""
    >>> decode(b"It costs \xa35.").text, decode(b"\x80450", "iso-8859-1").text
    ('It costs £5.', '€450')
    >>> decode("Мост построен.".encode("cp1251")).encoding
    'cp1251'
    """
    for mark, encoding in _BOMS.items():
        if raw.startswith(mark):
            return _decoded(raw[len(mark) :], encoding)
    if half := _of_two_bytes(raw[:_GUESSED]):
        return _decoded(raw, half)
    text, named = _decoded(raw, "utf-8"), _meant(declared)
    if not text.lost and not (named == "iso2022_jp" and "\x1b" in text.text):
        twice = len(_TWICE.findall(text.text)) >= _LEAST_TWICE
        return replace(text, text=_TWICE.sub(_once, text.text)) if twice else text
    valid = sum(not c.isascii() for c in text.text) - text.lost
    if named and (named != "utf-8" or valid or text.lost < _FEWEST_ODD):
        return _decoded(raw, named)
    if text.lost < valid:  # UTF-8 with some bytes lost
        return text
    guessed = _AFTER_FIGURE.sub(b" ", raw[:_GUESSED])
    if encoding := _certain(guessed) or ("mac-roman" if _MAC.search(raw) else ""):
        return _decoded(raw, encoding)
    fitting = _by_letters(raw[:_GUESSED])
    sure = len(fitting) == 1
    if fitting == ["cp1252"] and _EURO.search(raw) and not _OF_CP1252.search(raw):
        fitting = ["iso8859-15"]
    return replace(_decoded(raw, fitting[0] if sure else "cp1252"), unsure=not sure)


def _by_letters(raw: bytes) -> list[str]:
    within = b"".join(_WITHIN.findall(raw))
    if _OPENED.search(raw):  # a quotation, which may end before a letter by mistake
        within = within.translate(None, b"\x91\x94")
    _, others = _counted(within, "cp1252")
    if others < _FEWEST_ODD or 2 * others <= len(within):
        return ["cp1252"]
    counts = {encoding: _counted(within, encoding) for encoding in _OLD}
    return [name for name, (good, bad) in counts.items() if good > _FEWEST_GOOD * bad]


def _counted(within: bytes, encoding: str) -> tuple[int, int]:
    text = within.decode(encoding, "replace")
    small = sum(c in _SMALL for c in text)
    return small, len(text) - small - sum(c in _JOINING for c in text)


def _of_two_bytes(raw: bytes) -> str:
    """The UTF-16 codec, by zero bytes, signs of one other alphabet or East Asian ones; else ""."""
    zeros = raw[::2].count(0), raw[1::2].count(0)
    most = max(zeros)
    upper = Counter(raw[zeros.index(most) :: 2])
    alike = sum(count for byte, count in upper.most_common(2) if byte < 0x20)
    if 20 * min(zeros) <= most > 0 and (4 * most > len(raw) or 20 * alike >= 19 * upper.total()):
        return "utf-16-be" if zeros[0] == most else "utf-16-le"
    if not _STOPS.search(raw) and (not most or 5 * len(_LATIN.findall(raw)) > 2 * len(raw)):
        return ""
    return next(filter(partial(_is_east_asian, raw), ("utf-16-le", "utf-16-be")), "")


def _is_east_asian(raw: bytes, encoding: str) -> bool:
    """
    >>> _is_east_asian("渡轮于2019年出售。".encode("utf-16-le"), "utf-16-be")
    False
    """
    text = raw.decode(encoding, "replace")
    signs = len(_EAST_ASIAN.findall(text))
    return 4 * signs > len(text) and 20 * (signs + sum(map(str.isascii, text))) > 19 * len(text)


def _once(match: re.Match[str]) -> str:
    try:
        return bytes(_PAGE.get(c, ord(c) & 0xFF) for c in match[0]).decode()
    except UnicodeDecodeError:
        return match[0]


def _meant(declared: str) -> str:
    """
    >>> _meant("Latin1"), _meant("x-sjis"), _meant("utf-7"), _meant("hex"), _meant("no\\0")
    ('cp1252', 'cp932', '', '', '')
    """
    name = declared.strip().lower().removeprefix("x-").removesuffix("-i")  # "iso-8859-8-i"
    name = re.sub(r"^windows-(?=\d+$)", "cp", name)
    try:
        return _MEANT.get(codecs.lookup(name).name, "") if name else ""
    except (LookupError, ValueError):
        return ""


def _decoded(raw: bytes, encoding: str) -> Decoded:
    text = raw.decode(encoding, "uhhrag.lost")
    lost = text.count(_LOST)
    return Decoded(text.replace(_LOST, "\ufffd") if lost else text, encoding, lost)


def _mark_lost(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return _LOST * (error.end - error.start), error.end


codecs.register_error("uhhrag.lost", _mark_lost)


def _certain(raw: bytes) -> str:
    """An encoding other than cp1252, or "" if uncertain."""
    from chardetng_py import EncodingDetector

    detector = EncodingDetector()
    detector.feed(raw, last=True)
    encoding = _meant(detector.guess(tld=None, allow_utf8=False))
    if encoding in ("", "cp1252"):
        return ""
    text, usual = _decoded(raw, encoding).text, _decoded(raw, "cp1252").text
    words = _WORD.findall(text)
    whole = sum(len(word) for word in words if len(word) > 1 and all(map(_is_foreign, word)))
    mixed = sum(1 for word in words if 0 < sum(map(_is_foreign, word)) < len(word))
    if whole >= max(_FEWEST_LETTERS, mixed + 1):
        return encoding
    usual_letters = set(usual)
    other = [c for word in words if len(word) > 1 for c in word if c not in usual_letters]
    letters = sum(map(len, words))
    enough = len(other) >= max(_FEWEST_FOREIGN, _FOREIGN_SHARE * letters) and len(set(other)) > 1
    return encoding if enough and not mixed and not whole else ""


def _is_foreign(letter: str) -> bool:
    return letter > "\u02ff" and not unicodedata.name(letter, "").startswith(("LATIN", "FULLWIDTH"))
