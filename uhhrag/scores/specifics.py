"""What verifiers miss: exchanged numbers or names, and words out of order."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence

from uhhrag.text.numerals import UNITS

FACTOR_MISSING = 0.3
"""Support lost if all numbers and names are missing."""
FACTOR_DISORDERED = 0.5
"""Support lost if words are in another order."""
NEAR = 0.8
"""Share of words from which a piece may be an altered copy."""
IN_ORDER = 0.7
"""Least share of common words in order."""
_FEW = 6

_SHORT = 3
"""Fewest letters of a name: initials vary."""
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|\w+")
_ENDS = re.compile(r"[.!?:][\"'”’)\]]*\s*$")
_NUMBERS = {word: str(number) for word, number in UNITS.items() if number <= 12}


def words_of(text: str) -> list[str]:
    """
    >>> words_of("Three of 1,200 ships")
    ['3', 'of', '1,200', 'ships']
    """
    return [_NUMBERS.get(token, token) for token in _TOKEN.findall(text.lower())]


def specifics(text: str) -> frozenset[str]:
    """Lower case; names are capitalised words within a sentence."""
    named = set()
    for match in _TOKEN.finditer(text):
        token = match.group()
        number = _NUMBERS.get(token.lower(), token if token[0].isdigit() else "")
        begins = match.start() == 0 or bool(_ENDS.search(text, 0, match.start()))
        if number:
            named.add(number)
        elif token[0].isupper() and len(token) >= _SHORT and not begins:
            named.add(token.lower())
    return frozenset(named)


def occurs(one: str, words: frozenset[str]) -> bool:
    """Names may be shortened (Jan., January)."""
    if one in words or one[0].isdigit():
        return one in words
    return any(
        word.startswith(one) or (len(word) >= _SHORT and one.startswith(word)) for word in words
    )


def factor(statement: str, piece: str, content: Collection[str]) -> float:
    """Support that remains, 0 to 1; `content`: content words."""
    own, there = specifics(statement), words_of(piece)
    present = frozenset(there)
    missing = {one for one in own if not occurs(one, present)}
    if missing and _altered(missing, own, piece, statement, content, present):
        return 0.0
    left = 1.0 - FACTOR_MISSING * len(missing) / len(own) if own else 1.0
    share = sum(word in present for word in content) / len(content) if content else 0.0
    if share >= NEAR and _order(statement, there, content) < IN_ORDER:
        left *= 1.0 - FACTOR_DISORDERED
    return left


def _altered(
    missing: Collection[str],
    own: Collection[str],
    piece: str,
    statement: str,
    content: Collection[str],
    present: frozenset[str],
) -> bool:
    """Nearly all other words, but another number or name."""
    others = [word for word in content if word not in own]
    if not others or sum(word in present for word in others) / len(others) < NEAR:
        return False
    known = frozenset(words_of(statement))
    new = {one for one in specifics(piece) if not occurs(one, known)}
    kinds = {one[0].isdigit() for one in missing}
    return any(one[0].isdigit() in kinds for one in new)


def _order(statement: str, there: Sequence[str], content: Collection[str]) -> float:
    """Share in order (Hunt and Szymanski 1977)."""
    places: dict[str, list[int]] = {}
    for at, word in enumerate(there):
        places.setdefault(word, []).append(at)
    common = [w for w in dict.fromkeys(words_of(statement)) if w in places and w in content]
    if len(common) < _FEW:
        return 1.0
    run: list[int] = []
    for at in (place for word in common for place in reversed(places[word])):
        where = bisect_left(run, at)
        run[where : where + 1] = [at]
    return len(run) / len(common)
