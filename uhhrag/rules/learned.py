"""Logistic regression from a claim's stances to labels, by field."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median, pstdev

from uhhrag.records import Ballots, Claim, Decision, Evidence, Label, Vote
from uhhrag.records.pages import TAKEN_BACK
from uhhrag.rules.reading_head import ReaderHead, linear, softmax
from uhhrag.text.repetition import without_repeats

NEWS, DOCUMENTS = "news", "documents"
"""the shared task's claims; a user's documents"""

Stance = tuple[float, float, float]
"""Supports, refutes, says nothing; the sum is 1."""

READINGS = ("reading: supported", "reading: refuted", "reading: not enough", "reading: conflicting")
"""The reader's log-probabilities of the labels, less their mean."""

_MIN_PROBABILITY = 1e-5


def stance_of(vote: Vote) -> Stance | None:
    """None for votes without options A, B, C."""
    if set(vote.options) != {"A", "B", "C"}:
        return None
    supports, refutes, nothing = softmax([vote.options[letter] for letter in "ABC"])
    return supports, refutes, nothing


def features(stances: Sequence[Stance], similarities: Sequence[float]) -> dict[str, float]:
    """Of at least one stance; similarities are cosines to the claim. Lean: log-odds of supports
    against refutes; relevance: of either against nothing; strongest: of the highest probability.
    Shares count leans beyond ±1."""
    leans = [_log(supports) - _log(refutes) for supports, refutes, _ in stances]
    relevance = [_log(supports + refutes) - _log(nothing) for supports, refutes, nothing in stances]
    ranked = sorted(leans)
    weight = math.fsum(map(abs, similarities)) or 1.0
    weighted = math.fsum(n * abs(s) for n, s in zip(leans, similarities, strict=True)) / weight
    return {
        "mean lean": fmean(leans),
        "deviation of lean": pstdev(leans),
        "lowest lean": ranked[0],
        "second lowest lean": ranked[min(1, len(ranked) - 1)],
        "highest lean": ranked[-1],
        "second highest lean": ranked[max(-2, -len(ranked))],
        "median lean": median(leans),
        "lean weighted by similarity": weighted,
        "share that supports": sum(lean > 1 for lean in leans) / len(leans),
        "share that refutes": sum(lean < -1 for lean in leans) / len(leans),
        "mean relevance": fmean(relevance),
        "highest relevance": max(relevance),
        "mean says nothing": fmean(nothing for _, _, nothing in stances),
        "deviation of similarity": pstdev(similarities),
        "lowest similarity": min(similarities),
        "strongest support": _odds(max(supports for supports, _, _ in stances)),
        "strongest refutation": _odds(max(refutes for _, refutes, _ in stances)),
        "highest similarity": max(similarities),
    }


@dataclass(frozen=True, slots=True)
class StanceSummary:
    features: Mapping[str, float]
    strongest: float
    """highest probability of a side"""
    opposed: float
    """with which two pieces take each side"""
    disputed: float
    """the same, of one piece"""

    def of(self, names: Collection[str]) -> list[float]:
        return [self.features[name] for name in names]


def summary(stances: Sequence[Stance], similarities: Sequence[float]) -> StanceSummary:
    """As `features`.

    >>> read = summary([(0.7, 0.1, 0.2), (0.2, 0.5, 0.3)], [0.9, 0.8])
    >>> read.strongest, read.opposed, read.disputed
    (0.7, 0.1, 0.5)
    """
    supports = sorted((stance[0] for stance in stances), reverse=True)
    refutes = sorted((stance[1] for stance in stances), reverse=True)
    opposed = min(supports[1], refutes[1]) if len(stances) > 1 else 0.0
    best = supports[0], refutes[0]
    return StanceSummary(features(stances, similarities), max(best), opposed, min(best))


def _odds(share: float) -> float:
    share = min(max(share, 0.05), 0.95)
    return math.log(share / (1.0 - share))


def _log(share: float) -> float:
    return math.log(max(share, _MIN_PROBABILITY))


FEATURES = tuple(features([(0.0, 0.0, 1.0)], [0.0]))
"""Their names, in order."""
NEVER = 2.0
"""above every probability"""
DISPUTED = 0.8
"""`opposed_from` of a verdict fitted without conflicting claims, which are rare on one document."""


@dataclass(frozen=True, slots=True)
class LearnedVerdict:
    field: str
    voter: str
    features: tuple[str, ...]
    labels: tuple[Label, ...]
    mean: tuple[float, ...]
    """standardises features, with `deviation`"""
    deviation: tuple[float, ...]
    weights: tuple[tuple[float, ...], ...]
    """row i scores `labels[i]`, before softmax"""
    bias: tuple[float, ...]
    emphasis: tuple[float, ...]
    """the label maximises probability times emphasis"""
    fitted_on: str
    silent_below: float = 0.0
    """Not Enough Evidence if `strongest` is lower"""
    opposed_from: float = NEVER
    """Conflicting from this `opposed`; if never fitted, Not Enough from this `disputed`"""
    supported_from: float = 0.0
    refuted_from: float = 0.0
    """Not Enough Evidence if Supported, or Refuted, is likeliest at a lower probability"""
    reader: ReaderHead | None = None

    def of_features(self, values: Sequence[float]) -> dict[Label, float]:
        row = [(v - m) / d for v, m, d in zip(values, self.mean, self.deviation, strict=True)]
        scores = linear(self.weights, self.bias, row)
        return dict(zip(self.labels, softmax(scores), strict=True))

    def __call__(
        self,
        evidence: Sequence[Evidence],
        votes: Sequence[Vote],
        reading: Sequence[float] = (),
    ) -> Decision:
        """votes[i] is on evidence[i]; `reading` are log-probabilities."""
        own = [at for at, item in enumerate(evidence) if not item.noted(TAKEN_BACK)]
        rows = [
            (stance, evidence[own[place]].retrieval_score)
            for place in without_repeats(evidence[at].found for at in own)
            if (stance := stance_of(votes[own[place]]))
        ]
        if not rows:
            nothing = {label: float(label is Label.NOT_ENOUGH) for label in Label}
            return Decision(Label.NOT_ENOUGH, None, nothing)
        read = summary([stance for stance, _ in rows], [cosine for _, cosine in rows])
        names = [name for name in self.features if name not in READINGS]
        mean = fmean(reading) if reading else 0.0
        probabilities = self.of_features([*read.of(names), *(one - mean for one in reading)])
        likely = self.label_of(probabilities)
        least = {Label.SUPPORTED: self.supported_from, Label.REFUTED: self.refuted_from}
        doubted = probabilities[likely] < least.get(likely, 0.0)
        label = self.limited(read) or (Label.NOT_ENOUGH if doubted else likely)
        leaning = likely if likely not in (label, Label.NOT_ENOUGH) else None
        return Decision(label, leaning, probabilities)

    def join(self, claim: Claim, evidence: Sequence[Evidence], ballots: Ballots) -> Decision:
        return self(evidence, ballots.votes, tuple(ballots.reading.values()))

    def limited(self, read: StanceSummary) -> Label | None:
        """None if probabilities decide."""
        if read.strongest < self.silent_below:
            return Label.NOT_ENOUGH
        if Label.CONFLICTING in self.labels:
            return Label.CONFLICTING if read.opposed >= self.opposed_from else None
        return Label.NOT_ENOUGH if read.disputed >= self.opposed_from else None

    def label_of(self, probabilities: Mapping[Label, float]) -> Label:
        weights = dict(zip(self.labels, self.emphasis, strict=True))
        return max(probabilities, key=lambda label: probabilities[label] * weights.get(label, 1.0))
