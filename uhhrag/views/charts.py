"""Numbers that the templates draw."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from uhhrag.records import Label, Vote
from uhhrag.rules.label_words import SAYS_NOTHING, WORDS
from uhhrag.views.claim_row import RowVote

SIDES = {Label.SUPPORTED: 1, Label.REFUTED: -1}


@dataclass(frozen=True, slots=True)
class Bar:
    """`start` and `width` are in percent."""

    name: str
    start: float
    width: float
    count: int


@dataclass(frozen=True, slots=True)
class Lean:
    """A vote's place between refuted and supported."""

    number: int
    label: Label
    at: float
    """-1 refuted, 1 supported, 0 between."""
    sure: bool
    """False without a probability."""


@dataclass(frozen=True, slots=True)
class Option:
    letter: str
    means: str
    probability: float


def stacked(counts: Mapping[str, int]) -> list[Bar]:
    """Counts in percent of their total, in order, without zeros.

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
    """A probability of a half is the middle."""
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
    """Empty for a vote read from text."""
    return [
        Option(letter, _said(vote.meanings.get(letter, "")), math.exp(min(0.0, logprob)))
        for letter, logprob in vote.options.items()
    ]


def _said(meaning: str | None) -> str:
    return SAYS_NOTHING if meaning is None else WORDS.get(meaning, str(meaning))
