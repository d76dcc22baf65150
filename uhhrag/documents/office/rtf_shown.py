"""What RTF shows: form boxes and choices, nothing white on white or one point high."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

_TABLE = re.compile(rb"{\\colortbl\b([^{}]*)}")
_WHITE = (255, 255, 255)
_SHADES = {b"cb", b"chcbpat", b"highlight", b"cbpat", b"clcbpat"}
"""Words that colour what is behind letters, a paragraph or a cell."""
_ENDS = {b"pard": {b"cbpat"}, b"trowd": {b"clcbpat"}, b"plain": {b"cb", b"chcbpat", b"highlight"}}
COLOURING = {b"cf", b"fs", b"shp", *_SHADES, *_ENDS}
_HIGHEST = 2
"""Half points."""
_KIND = re.compile(rb"[\s{}]*FORM(CHECKBOX|DROPDOWN)")
_NUMBER = re.compile(rb"\\ff(def)?res(\d{1,3})")
_ENTRY = re.compile(rb"{\\\*\\ffl ?((?:[^{}\\]|\\'[0-9a-fA-F]{2})*)}")
_CODE = re.compile(rb"\\'([0-9a-fA-F]{2})")
_UNSET, _MAX_INSTRUCTION_BYTES = 25, 8_000
"""Of a result; bytes of a field's instruction."""


def whites(raw: bytes) -> frozenset[int]:
    """White's numbers in the colour table."""
    table = _TABLE.search(raw)
    colours = table[1].split(b";") if table else []
    parts = [tuple(map(int, re.findall(rb"\\(?:red|green|blue)(\d{1,3})", one))) for one in colours]
    return frozenset(at for at, colour in enumerate(parts) if colour == _WHITE)


@dataclass(frozen=True, slots=True)
class Colours:
    white: bool = False
    tiny: bool = False
    shades: frozenset[bytes] = frozenset()
    """Words that have made what is behind dark; "shp": in a shape."""

    @property
    def unseen(self) -> bool:
        return self.tiny or (self.white and not self.shades)

    def after(self, word: bytes, number: int, whites: frozenset[int]) -> Colours:
        if word == b"cf":
            return replace(self, white=number in whites)
        if word == b"fs":
            return replace(self, tiny=0 < number <= _HIGHEST)
        if word in _ENDS:
            left = replace(self, shades=self.shades - _ENDS[word])
            return replace(left, white=False, tiny=False) if word == b"plain" else left
        if word == b"shp" or (word in _SHADES and number and number not in whites):
            return replace(self, shades=self.shades | {word})
        return replace(self, shades=self.shades - {word}) if word in _ENDS[b"plain"] else self


SEEN = Colours()


def form_value(raw: bytes, at: int, codec: str) -> str:
    """Sign or entry of the field whose instruction begins at `at`, or ""."""
    end = raw.find(b"\\fldrslt", at, at + _MAX_INSTRUCTION_BYTES)
    code = raw[at : end if end > 0 else at]
    kind = _KIND.match(re.sub(rb"\\[a-z]+-?\d* ?", b"", code[:200]))
    given = {bool(of): int(number) for of, number in _NUMBER.findall(code)}
    given = {of: number for of, number in given.items() if number != _UNSET}
    number = given.get(False, given.get(True))
    if not kind or number is None:
        return ""
    if kind[1] == b"CHECKBOX":
        return "☒" if number else "☐"
    entries = _ENTRY.findall(code)[number : number + 1]
    return "".join(
        _CODE.sub(lambda c: bytes([int(c[1], 16)]), one).decode(codec, "replace") for one in entries
    )
