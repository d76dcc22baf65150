"""The learned verdict: from all votes on a claim to probabilities of the four labels.

A vote here is a stance: the probabilities that a piece of evidence supports the claim, refutes it
or says nothing. `features` sums up the stances of a claim, and a multinomial logistic regression
over them (`LearnedVerdict`) gives the probabilities. Evidence that repeats other evidence counts
once. The coefficients stand in `learned.json`; `uhhrag train verdict` fits them on training claims
alone, one entry for each field ("news" for claims of the shared task, "documents" for claims
against a user's own documents), since how often claims are false differs between fields.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median, pstdev

from uhhrag.protocols import Joining
from uhhrag.records import Ballots, Claim, Decision, Evidence, Label, Vote
from uhhrag.rules.reading_head import ReaderHead
from uhhrag.rules.rules import Rule
from uhhrag.text.repetition import without_repeats

NEWS, DOCUMENTS = "news", "documents"
"""The fields of learned verdicts."""

Stance = tuple[float, float, float]
"""Probabilities that evidence supports, refutes, and says nothing; they add up to 1."""

FEATURES = (
    "mean lean",
    "deviation of lean",
    "lowest lean",
    "second lowest lean",
    "highest lean",
    "second highest lean",
    "median lean",
    "lean weighted by similarity",
    "share that supports",
    "share that refutes",
    "mean relevance",
    "highest relevance",
    "mean says nothing",
    "deviation of similarity",
    "lowest similarity",
    "strongest support",
    "strongest refutation",
    "highest similarity",
)
"""The lean of a stance is the log-odds of supports against refutes, its relevance the log-odds of
taking either side against saying nothing. A share counts pieces that lean by more than 1. The
strongest support and refutation are the log-odds of the highest probability of either."""

READINGS = ("reading: supported", "reading: refuted", "reading: not enough", "reading: conflicting")
"""What a fit over votes and a reading has after the `FEATURES`: the natural logarithms of the four
labels' probabilities by the reader, less their mean."""

_LEAST = 1e-5
"""Probabilities below it count as this."""


def stance_of(vote: Vote) -> Stance | None:
    """The stance of a constrained vote over supports, refutes, says nothing (options A, B and C);
    None for a vote of another kind."""
    if set(vote.options) != {"A", "B", "C"}:
        return None
    highest = max(vote.options.values())
    weights = [math.exp(vote.options[letter] - highest) for letter in "ABC"]
    total = math.fsum(weights)
    return weights[0] / total, weights[1] / total, weights[2] / total


def distinct(evidence: Sequence[Evidence]) -> list[int]:
    """The places of the pieces of evidence that do not repeat an earlier one: the same words in
    the same order, whatever case and punctuation.

    >>> distinct([Evidence("Q", "It rained."), Evidence("Q", "it rained"), Evidence("Q", "No.")])
    [0, 2]
    """
    return without_repeats(item.sentence or item.answer for item in evidence)


def features(stances: Sequence[Stance], similarities: Sequence[float]) -> list[float]:
    """The numbers of `FEATURES`, of stances in the order of the evidence, with the cosine of each
    piece to the claim. Needs at least one stance."""
    leans = [_log(supports) - _log(refutes) for supports, refutes, _ in stances]
    relevance = [_log(supports + refutes) - _log(nothing) for supports, refutes, nothing in stances]
    ranked = sorted(leans)
    weight = math.fsum(map(abs, similarities)) or 1.0
    weighted = math.fsum(n * abs(s) for n, s in zip(leans, similarities, strict=True)) / weight
    return [
        fmean(leans),
        pstdev(leans),
        ranked[0],
        ranked[min(1, len(ranked) - 1)],
        ranked[-1],
        ranked[max(-2, -len(ranked))],
        median(leans),
        weighted,
        sum(lean > 1 for lean in leans) / len(leans),
        sum(lean < -1 for lean in leans) / len(leans),
        fmean(relevance),
        max(relevance),
        fmean(nothing for _, _, nothing in stances),
        pstdev(similarities),
        min(similarities),
        _odds(max(supports for supports, _, _ in stances)),
        _odds(max(refutes for _, refutes, _ in stances)),
        max(similarities),
    ]


@dataclass(frozen=True, slots=True)
class StanceSummary:
    """What the stances of a claim come to."""

    features: tuple[float, ...]
    """the numbers of `FEATURES`"""
    strongest: float
    """the strongest probability of a side that any piece takes"""
    opposed: float
    """the probability with which two pieces or more stand on each of the sides"""

    def of(self, names: Collection[str]) -> list[float]:
        """The numbers with these names, in their order."""
        numbers = dict(zip(FEATURES, self.features, strict=True))
        return [numbers[name] for name in names]


def summary(stances: Sequence[Stance], similarities: Sequence[float]) -> StanceSummary:
    """The summary of stances in the order of the evidence, with the cosine of each piece to the
    claim. Needs at least one stance; `opposed` is 0 for a single one.

    >>> read = summary([(0.7, 0.1, 0.2), (0.2, 0.5, 0.3)], [0.9, 0.8])
    >>> read.strongest, read.opposed
    (0.7, 0.1)
    """
    supports = sorted((stance[0] for stance in stances), reverse=True)
    refutes = sorted((stance[1] for stance in stances), reverse=True)
    opposed = min(supports[1], refutes[1]) if len(stances) > 1 else 0.0
    numbers = tuple(features(stances, similarities))
    return StanceSummary(numbers, max(supports[0], refutes[0]), opposed)


def _odds(share: float) -> float:
    """Log-odds of a probability, taken as at least .05 and at most .95: how far below or above it
    is says nothing more."""
    share = min(max(share, 0.05), 0.95)
    return math.log(share / (1.0 - share))


def _log(share: float) -> float:
    return math.log(max(share, _LEAST))


NEVER = 2.0
"""A limit that no probability reaches."""


@dataclass(frozen=True, slots=True)
class LearnedVerdict:
    """A fitted verdict of one field. Row i of `weights` (one column for each of `features`, which
    are first brought to mean 0 and deviation 1 by `mean` and `deviation`) and `bias[i]` give the
    score of `labels[i]`; a softmax over the scores gives probabilities. The likely label is the one
    with the highest product of probability and `emphasis`.

    Two limits come before it, since rare labels would hardly ever be the likeliest. The verdict is
    Not Enough Evidence where no piece takes a side with a probability of at least `silent_below`,
    and Conflicting where two pieces stand on each side with at least `opposed_from`."""

    field: str
    voter: str
    features: tuple[str, ...]
    labels: tuple[Label, ...]
    mean: tuple[float, ...]
    deviation: tuple[float, ...]
    weights: tuple[tuple[float, ...], ...]
    bias: tuple[float, ...]
    emphasis: tuple[float, ...]
    fitted_on: str
    silent_below: float = 0.0
    opposed_from: float = NEVER
    reader: ReaderHead | None = None

    def of_features(self, values: Sequence[float]) -> dict[Label, float]:
        """The probability of each label, for the numbers of `features`."""
        row = [(v - m) / d for v, m, d in zip(values, self.mean, self.deviation, strict=True)]
        scores = [
            bias + math.fsum(w * x for w, x in zip(weights, row, strict=True))
            for weights, bias in zip(self.weights, self.bias, strict=True)
        ]
        shares = [math.exp(score - max(scores)) for score in scores]
        total = math.fsum(shares)
        return {label: share / total for label, share in zip(self.labels, shares, strict=True)}

    def __call__(
        self,
        evidence: Sequence[Evidence],
        votes: Sequence[Vote],
        reading: Sequence[float] = (),
    ) -> Decision:
        """The verdict on a claim; votes[i] is the vote on evidence[i], `reading` the natural
        logarithms of the labels' probabilities by the reader, where there is one. Not Enough
        Evidence for certain where no vote has a stance."""
        rows = [
            (stance, evidence[place].retrieval_score)
            for place in distinct(evidence)
            if (stance := stance_of(votes[place]))
        ]
        if not rows:
            nothing = {label: float(label is Label.NOT_ENOUGH) for label in Label}
            return Decision(Label.NOT_ENOUGH, None, nothing)
        read = summary([stance for stance, _ in rows], [cosine for _, cosine in rows])
        names = [name for name in self.features if name not in READINGS]
        probabilities = self.of_features([*read.of(names), *centred(reading)])
        likely = self.label_of(probabilities)
        label = self.limited(read) or likely
        leaning = likely if likely not in (label, Label.NOT_ENOUGH) else None
        return Decision(label, leaning, probabilities)

    def limited(self, read: StanceSummary) -> Label | None:
        """The label that follows from the limits alone; None where they leave it open."""
        if read.strongest < self.silent_below:
            return Label.NOT_ENOUGH
        return Label.CONFLICTING if read.opposed >= self.opposed_from else None

    def label_of(self, probabilities: Mapping[Label, float]) -> Label:
        """The likely label for probabilities of all labels; of equals the first."""
        weights = dict(zip(self.labels, self.emphasis, strict=True))
        return max(probabilities, key=lambda label: probabilities[label] * weights.get(label, 1.0))


def centred(reading: Sequence[float]) -> list[float]:
    """The numbers of `READINGS`.

    >>> centred([-1.0, -3.0]), centred([])
    ([1.0, -1.0], [])
    """
    mean = fmean(reading) if reading else 0.0
    return [value - mean for value in reading]


def joining(rule: Rule, learned: LearnedVerdict | None) -> Joining:
    """What joins the votes: the rule, or the verdict that was fitted for it."""

    def join(claim: Claim, evidence: Sequence[Evidence], ballots: Ballots) -> Decision:
        if learned is None:
            return Decision(rule.decide(ballots.votes))
        return learned(evidence, ballots.votes, tuple(ballots.reading.values()))

    return join
