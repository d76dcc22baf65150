"""Evidence → votes by the verifier.

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


def _reply(stance: tuple[float, float, float]) -> Reply:
    """A stance in the form of a constrained reply."""
    logarithms = tuple(math.log(max(share, _LEAST)) for share in stance)
    likeliest = max(zip(SIDE_OPTIONS, logarithms, strict=True), key=lambda pair: pair[1])[0]
    return Reply(likeliest, logarithms)
