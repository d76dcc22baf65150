"""Texts as a block of bytes with their kinds (bit masks), for the fast tokeniser."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]
Positions = NDArray[np.intp]
Numbers = NDArray[np.uint64]

EDGE = 16
"""Blanks around, so that lookarounds stay in the block."""

OPEN, CLOSE = 0xFE, 0xFF
"""NLTK's two forms of a straight quotation mark; not valid UTF-8."""
CURLED = dict(zip("«“‘„»”’", range(0xF7, 0xFE), strict=True))
REST = 0xF6
"""The other bytes of a curled mark: spaces, but not to Punkt."""

SPACES = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)

SPACE, ALONE, COMMA, DIGIT, SPECIAL, LEAD, CLOSER, STOP = (1 << bit for bit in range(8))
"""ALONE    a word of its own
COMMA    the same, unless a digit follows
SPECIAL  depends on its neighbours
LEAD     may begin a wide space or curled quotation mark
CLOSER   may stand between a sentence's period and the space
STOP     may follow a sentence's period directly"""


def _kinds() -> Bytes:
    table = np.zeros(256, np.uint8)
    for kind, members in (
        (SPACE, "".join(c for c in SPACES if c.isascii()).encode() + bytes([REST])),
        (ALONE, b';@#$%&?!*[](){}<>"'),
        (COMMA, b",:"),
        (DIGIT, b"0123456789"),
        (SPECIAL, b".-`'\"\n"),
        (LEAD, b"\xc2\xe1\xe2\xe3"),
        (CLOSER, b")]}>'"),
        (STOP, b"?!)\";}]*:@({['"),
    ):
        table[list(members)] |= kind
    straight = [OPEN, CLOSE]
    table[[*straight, *CURLED.values()]] |= ALONE
    table[[CLOSE, *(CURLED[mark] for mark in "»”’")]] |= CLOSER
    table[straight] |= STOP
    return table


KINDS = _kinds()
"""Shape (256,)."""
IN_WORD = np.array([byte > 0x7F or chr(byte).isalnum() or byte == ord("_") for byte in range(256)])
"""Whether in `\\w`, shape (256,)."""
LONE_LETTER = IN_WORD & ~np.isin(np.arange(256), list(b"mtsdnMTSDN"))
"""A word after an apostrophe, not a contraction's end; shape (256,)."""


def _code(character: str) -> int:
    return int.from_bytes(character.encode().ljust(3, b"\0"))


_BECOMES = dict(
    sorted(
        [(_code(c), 0x20) for c in SPACES if not c.isascii()]
        + [(_code(c), mark) for c, mark in CURLED.items()]
    )
)
WIDE_CODES = np.array(list(_BECOMES))
"""Ascending `_code` numbers."""
WIDE_BYTES = np.array(list(_BECOMES.values()), np.uint8)


def joined(texts: Sequence[str]) -> Bytes:
    """Writable UTF-8, one text per line, between `EDGE` blanks. Line ends become blanks, lone
    surrogates question marks."""
    lines = "\n".join(texts)
    if lines.count("\n") != len(texts) - 1:
        lines = "\n".join(text.replace("\n", " ") for text in texts)
    content = bytearray(b" " * EDGE)
    content += lines.encode("utf-8", "replace")
    content += b"\n" + b" " * EDGE
    return np.frombuffer(content, np.uint8)


def packed_bytes(block: Bytes) -> Numbers:
    """Eight bytes from each position, little-endian: a view, shape (len(block) - 7,)."""
    return np.ndarray(len(block) - 7, "<u8", block.data, strides=(1,))
