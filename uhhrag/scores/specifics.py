"""Rules for what verifiers miss: exchanged numbers or names, and words out of order."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence

from uhhrag.text.specifics import occurs, specifics, words_of

FACTOR_MISSING = 0.3
"""Support lost if all numbers and names are missing."""
FACTOR_DISORDERED = 0.5
"""Support lost if words are in another order."""
NEAR = 0.8
"""Share of words from which a piece may be an altered copy."""
IN_ORDER = 0.7
"""Least share of common words in order."""
_FEW = 6


def factor(statement: str, piece: str, content: Collection[str]) -> float:
    """Support that remains, 0 to 1; `content`: content words.

    >>> words = ["ferry", "built", "2015", "lunde"]
    >>> factor("Lunde ferry was built in 2015.", "The Lunde ferry was built in 2015.", words)
    1.0
    >>> factor("Lunde ferry was built in 2015.", "The Lunde ferry was built in 2018.", words)
    0.0
    """
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
