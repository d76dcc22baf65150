"""Bullets and numbers before the items of a list."""

import re
from collections.abc import Sequence

from uhhrag.text.dates import MONTH

ITEM = re.compile(
    r"\s*(?:[-*•–]\s+(?:\[[ x]\]\s+)?"
    r"|(?![(\[]\d+\s)[(\[]?(?:claim )?#?(\d{1,3})(?:\t|\s[-–]\s(?=\D)|[.:)\]](?:\s+|(?=[^\W\d]))))",
    re.IGNORECASE,
)
"""Group 1 is the number."""
_NAMES = re.compile(rf"(?:FF?C|FSV|[BHST]C|SV)\s|(?i:{MONTH})")
"""What follows the 1 in names such as "1. FC Lunde", and in days."""


def without_marks(lines: Sequence[str]) -> list[str]:
    """Lines without bullets, and without numbers that count from 1, perhaps with others between."""
    marks = [*map(ITEM.match, lines)]
    bare = [line[mark.end() :] if mark else line for line, mark in zip(lines, marks, strict=True)]
    runs: list[list[int]] = [[]]
    for at, number in enumerate(int(mark[1] or 0) if mark else 0 for mark in marks):
        runs += [[]] if number == 1 else []
        runs[-1] += [at] if number == len(runs[-1]) + 1 else []
    alone, several = sum(map(len, runs)) == len(lines), len(lines) > 1
    runs = [run for run in runs if not all(_NAMES.match(bare[at]) for at in run)]
    cut = {at for run in runs if len(run) > 1 or (alone and several) for at in run}
    items = several and all(mark and (not mark[1] or at in cut) for at, mark in enumerate(marks))
    for at, mark in enumerate(marks):  # not the sign of a number below zero
        if mark and not mark[1] and (items or not bare[at][:1].isdecimal()):
            cut.add(at)
    return [bare[at] if at in cut else line for at, line in enumerate(lines)]
