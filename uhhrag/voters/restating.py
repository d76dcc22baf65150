"""Reads a claim again with the evidence's own figures: a verifier knows whether evidence says that
312 people came, but not whether 312 are more than 300."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from uhhrag.protocols import Entailment
from uhhrag.rules.learned import Stance
from uhhrag.text.restatements import Restated, restated

_FOUND = re.compile(r"» (.*?) «")
_GATES = {True: (3.0, 0.65), False: (20.0, 0.79)}
"""Slope and middle of the weight of a figure that meets, or does not meet, what the claim says, by
the probability that it is the one meant; fitted on 267 claims on passages kept from training and
79 on documents."""
_FAR = 0.07
"""Subtracted from this probability per e-fold between the two figures; fitted with the gates."""
_SILENT = 0.95
"""Evidence that so probably says nothing is not read again."""
_DECIDES = 0.5
_SHARP = 6
"""Figures share the weight by this power of their probabilities."""


class FigureReading(NamedTuple):
    stance: Stance
    told: str
    """How the figure that decided compares with the claim's; "" if none did."""


def with_figures(
    entailment: Entailment, pairs: Sequence[tuple[str, str]], apart: Collection[int] = ()
) -> list[FigureReading]:
    """Pairs of evidence and claim, in order; figures come from found sentences, not of pairs
    `apart`."""
    stances = list(entailment(pairs))
    told = [
        (at, one)
        for at, (text, claim) in enumerate(pairs)
        if stances[at][2] < _SILENT and at not in apart
        for one in restated(claim, _answers_in(text))
    ]
    asked = entailment([(pairs[at][0], one.claim) for at, one in told]) if told else ()
    said: dict[int, list[tuple[Restated, float]]] = {}
    for (at, one), stance in zip(told, asked, strict=True):
        said.setdefault(at, []).append((one, max(stance[0] - _FAR * one.far, 0.0)))
    return [_decided(stances[at], said.get(at, ())) for at in range(len(pairs))]


def _answers_in(text: str) -> str:
    """
    >>> _answers_in("Fair. In May 90 came. » Did 300 come in June? No, 280. « It rained.")
    'No, 280.'
    """
    parted = (part.partition("? ") for part in _FOUND.findall(text) or [text])
    return " ".join(answer or asked for asked, _, answer in parted)


def _decided(plain: Stance, said: Sequence[tuple[Restated, float]]) -> FigureReading:
    """The reading as it stands and what its figures say, by how surely one is meant.

    >>> came = Restated("312 people came.", False, 0.0, "312: not fewer than 300")
    >>> read = _decided((0.5, 0.4, 0.1), [(came, 0.95)])
    >>> [round(one, 2) for one in read.stance], read.told
    ([0.02, 0.93, 0.05], '312: not fewer than 300')
    >>> [round(one, 2) for one in _decided((0.5, 0.4, 0.1), [(came, 0.4)]).stance]
    [0.5, 0.4, 0.1]
    """
    if not said:
        return FigureReading(plain, "")
    best = {met: _surest(said, met) for met in (True, False, None)}
    total = sum(p**_SHARP for _, p in best.values()) or 1.0
    weights = {
        met: _gate(met, p) * p**_SHARP / total for met, (_, p) in best.items() if met is not None
    }
    kept = 1 - sum(weights.values())
    supports = kept * plain[0] + weights[True] * best[True][1]
    refutes = kept * plain[1] + weights[False] * best[False][1]
    told = next((best[met][0] for met, weight in weights.items() if weight > _DECIDES), "")
    return FigureReading((supports, refutes, max(1 - supports - refutes, 0.0)), told)


def _surest(said: Sequence[tuple[Restated, float]], met: bool | None) -> tuple[str, float]:
    """What it tells, and its probability."""
    alike = [(one.told, probability) for one, probability in said if one.met is met]
    return max(alike, key=lambda one: one[1], default=("", 0.0))


def _gate(met: bool, probability: float) -> float:
    slope, middle = _GATES[met]
    return 1 / (1 + math.exp(slope * (middle - probability)))
