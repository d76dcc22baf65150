"""Words of many texts at once, cut as NLTK cuts them but for rare cases: numpy over the bytes of a
megabyte of text, instead of some thirty regular expressions a sentence.

A word is a run of bytes of the block; BM25 needs no more of it than a hash. Whether a period ends
a sentence follows Punkt's rule: it does, but for abbreviations, initials and numbers, about
which Punkt itself is asked.

Left out, because they are rare: `d'ye`, `more'n`, `'tis`, `'twas`, one letter after an opening
apostrophe, commas in a row, Punkt's collocations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]
Places = NDArray[np.intp]
Hashes = NDArray[np.uint64]

_EDGE = 16
"""blanks before the first text and after the last, so that no look aside leaves the block"""
OPEN, CLOSE = 0xFE, 0xFF
"""for the two quotation marks that NLTK makes of a straight one: bytes that UTF-8 never has"""
CURLED = dict(zip("«“‘„»”’", range(0xF7, 0xFE), strict=True))
_REST = 0xF6
"""for the other bytes of a curled quotation mark: a space that Punkt does not see"""
_SPACES = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
_JOINED = (b"cannot", b"gimme", b"gonna", b"gotta", b"lemme", b"wanna")
"""words that NLTK cuts after their third letter"""

_SPACE, _ALONE, _COMMA, _DIGIT, _ODD, _LEAD, _CLOSER, _STOP = (1 << bit for bit in range(8))


def _kinds() -> Bytes:
    table = np.zeros(256, np.uint8)
    for kind, members in (
        (_SPACE, "".join(c for c in _SPACES if c.isascii()).encode() + bytes([_REST])),
        (_ALONE, b';@#$%&?!*[](){}<>"'),
        (_COMMA, b",:"),
        (_DIGIT, b"0123456789"),
        (_ODD, b".-`'\"\n"),
        (_LEAD, b"\xc2\xe1\xe2\xe3"),
        (_CLOSER, b")]}>'"),
        (_STOP, b"?!)\";}]*:@({['"),
    ):
        table[list(members)] |= kind
    marks = [OPEN, CLOSE]
    table[[*marks, *CURLED.values()]] |= _ALONE
    table[[CLOSE, *(CURLED[mark] for mark in "»”’")]] |= _CLOSER
    table[marks] |= _STOP
    return table


def _code(character: str) -> int:
    return int.from_bytes(character.encode().ljust(3, b"\0"))


_KINDS = _kinds()
_WORD = np.array([byte > 0x7F or chr(byte).isalnum() or byte == ord("_") for byte in range(256)])
_LONE = _WORD & ~np.isin(np.arange(256), list(b"mtsdnMTSDN"))
_BECOMES = dict(
    sorted(
        [(_code(c), 0x20) for c in _SPACES if not c.isascii()]
        + [(_code(c), mark) for c, mark in CURLED.items()]
    )
)
_CODES, _MARKS = np.array(list(_BECOMES)), np.array(list(_BECOMES.values()), np.uint8)


_FIRST = np.array([2 ** (8 * length) - 1 for length in range(9)], np.uint64)


class Rules(NamedTuple):
    """Punkt's: `abbreviations` in lower case and without period; `breaks` says whether the first
    period of "word. Next" ends a sentence."""

    abbreviations: frozenset[str]
    breaks: Callable[[str], bool]


class Words(NamedTuple):
    """The words of a block: each from a start to an end in `block`, and the text it is of."""

    block: Bytes
    starts: Places
    ends: Places
    texts: NDArray[np.int32]


def cut(texts: Sequence[str], rules: Rules) -> Words:
    """The words of the texts, in order."""
    block = _joined(texts)
    kinds = _KINDS[block]
    odd = np.flatnonzero((kinds & (_ODD | _LEAD)) != 0)
    _rewrite(block, kinds, odd)
    cuts = _cuts(block, kinds, odd)
    space = (kinds & _SPACE) != 0
    _cut_periods(block, kinds, cuts, odd, rules)
    _cut_apostrophes(block, space, cuts, odd)
    edges = space.copy()
    edges[1:] = space[:-1]
    starts = np.flatnonzero(~space & (edges | cuts))
    ends = np.flatnonzero(~edges & (space | cuts))
    starts, ends = _parted(block, starts, ends)
    bounds = np.searchsorted(starts, odd[block[odd] == 0x0A])
    lengths = np.diff(bounds, prepend=0)
    return Words(block, starts, ends, np.repeat(np.arange(len(texts), dtype=np.int32), lengths))


def _joined(texts: Sequence[str]) -> Bytes:
    """One line a text."""
    lines = "\n".join(texts)
    if lines.count("\n") != len(texts) - 1:
        lines = "\n".join(text.replace("\n", " ") for text in texts)
    content = bytearray(b" " * _EDGE)
    content += lines.encode("utf-8", "replace")
    content += b"\n" + b" " * _EDGE
    return np.frombuffer(content, np.uint8)


def _rewrite(block: Bytes, kinds: Bytes, odd: Places) -> None:
    """Spaces and quotation marks of several bytes become one byte and blanks, straight quotation
    marks opening or closing ones."""
    lead = odd[(kinds[odd] & _LEAD) != 0]
    third = np.where(block[lead] == 0xC2, 0, block[lead + 2])
    codes = (block[lead].astype(np.int64) << 16) | (block[lead + 1].astype(np.int64) << 8) | third
    row = np.minimum(np.searchsorted(_CODES, codes), len(_CODES) - 1)
    known = _CODES[row] == codes
    at, long = lead[known], third[known] > 0
    marks = _MARKS[row[known]]
    rest = np.where(marks == 0x20, 0x20, _REST)
    for places, content in ((at, marks), (at + 1, rest), (at[long] + 2, rest[long])):
        block[places] = content
        kinds[places] = _KINDS[content]
    quotes = odd[block[odd] == 0x22]
    before = block[quotes - 1]
    inner = (kinds[quotes + 1] & (_SPACE | _CLOSER)) == 0
    opening = (kinds[quotes - 1] & _SPACE > 0) & (before != _REST)
    opening |= np.isin(before, list(b"([{<"))
    opening |= inner & np.isin(before, list(b".?!"))
    block[quotes] = np.where(opening, OPEN, CLOSE)
    kinds[quotes] = _KINDS[block[quotes]]


def _cuts(block: Bytes, kinds: Bytes, odd: Places) -> Flags:
    """Where a word begins though no space stands before it: but for apostrophes and periods."""
    alone = (kinds & _ALONE) != 0
    alone[:-1] |= ((kinds[:-1] & _COMMA) != 0) & ((kinds[1:] & _DIGIT) == 0)
    cuts: Flags = alone.copy()
    cuts[1:] |= alone[:-1]
    for byte, least in ((b".", 2), (b"-", 2), (b"'", 2), (b"`", 1)):
        places = odd[block[odd] == byte[0]]
        first = places[block[places - 1] != byte[0]]
        length = places[block[places + 1] != byte[0]] - first + 1
        run = length >= least
        first, length = first[run], length[run]
        cuts[first] = True
        cuts[first + length] = True
        if byte == b"-":
            for pair in range(2, int(length.max(initial=0)), 2):
                cuts[(first + pair)[pair < length]] = True
    return cuts


def _cut_apostrophes(block: Bytes, space: Flags, cuts: Flags, odd: Places) -> None:
    """'s, 'll, n't and a closing apostrophe, where a word ends behind them; one before a word of
    one letter."""
    marks = odd[block[odd] == ord("'")]
    marks = marks[(block[marks - 1] != ord("'")) & (block[marks + 1] != ord("'"))]

    def ended(places: Places) -> Flags:
        return space[places] | cuts[places]

    one, other = block[marks + 1], block[marks + 2]
    pair = (one.astype(np.int32) << 8) | other
    short = np.isin(one, list(b"sSmMdD")) & ended(marks + 2)
    long = np.isin(pair, [int.from_bytes(p) for p in (b"ll", b"LL", b"re", b"RE", b"ve", b"VE")])
    found = short | (long & ended(marks + 3)) | ended(marks + 1)
    before = (block[marks - 1].astype(np.int32) << 8) | one
    negated = np.isin(before, [int.from_bytes(p) for p in (b"nt", b"NT")]) & ended(marks + 2)
    lone = _LONE[one] & ~_WORD[other]
    cuts[marks[found]] = True
    cuts[marks[lone] + 1] = True
    cuts[marks[negated] - 1] = True


def _cut_periods(block: Bytes, kinds: Bytes, cuts: Flags, odd: Places, rules: Rules) -> None:
    """Periods that end a text or a sentence."""
    last = odd[block[odd] == 0x0A] - 1
    for _ in range(12):
        last -= ((kinds[last] & (_CLOSER | _SPACE)) > 0) & (block[last] != 0x0A)
    cuts[last[(block[last] == ord(".")) & (block[last - 1] != ord("."))]] = True
    dots = odd[(block[odd] == ord(".")) & ~cuts[odd]]
    dots = dots[(block[dots - 1] != ord(".")) & (kinds[dots + 1] & (_SPACE | _STOP) > 0)]
    cuts[dots[_breaking(block, kinds, cuts, dots, rules)]] = True


def _breaking(block: Bytes, kinds: Bytes, cuts: Flags, dots: Places, rules: Rules) -> Flags:
    lengths = _lengths_before(block, kinds, cuts, dots)
    before = _run_of_eight(block)[dots - 8] >> (8 * (8 - lengths)).astype(np.uint64)
    short = (lengths > 0) & (lengths < 8)
    abbreviation = short & np.isin(
        before | np.uint64(0x2020202020202020) >> (8 * (8 - lengths)).astype(np.uint64),
        _keys(rules.abbreviations),
    )
    following = block[dots + 1 + (kinds[dots + 1] & _SPACE > 0)]
    lower = (following >= ord("a")) & (following <= ord("z"))
    raised = ((following >= ord("A")) & (following <= ord("Z"))) | (following >= 0x80)
    initial = (lengths == 1) & (kinds[dots - 1] & _DIGIT == 0)
    number = (kinds[dots - 1] & _DIGIT > 0) & (lower | (following >= 0x80))
    answer = ~abbreviation
    content = block.tobytes()
    for row in np.flatnonzero(initial | number | (abbreviation & raised)):
        answer[row] = rules.breaks(_context(content, int(dots[row])))
    return answer


def _lengths_before(block: Bytes, kinds: Bytes, cuts: Flags, dots: Places) -> Places:
    """Of the word that each period follows, in bytes, 8 at most."""
    lengths = np.zeros(len(dots), np.intp)
    going = np.ones(len(dots), np.bool_)
    for back in range(1, 9):
        going &= (kinds[dots - back] & _SPACE) == 0
        lengths += going
        going &= ~cuts[dots - back] & (block[dots - back - 1] != ord("-"))
    lengths[block[dots - lengths - 1] == _REST] = 8
    return lengths


def _context(content: bytes, dot: int) -> str:
    """The word with its period, and the word or the character after it."""
    near = content[max(0, dot - 100) : dot + 100]
    here = dot - max(0, dot - 100)
    begin = max(near.rfind(edge, 0, here) for edge in (b" ", b"\n")) + 1
    if near[here + 1] != 0x20:
        return _told(near[begin : here + 2])
    ends = [end for edge in (b" ", b"\n") if (end := near.find(edge, here + 2)) > 0]
    return _told(near[begin : min(ends, default=len(near))])


def _told(piece: bytes) -> str:
    quoted = piece.replace(bytes([OPEN]), b'"').replace(bytes([CLOSE]), b'"')
    return quoted.decode("utf-8", "replace")


def _run_of_eight(block: Bytes) -> Hashes:
    """From each byte on, eight as one number, the first one lowest."""
    return np.ndarray(len(block) - 7, "<u8", block.data, strides=(1,))


def _keys(words: Iterable[str]) -> Hashes:
    short = [word.encode() for word in words if len(word) < 8]
    return np.array([int.from_bytes(word, "little") for word in sorted(short)], np.uint64)


def _parted(block: Bytes, starts: Places, ends: Places) -> tuple[Places, Places]:
    """Words like "cannot" parted in two."""
    length = ends - starts
    rows = np.flatnonzero((length == 5) | (length == 6))
    low = np.uint64(0x202020202020)
    keys = (_run_of_eight(block)[starts[rows]] | low) & np.where(
        length[rows] == 5, np.uint64(2**40 - 1), np.uint64(2**48 - 1)
    )
    joined = np.array([int.from_bytes(word, "little") for word in _JOINED], np.uint64)
    rows = rows[np.isin(keys, joined)]
    middle = starts[rows] + 3
    return np.insert(starts, rows + 1, middle), np.insert(ends, rows, middle)


def hashes(words: Words) -> Hashes:
    """One number a word, from its first and last eight bytes and its length."""
    lengths = words.ends - words.starts
    eight = _run_of_eight(words.block)
    first = eight[words.starts] & _FIRST[np.minimum(lengths, 8)]
    mixed: Hashes = first ^ (lengths.astype(np.uint64) << np.uint64(56))
    long = np.flatnonzero(lengths > 8)
    mixed[long] ^= eight[words.ends[long] - 8] * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(32)
    mixed *= np.uint64(0xD6E8FEB86659FD93)
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(32)
    return mixed


def hashes_of(words: Sequence[str]) -> Hashes:
    """Of words as NLTK writes them."""
    marks = {"``": OPEN, "''": CLOSE, **CURLED}
    coded = [bytes([marks[w]]) if w in marks else w.encode("utf-8", "replace") for w in words]
    block = np.frombuffer(b" " * _EDGE + b" ".join(coded) + b" " * _EDGE, np.uint8)
    lengths = np.array([len(word) for word in coded], np.intp)
    starts = _EDGE + np.cumsum(lengths + 1) - lengths - 1
    return hashes(Words(block, starts, starts + lengths, np.arange(len(words), dtype=np.int32)))
