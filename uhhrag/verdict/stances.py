"""Evidence → votes by the verifier, and votes of two voters joined.

The verifier reads what the evidence says, not the question that led to it, and gives each vote
the same three options as the constrained prompt: A supports, B refutes, C says nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import StrEnum

from uhhrag.protocols import Entailment
from uhhrag.records import NO_ANSWER, Claim, Evidence, Reply, Vote
from uhhrag.verdict.calibration import Calibration
from uhhrag.verdict.rules import SIDE_OPTIONS, Rule
from uhhrag.verdict.votes import constrained_vote

_LEAST = 1e-6
"""Probabilities below it count as this, so that logarithms stay finite."""
SAYS_NOTHING = (_LEAST, _LEAST, 1.0)


class Voter(StrEnum):
    """Who casts the votes."""

    LLM = "llm"
    VERIFIER = "verifier"
    BOTH = "both"


def can_vote(rule: Rule) -> bool:
    """Whether the verifier can cast the votes of a rule: one on each piece, for either side."""
    return rule.show is None and bool(rule.step) and rule.options is SIDE_OPTIONS


def cast_stances(
    entailment: Entailment,
    claim: Claim,
    evidence: Sequence[Evidence],
    rule: Rule,
    calibration: Calibration,
) -> tuple[Vote, ...]:
    """The verifier's votes on a claim, one on each piece of evidence, in order. A question
    without an answer says nothing."""
    answered = [place for place, item in enumerate(evidence) if item.answer != NO_ANSWER]
    read = entailment([(evidence[place].answer, claim.text) for place in answered])
    stances = dict(zip(answered, read, strict=True))
    return tuple(
        constrained_vote(_reply(stances.get(place, SAYS_NOTHING)), SIDE_OPTIONS, calibration,
                         rule.silent)
        for place in range(len(evidence))
    )  # fmt: skip


def joined(first: Vote, second: Vote, rule: Rule, calibration: Calibration) -> Vote:
    """One vote from those of two voters on the same evidence: their probabilities of the options
    are multiplied, each weighing the same. Where one has none, the other's vote."""
    if not first.options or not second.options:
        return first if first.options else second
    shares = [_normalised(vote) for vote in (first, second)]
    both = [(a + b) / 2 for a, b in zip(*shares, strict=True)]
    return constrained_vote(_of_logarithms(both), SIDE_OPTIONS, calibration, rule.silent)


def _normalised(vote: Vote) -> list[float]:
    """The logarithms of a vote's probabilities, which add up to 1 over the options."""
    values = [vote.options[letter] for letter in SIDE_OPTIONS]
    highest = max(values)
    total = highest + math.log(math.fsum(math.exp(value - highest) for value in values))
    return [value - total for value in values]


def _reply(stance: tuple[float, float, float]) -> Reply:
    return _of_logarithms([math.log(max(share, _LEAST)) for share in stance])


def _of_logarithms(values: Sequence[float]) -> Reply:
    likeliest = max(zip(SIDE_OPTIONS, values, strict=True), key=lambda pair: pair[1])[0]
    return Reply(likeliest, tuple(values))
