"""Large first letters of paragraphs, joined with their words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from uhhrag.documents.pdf.lines import FAR, Line

_LARGE = 1.8
"""Least size of an initial over its word's."""
_OF_A_OR_I = re.compile(
    r"[^aeiouy\W]+|bove|ccording|fter|gainst|lmost|lready|lso|lthough|mong|nother|ny|re",
    re.IGNORECASE,
)
"""Goes on after A or I, which are words themselves."""


def initials_joined(lines: Sequence[Line]) -> list[Line]:
    joined = list(lines)
    for initial in lines:
        if len(initial.text) > 1 or not initial.text.isupper() or not initial.segments:
            continue
        begun = (at for at, line in enumerate(joined) if _is_begun_by(initial, line))
        if (at := next(begun, None)) is not None:
            first, *others = joined[at].segments
            first = first._replace(text=initial.text + first.text)
            text = initial.text + joined[at].text
            joined[at] = joined[at]._replace(text=text, segments=(first, *others))
            joined.remove(initial)
    return joined


def _is_begun_by(initial: Line, line: Line) -> bool:
    word = line.text.split()[0]
    goes_on = word[0].islower() or word.isupper()
    if not line.segments or initial.size < _LARGE * line.size or not goes_on:
        return False
    near = line.left - initial.segments[0].right
    higher = line.height - initial.height
    placed = -line.size / 2 <= near <= FAR * line.size and 0 < higher < initial.size
    return placed and (initial.text not in "AI" or bool(_OF_A_OR_I.fullmatch(word)))
