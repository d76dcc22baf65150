"""Numbers of the charts: where a bar begins, how long it is. The drawing is in the templates."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from uhhrag.formats.fields import label_of
from uhhrag.records import Label, Vote
from uhhrag.rules.label_words import SAYS_NOTHING, WORDS
from uhhrag.views.claim_row import RowVote

SIDES = {Label.SUPPORTED: 1, Label.REFUTED: -1}


@dataclass(frozen=True, slots=True)
class Bar:
    """A part of a whole: percent from the left, percent wide."""

    name: str
    start: float
    width: float
    count: int


@dataclass(frozen=True, slots=True)
class Lean:
    """A vote on the line from refuted (-1) to supported (1), 0 between. `sure` is False where
    the vote carries no probability, so that only its side is known."""

    number: int
    label: Label
    at: float
    sure: bool


@dataclass(frozen=True, slots=True)
class Option:
    """One of the answers that a vote could have given: the letter, what it means, and the model's
    own probability before calibration."""

    letter: str
    means: str
    probability: float


def stacked(counts: Mapping[str, int]) -> list[Bar]:
    """The counts above 0 as parts of a bar of 100, in order.

    >>> stacked({"a": 1, "b": 0, "c": 3})
    [Bar(name='a', start=0.0, width=25.0, count=1), Bar(name='c', start=25.0, width=75.0, count=3)]
    """
    total, start, bars = sum(counts.values()), 0.0, []
    for name, count in counts.items():
        if count:
            width = 100 * count / total
            bars.append(Bar(name, round(start, 3), round(width, 3), count))
            start += width
    return bars


def leans(votes: Sequence[Vote | RowVote]) -> list[Lean]:
    """Each vote's place between refuted and supported, in the order of the votes. A probability
    of a half is the middle; the other two labels stand there too."""
    return [
        Lean(number, vote.label, _place(vote), vote.probability is not None)
        for number, vote in enumerate(votes, start=1)
    ]


def _place(vote: Vote | RowVote) -> float:
    side = SIDES.get(vote.label, 0)
    if vote.probability is None:
        return float(side)
    return round(side * max(0.0, 2 * vote.probability - 1), 3)


def options(vote: Vote) -> list[Option]:
    """The answers a constrained vote chose among, in their order; none for a vote read
    from text. The meaning of a letter that the trace does not explain is ""."""
    return [
        Option(letter, _meaning(vote.meanings.get(letter, "")), math.exp(min(0.0, logprob)))
        for letter, logprob in vote.options.items()
    ]


def _meaning(meaning: str | None) -> str:
    if meaning is None:
        return SAYS_NOTHING
    label = label_of(meaning)
    return str(meaning) if label is None else WORDS[label]
