"""A text's numbers and names."""

from __future__ import annotations

import re

from uhhrag.text.numerals import UNITS

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
    """Lower case; names are capitalised words within a sentence.

    >>> sorted(specifics("Ava Berg left Norway in 2015. She had three ships."))
    ['2015', '3', 'berg', 'norway']
    """
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
