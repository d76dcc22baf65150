"""The votes of the verifier and the language model together: their mean."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from uhhrag.records import Label, Reply, Vote
from uhhrag.rules.rules import SIDE_OPTIONS, Rule
from uhhrag.voters.ballot import constrained_vote
from uhhrag.voters.calibration import NONE, Calibration
from uhhrag.voters.verifier import LEAST, reply_of


def vote_of_reading(reading: Mapping[Label, float]) -> Vote:
    """A reading of all evidence, the natural logarithms of the labels' probabilities, in the form
    of a vote: Supported is A, Refuted is B, the two others together are C."""
    shares = {label: math.exp(logarithm) for label, logarithm in reading.items()}
    supports, refutes = shares[Label.SUPPORTED], shares[Label.REFUTED]
    stance = (supports, refutes, shares[Label.NOT_ENOUGH] + shares[Label.CONFLICTING])
    return constrained_vote(reply_of(stance), SIDE_OPTIONS, NONE)


def pooled(
    ours: Sequence[Vote], theirs: Sequence[Vote], rule: Rule, calibration: Calibration
) -> tuple[Vote, ...]:
    """The votes of two voters on the same pieces as one each: the mean of the log-probabilities
    of every option, each voter's options adding up to 1 before. A reply without probabilities
    leaves the other voter's vote as it is."""
    return tuple(
        constrained_vote(_mean_reply(a, b), SIDE_OPTIONS, calibration, rule.silent)
        if a.options and b.options
        else (a if a.options else b)
        for a, b in zip(ours, theirs, strict=True)
    )


def _mean_reply(first: Vote, second: Vote) -> Reply:
    """Two votes in the form of one constrained reply."""
    logarithms = tuple(
        (a + b) / 2 for a, b in zip(_normalised(first), _normalised(second), strict=True)
    )
    likeliest = max(zip(SIDE_OPTIONS, logarithms, strict=True), key=lambda pair: pair[1])[0]
    return Reply(likeliest, logarithms, cut=first.cut or second.cut)


def _normalised(vote: Vote) -> list[float]:
    """The log-probabilities of the options A, B and C, of which the probabilities add up to 1."""
    logarithms = [vote.options[option] for option in SIDE_OPTIONS]
    highest = max(logarithms)
    total = highest + math.log(math.fsum(math.exp(value - highest) for value in logarithms))
    return [max(value - total, math.log(LEAST)) for value in logarithms]
