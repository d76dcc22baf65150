"""Splits texts as NLTK does, by numpy over a block of bytes. Each step sets more of `begins`, words
that begin without a space. Punkt decides on periods after abbreviations, initials and numbers; all
others end sentences. Left out: `d'ye`, `more'n`, `'tis`, `'twas`, one letter after an opening
apostrophe, commas in a row, Punkt's collocations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from uhhrag.text.nltk_tokenizer import JOINED, Punkt

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


_BLANKS = {_code(c): 0x20 for c in SPACES if not c.isascii()}
_BECOMES = dict(sorted({**_BLANKS, **{_code(c): mark for c, mark in CURLED.items()}}.items()))
WIDE_CODES = np.array(list(_BECOMES))
"""Ascending `_code` numbers."""
WIDE_BYTES = np.array(list(_BECOMES.values()), np.uint8)
_CLOSERS_AT_END = 12
_LOWER = 0x2020202020202020


class Words(NamedTuple):
    """Word i is `block[starts[i]:ends[i]]`, of text `texts[i]`."""

    block: Bytes
    starts: Positions
    ends: Positions
    texts: NDArray[np.int32]


def tokenise(texts: Sequence[str], rules: Punkt) -> Words:
    block = joined(texts)
    kinds = KINDS[block]
    # All later steps look only at these bytes, a few in a hundred, and at their neighbours.
    special = np.flatnonzero((kinds & (SPECIAL | LEAD)) != 0)
    _narrow_wide_characters(block, kinds, special)
    _turn_straight_quotes(block, kinds, special)
    begins = _marks_alone(kinds)
    _begin_runs(block, begins, special)
    _begin_periods(block, kinds, begins, special, rules)
    space = (kinds & SPACE) != 0
    _begin_contractions(block, space, begins, special)
    after_space = space.copy()
    after_space[1:] = space[:-1]
    starts = np.flatnonzero(~space & (after_space | begins))
    ends = np.flatnonzero(~after_space & (space | begins))
    starts, ends = _split_joined(block, starts, ends)
    # A text is a line, so its words are those between two ends of line.
    bounds = np.searchsorted(starts, special[block[special] == 0x0A])
    counts = np.diff(bounds, prepend=0)
    return Words(block, starts, ends, np.repeat(np.arange(len(texts), dtype=np.int32), counts))


def _narrow_wide_characters(block: Bytes, kinds: Bytes, special: Positions) -> None:
    """In place."""
    lead = special[(kinds[special] & LEAD) != 0]
    # Characters that begin with 0xC2 have two bytes: the third is of the next one.
    third = np.where(block[lead] == 0xC2, 0, block[lead + 2])
    codes = (block[lead].astype(np.int64) << 16) | (block[lead + 1].astype(np.int64) << 8) | third
    row = np.minimum(np.searchsorted(WIDE_CODES, codes), len(WIDE_CODES) - 1)
    known = WIDE_CODES[row] == codes
    at, long = lead[known], third[known] > 0
    first = WIDE_BYTES[row[known]]
    rest = np.where(first == 0x20, 0x20, REST)
    for positions, content in ((at, first), (at + 1, rest), (at[long] + 2, rest[long])):
        block[positions] = content
        kinds[positions] = KINDS[content]


def _turn_straight_quotes(block: Bytes, kinds: Bytes, special: Positions) -> None:
    """To opening (after a space, bracket or sentence) or closing, in place."""
    quotes = special[block[special] == 0x22]
    before = block[quotes - 1]
    inner = (kinds[quotes + 1] & (SPACE | CLOSER)) == 0
    opening = (kinds[quotes - 1] & SPACE > 0) & (before != REST)
    opening |= np.isin(before, list(b"([{<"))
    opening |= inner & np.isin(before, list(b".?!"))
    block[quotes] = np.where(opening, OPEN, CLOSE)
    kinds[quotes] = KINDS[block[quotes]]


def _marks_alone(kinds: Bytes) -> Flags:
    """Where words begin, shape (bytes,)."""
    alone = (kinds & ALONE) != 0
    alone[:-1] |= ((kinds[:-1] & COMMA) != 0) & ((kinds[1:] & DIGIT) == 0)
    begins: Flags = alone.copy()
    begins[1:] |= alone[:-1]
    return begins


def _begin_runs(block: Bytes, begins: Flags, special: Positions) -> None:
    """Two or more periods, hyphens or apostrophes, any backquotes."""
    for byte, least in ((b".", 2), (b"-", 2), (b"'", 2), (b"`", 1)):
        marks = special[block[special] == byte[0]]
        # As many runs begin as end, in the same order.
        first = marks[block[marks - 1] != byte[0]]
        length = marks[block[marks + 1] != byte[0]] - first + 1
        run = length >= least
        first, length = first[run], length[run]
        begins[first] = True
        begins[first + length] = True
        if byte == b"-":  # NLTK takes hyphens by twos
            for pair in range(2, int(length.max(initial=0)), 2):
                begins[(first + pair)[pair < length]] = True


def _begin_contractions(block: Bytes, space: Flags, begins: Flags, special: Positions) -> None:
    """Contractions ('s, n't), closing apostrophes, lone letters after one."""
    marks = special[block[special] == ord("'")]
    marks = marks[(block[marks - 1] != ord("'")) & (block[marks + 1] != ord("'"))]

    def ended(positions: Positions) -> Flags:
        return space[positions] | begins[positions]

    first, second = block[marks + 1], block[marks + 2]
    # Two bytes as one number of 16 bits, to compare them at once.
    behind = (first.astype(np.int32) << 8) | second
    around = (block[marks - 1].astype(np.int32) << 8) | first
    short = np.isin(first, list(b"sSmMdD")) & ended(marks + 2)
    long = np.isin(behind, [int.from_bytes(p) for p in (b"ll", b"LL", b"re", b"RE", b"ve", b"VE")])
    suffix = short | (long & ended(marks + 3)) | ended(marks + 1)
    negated = np.isin(around, [int.from_bytes(p) for p in (b"nt", b"NT")]) & ended(marks + 2)
    lone = LONE_LETTER[first] & ~IN_WORD[second]
    begins[marks[suffix]] = True
    begins[marks[lone] + 1] = True
    begins[marks[negated] - 1] = True


def _begin_periods(
    block: Bytes, kinds: Bytes, begins: Flags, special: Positions, rules: Punkt
) -> None:
    last = special[block[special] == 0x0A] - 1
    for _ in range(_CLOSERS_AT_END):
        # A step back at a closing mark or a blank, without branches.
        last -= ((kinds[last] & (CLOSER | SPACE)) > 0) & (block[last] != 0x0A)
    begins[last[(block[last] == ord(".")) & (block[last - 1] != ord("."))]] = True
    dots = special[(block[special] == ord(".")) & ~begins[special]]
    dots = dots[(block[dots - 1] != ord(".")) & (kinds[dots + 1] & (SPACE | STOP) > 0)]
    begins[dots[_ends_sentence(block, kinds, begins, dots, rules)]] = True


def _ends_sentence(
    block: Bytes, kinds: Bytes, begins: Flags, dots: Positions, rules: Punkt
) -> Flags:
    """Shape (dots,)."""
    lengths = _lengths_before(block, kinds, begins, dots)
    # The eight bytes before the period as a number, the farthest lowest. Shifted right, only the
    # word is left, to compare with abbreviations' numbers.
    dropped = (8 * (8 - lengths)).astype(np.uint64)
    word = packed_bytes(block)[dots - 8] >> dropped | np.uint64(_LOWER) >> dropped
    known = np.isin(word, _as_numbers(rules.abbreviations))
    abbreviation = (lengths > 0) & (lengths < 8) & known
    following = block[dots + 1 + (kinds[dots + 1] & SPACE > 0)]
    lower = (following >= ord("a")) & (following <= ord("z"))
    other_script = following >= 0x80
    upper = ((following >= ord("A")) & (following <= ord("Z"))) | other_script
    digit = kinds[dots - 1] & DIGIT > 0
    initial = (lengths == 1) & ~digit
    number = digit & (lower | other_script)
    ends = ~abbreviation
    content = block.tobytes()
    for row in np.flatnonzero(initial | number | (abbreviation & upper)):
        ends[row] = rules.breaks(_context(content, int(dots[row])))
    return ends


def _lengths_before(block: Bytes, kinds: Bytes, begins: Flags, dots: Positions) -> Positions:
    """Bytes of the word before each period, at most 8; 8 after a curled quotation mark."""
    lengths = np.zeros(len(dots), np.intp)
    within = np.ones(len(dots), np.bool_)
    for back in range(1, 9):
        within &= (kinds[dots - back] & SPACE) == 0
        lengths += within
        within &= ~begins[dots - back] & (block[dots - back - 1] != ord("-"))
    lengths[block[dots - lengths - 1] == REST] = 8
    return lengths


def _context(content: bytes, dot: int) -> str:
    near = content[max(0, dot - 100) : dot + 100]
    here = dot - max(0, dot - 100)
    begin = max(near.rfind(edge, 0, here) for edge in (b" ", b"\n")) + 1
    if near[here + 1] != 0x20:
        return _decoded(near[begin : here + 2])
    ends = [end for edge in (b" ", b"\n") if (end := near.find(edge, here + 2)) > 0]
    return _decoded(near[begin : min(ends, default=len(near))])


def _decoded(piece: bytes) -> str:
    quoted = piece.replace(bytes([OPEN]), b'"').replace(bytes([CLOSE]), b'"')
    return quoted.decode("utf-8", "replace")


def _as_numbers(words: Iterable[str]) -> Numbers:
    short = [word.encode() for word in words if len(word) < 8]
    return np.array([int.from_bytes(word, "little") for word in sorted(short)], np.uint64)


def _split_joined(block: Bytes, starts: Positions, ends: Positions) -> tuple[Positions, Positions]:
    length = ends - starts
    rows = np.flatnonzero((length == 5) | (length == 6))
    mask = np.where(length[rows] == 5, np.uint64(2**40 - 1), np.uint64(2**48 - 1))
    keys = (packed_bytes(block)[starts[rows]] | np.uint64(_LOWER)) & mask
    rows = rows[np.isin(keys, _as_numbers(JOINED))]
    middle = starts[rows] + 3
    return np.insert(starts, rows + 1, middle), np.insert(ends, rows, middle)


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
