"""Whether the letters of a page are what a person sees: a font that does not say which letters it
shows gives control characters, or other letters."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

_NO_LETTERS = {"Cc", "Co", "Cn", "Cs"}
_MOST_WITHOUT = 0.1
"""The share of characters that are no letters, figures or signs, at most."""
_LEAST_LETTERS, _LEAST_COMMON = 200, 0.26
"""Latin letters that common ones are counted of, at least; the share of these. It is a half and
more in the languages that use them, and a third in codes."""
_COMMON = "aeinorstAEINORST"
_BREAKS = re.compile(r"[\s\x02\u00ad\ufffe]")


def is_readable(lines: Iterable[str]) -> bool:
    """Whether lines of a page are text. It is told from their characters: controls, private ones
    and replacements are no text, nor are Latin letters with hardly any of the commonest.

    >>> is_readable(["It rained."]), is_readable(["\\x01\\x05 \\x06\\x07\\x10"])
    (True, False)
    """
    counts = Counter(_BREAKS.sub("", "".join(lines)))
    every = sum(counts.values())
    without = sum(
        number
        for letter, number in counts.items()
        if letter == "\N{REPLACEMENT CHARACTER}" or unicodedata.category(letter) in _NO_LETTERS
    )
    letters = sum(number for letter, number in counts.items() if _is_latin(letter))
    common = sum(counts[letter] for letter in _COMMON)
    few = letters >= _LEAST_LETTERS and common < _LEAST_COMMON * letters
    return without <= _MOST_WITHOUT * every and not few


def _is_latin(letter: str) -> bool:
    return letter.isascii() and letter.isalpha()
