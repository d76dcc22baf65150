"""Many texts as one array of bytes, and what each byte is: the ground of the fast tokeniser.

A byte's kind is a mask of eight bits in one byte, looked up for the whole block at once by
`KINDS[block]`. So "is it white space or a closing bracket?" is one `&` over a megabyte of text.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]
Positions = NDArray[np.intp]
Numbers = NDArray[np.uint64]

EDGE = 16
"""Blanks before the first text and after the last, so that no look to the side leaves the block."""

OPEN, CLOSE = 0xFE, 0xFF
"""For the two quotation marks that NLTK makes of a straight one. Like the two below they are bytes
that valid UTF-8 never has, so they cannot be taken for a part of a character."""
CURLED = dict(zip("«“‘„»”’", range(0xF7, 0xFE), strict=True))
"""The byte that stands for each curled quotation mark, which UTF-8 writes in two or three."""
REST = 0xF6
"""In place of the other bytes of a curled quotation mark: a space that Punkt does not see."""

SPACES = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)

SPACE, ALONE, COMMA, DIGIT, SPECIAL, LEAD, CLOSER, STOP = (1 << bit for bit in range(8))
"""The kinds of a byte, which can have several:
SPACE    white space
ALONE    a word of its own wherever it stands
COMMA    a word of its own unless a digit follows: 3,500 and 12:30 stay whole
DIGIT    0 to 9
SPECIAL  needs a look at its neighbours: periods, hyphens, quotation marks, ends of lines
LEAD     the first byte of a character that may be a wide space or a curled quotation mark
CLOSER   may stand between a sentence's period and the space after it
STOP     may follow a sentence's period directly, as in (He left.)"""


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
"""The kind of each byte, shape (256,)."""
IN_WORD = np.array([byte > 0x7F or chr(byte).isalnum() or byte == ord("_") for byte in range(256)])
"""Whether a byte can be part of a word (`\\w` of a regular expression), shape (256,)."""
LONE_LETTER = IN_WORD & ~np.isin(np.arange(256), list(b"mtsdnMTSDN"))
"""Whether a letter alone after an apostrophe parts from it, shape (256,): those left out may be
the end of a contraction (I'm, don't, it's, we'd)."""


def _code(character: str) -> int:
    """The bytes of a character as one number of 24 bits; one of two bytes ends in eight zeros."""
    return int.from_bytes(character.encode().ljust(3, b"\0"))


_BECOMES = dict(
    sorted(
        [(_code(c), 0x20) for c in SPACES if not c.isascii()]
        + [(_code(c), mark) for c, mark in CURLED.items()]
    )
)
WIDE_CODES = np.array(list(_BECOMES))
"""The characters of several bytes that become one byte, as `_code` numbers, ascending."""
WIDE_BYTES = np.array(list(_BECOMES.values()), np.uint8)
"""What each of `WIDE_CODES` becomes: a blank or the byte of a curled quotation mark."""


def joined(texts: Sequence[str]) -> Bytes:
    """The texts as UTF-8, a line per text, with `EDGE` blanks before and after; ends of lines
    within a text become blanks, lone surrogates question marks. The array can be written to."""
    lines = "\n".join(texts)
    if lines.count("\n") != len(texts) - 1:
        lines = "\n".join(text.replace("\n", " ") for text in texts)
    content = bytearray(b" " * EDGE)
    content += lines.encode("utf-8", "replace")
    content += b"\n" + b" " * EDGE
    return np.frombuffer(content, np.uint8)


def eights(block: Bytes) -> Numbers:
    """The eight bytes from each position on as one number, shape (len(block) - 7,), the first byte
    lowest. A view of the block: nothing is copied."""
    return np.ndarray(len(block) - 7, "<u8", block.data, strides=(1,))
