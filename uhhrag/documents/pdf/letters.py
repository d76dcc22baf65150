"""Whether the extracted letters of a page are those shown: some fonts give other ones."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

_NO_LETTERS = {"Cc", "Co", "Cn", "Cs"}
_MOST_WITHOUT = 0.1
"""Greatest share of characters that are no letters, figures or signs."""
_LEAST_LETTERS, _LEAST_COMMON = 200, 0.26
"""Latin letters needed, and the least share of common ones: over half in text, a third in codes."""
_COMMON = "aeinorstAEINORST"
_BREAKS = re.compile(r"[\s\x02\u00ad\ufffe]")


def is_readable(lines: Iterable[str]) -> bool:
    """Whether lines are text: hardly any controls or private characters, and common letters.

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
