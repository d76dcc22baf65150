"""What boxes and choices of forms in RTF say."""

from __future__ import annotations

import re

_KIND = re.compile(rb"[\s{}]*FORM(CHECKBOX|DROPDOWN)")
_NUMBER = re.compile(rb"\\ff(def)?res(\d{1,3})")
_ENTRY = re.compile(rb"{\\\*\\ffl ?((?:[^{}\\]|\\'[0-9a-fA-F]{2})*)}")
_CODE = re.compile(rb"\\'([0-9a-fA-F]{2})")
_UNSET, _LONGEST = 25, 8_000
"""Of a result; bytes of a field's instruction."""


def form_value(raw: bytes, at: int, codec: str) -> str:
    """A sign or an entry for the field whose instruction begins at `at`, "" if it says none."""
    end = raw.find(b"\\fldrslt", at, at + _LONGEST)
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
