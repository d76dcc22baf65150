"""Superlatives of a claim, and which figures of a column they are true of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from uhhrag.text.figures import are_years
from uhhrag.text.numerals import NUMBER_WORD, ORDINAL_WORDS

_HIGH = (
    "bigg broad bus costl dear deep full great hard heav high hott larg long loud pric rich sharp "
    "steep strong tall thick warm wett wid"
)
"""Stems before "-est" of what the largest figure has."""
_LOW = (
    "cheap cold cool earl few light low narrow poor quiet shallow short slight small soft "
    "thinn tin weak"
)
"""Of what the smallest has."""
_SIGNS = dict.fromkeys(_HIGH.split(), 1) | dict.fromkeys(_LOW.split(), -1)
_STEM_OF = {"most": "high", "least": "low", "fewest": "low"}
_BY_YEAR = {"old": -1, "new": 1, "young": 1}
"""Of what the largest year (1) or the smallest (-1) has, or the smallest or largest age."""
_BY_SPEED = {"fast": 1, "quick": 1, "slow": -1}
"""Of what the largest speed (1) or the smallest (-1) has, or the smallest or largest duration."""
_AGE = re.compile(r"(?i)\b(?:aged?|years old)\b")
_STEMS = "|".join(sorted({*_SIGNS, *_BY_YEAR, *_BY_SPEED}, key=len, reverse=True))
_ORDINAL = rf"(?:({'|'.join(ORDINAL_WORDS)}|\d{{1,2}}(?:st|nd|rd|th))[ -])?"
_EST = re.compile(rf"\b{_ORDINAL}(({_STEMS})i?est)\b")
_MOST = re.compile(rf"(?<!\bat )(?<!^)\b{_ORDINAL}(most|least)\b(?! (?:of|likely)\b)")
_MOST_OF = re.compile(r"\b(?:most|least) of (?=them\b|the\b|these\b|all\b|those\b)")
_ER = rf"more|less|fewer|(?:{_STEMS})i?er"
_THAN_ANY = re.compile(
    rf"\b({_ER})\b[^.;]{{0,80}}?\bthan (?:(?:(?:in|at|on) )?any|all|every|the (?:other|rest))"
)
_NONE = re.compile(r"\b(?:no|none|nobody|nowhere|never)\b")
_AS_MANY = re.compile(r"\bas (?:many|much)\b.{1,80}? as\b")
_MORE_THAN = re.compile(
    rf"\b({_ER})\b[^.;]{{0,80}}?\bthan\b(?! (?:\W?\d|(?:an?|half|twice|double|{NUMBER_WORD})\b"
    r"|(?:it|they|he|she|before|last|previously)\b|(?:in|on) \d))"
)
"""Not of an amount, nor of itself at another time."""
FALLS = re.compile(r"\b(?:falls?|fell|drop|decline|decrease|loss|lost|cut|reduction|shrank)")
_SPEED = re.compile(r"(?i)/ ?[hs]\b|\b(?:kmh|mph|kph|knots?|kn|per (?:hour|second|minute))\b")
_DURATION = re.compile(
    r"(?i)\b(?:time|durations?|s|sec|seconds?|min|mins|minutes?|h|hours?|days?)\b"
)


class Superlative(NamedTuple):
    words: str
    """as a claim has them, or those of its comparative: "second highest", "earliest" """
    place: int
    """1 for the first"""
    stem: str
    falls: bool
    """whether it is said of what fell"""

    def order(self, column: str, numbers: Sequence[Fraction]) -> int:
        """1 if the largest figure of a column is first, -1 if the smallest, 0 if unknown.

        >>> superlative_in("It is the oldest ship.").order("Built", [Fraction(1987)])
        -1
        """
        if self.stem in _BY_YEAR:
            young = are_years(numbers, first=1000) - bool(_AGE.search(column))
            return _BY_YEAR[self.stem] * young
        if self.stem in _BY_SPEED:
            fast = 1 if _SPEED.search(column) else -bool(_DURATION.search(column))
            return _BY_SPEED[self.stem] * fast
        return _SIGNS[self.stem] * (-1 if self.falls and min(numbers) < 0 else 1)

    def placed(self, numbers: Sequence[Fraction]) -> str:
        """Note on the first number; "" if it shares the place that the claim gives it. In an
        unknown order all numbers are 0, and share it."""
        own, *others = numbers
        place = 1 + sum(other > own for other in others)
        if place == self.place and own in others:
            return ""
        return f"({'' if place == self.place else 'not '}the {self.words} of all)"


@lru_cache(2**10)
def superlative_in(claim: str) -> Superlative | None:
    """The first one.

    >>> superlative_in("Fen had the second-highest score.")[:3]
    ('second highest', 2, 'high')
    >>> superlative_in("No club won more games than Fen.").words
    'most'
    >>> superlative_in("Fen won the second most votes.").words
    'second most'
    >>> superlative_in("No club won more than twice as many.")
    >>> superlative_in("No club won less in 2025 than in 2023.")
    >>> superlative_in("Most of them, at least 40, had the tallest."), superlative_in("Most left.")
    (Superlative(words='tallest', place=1, stem='tall', falls=False), None)
    >>> superlative_in("It hit 99 homes, most of them in Fen.")
    """
    said = _MOST_OF.sub("", claim.lower())
    falls = bool(FALLS.search(said))
    if found := _EST.search(said):
        return _superlative(found[1], found[2], found[3], falls)
    if found := _MOST.search(said):
        return _superlative(found[1], found[2], _STEM_OF[found[2]], falls)
    none = _NONE.search(said)
    if none and _AS_MANY.search(said, none.end()):
        return _of_comparative("more", falls)
    found = _THAN_ANY.search(said) or (none and _MORE_THAN.search(said, none.end()))
    return _of_comparative(found[1], falls) if found else None


def _of_comparative(word: str, falls: bool) -> Superlative:
    if known := {"more": "most", "less": "least", "fewer": "fewest"}.get(word):
        return _superlative(None, known, _STEM_OF[known], falls)
    stem = word.removesuffix("er")
    return _superlative(None, f"{stem}est", stem.removesuffix("i"), falls)


def _superlative(ordinal: str | None, word: str, stem: str, falls: bool) -> Superlative:
    if ordinal is None:
        return Superlative(word, 1, stem, falls)
    place = ORDINAL_WORDS.get(ordinal) or int(ordinal[:-2])
    return Superlative(f"{ordinal} {word}", place, stem, falls)
