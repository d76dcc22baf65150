from __future__ import annotations

import math
from collections.abc import Mapping

from uhhrag.records import Label, Vote
from uhhrag.rules.label_words import SAYS_NOTHING, WORDS
from uhhrag.views.claim_row import RowVote

SIDES = {Label.SUPPORTED: 1, Label.REFUTED: -1}


def stacked(counts: Mapping[str, int]) -> list[tuple[str, int, float, float]]:
    """Name, count, start and width in percent of the total, in order, without zeros.

    >>> stacked({"a": 1, "b": 0, "c": 3})
    [('a', 1, 0.0, 25.0), ('c', 3, 25.0, 75.0)]
    """
    total, start, bars = sum(counts.values()), 0.0, []
    for name, count in counts.items():
        if count:
            width = 100 * count / total
            bars.append((name, count, round(start, 3), round(width, 3)))
            start += width
    return bars


def lean(vote: Vote | RowVote) -> float:
    """From -1, refuted, to 1, supported; a probability of a half is the middle."""
    side = SIDES.get(vote.label, 0)
    if vote.probability is None:
        return float(side)
    return round(side * max(0.0, 2 * vote.probability - 1), 3)


def options(vote: Vote) -> list[tuple[str, str, float]]:
    """Letter, meaning and probability; empty for a vote read from text."""
    return [
        (letter, _said(vote.meanings.get(letter, "")), math.exp(min(0.0, logprob)))
        for letter, logprob in vote.options.items()
    ]


def _said(meaning: str | None) -> str:
    return SAYS_NOTHING if meaning is None else WORDS.get(meaning, str(meaning))
