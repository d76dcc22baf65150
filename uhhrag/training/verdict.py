"""Fit the learned verdict: multinomial logistic regression over what the votes of a claim say.

The weights are fitted by maximum likelihood with a pull towards 0 (L2), so that probabilities mean
what they say. What turns probabilities into a label is chosen afterwards, by the highest mean of
accuracy and macro-F1 in cross-validation that costs little accuracy: the emphasis of the labels, as
powers of their rarity, and the limits below which no piece takes a side and from which evidence
stands on both. The labels that take no side have a power of their own: they are rare, and votes
tell them so badly that by likelihood alone hardly a claim would get one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import product
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from uhhrag.errors import InputError
from uhhrag.records import Label
from uhhrag.rules.learned import FEATURES, NEVER, READINGS, LearnedVerdict, StanceSummary
from uhhrag.rules.reading_head import ReaderHead
from uhhrag.training.reader import FittedReader
from uhhrag.training.regression import (
    FOLDS,
    Regression,
    Rows,
    Targets,
    fit,
    held_out,
    likelihood,
    partitions,
)
from uhhrag.training.score import calibration_error, f1_of

PULLS = (0.003, 0.01, 0.03, 0.1)
"""Strengths of the pull towards 0 that are tried; each weighs against the mean log-likelihood."""
SIDES = (Label.SUPPORTED, Label.REFUTED)
"""The labels that take a side."""
SIDE_POWERS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
NO_SIDE_POWERS = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Powers of a label's rarity that are tried as its emphasis: for the labels of `SIDES`, and for the
others."""
TOLERANCE = 0.02
"""The most accuracy that a choice may cost, of the highest that was reached."""
NEAR = 0.005
"""The most that the mean logarithm of the right label's probability may be below the highest."""
SILENT = (0.0, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6)
OPPOSED = (NEVER, 0.95, 0.9, 0.85, 0.8)
"""Limits that are tried, see `LearnedVerdict.silent_below` and `opposed_from`; the first of
each sets none."""


@dataclass(frozen=True, slots=True)
class VerdictScore:
    """A fitted verdict on claims that it was not fitted on: each claim is decided by a fit on
    the other folds, in each of the partitions, and the numbers are means over these. `mix` counts
    the labels given in the first, `majority` is the accuracy of always giving the commonest."""

    claims: int
    accuracy: float
    macro_f1: float
    calibration_error: float
    majority: float
    mix: dict[str, int]
    f1: dict[str, float]


@dataclass(frozen=True, slots=True)
class _Training:
    """Claims to fit to, in one partition: `values` has shape (claims, features), `targets` holds
    the places of their labels among `labels`, `folds` their folds, `strongest` and `opposed` are
    those of their summaries."""

    values: Rows
    targets: Targets
    folds: Targets
    labels: Sequence[Label]
    strongest: NDArray[np.float64]
    opposed: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Decider:
    """What turns probabilities into labels."""

    emphasis: NDArray[np.float64]
    silent_below: float
    opposed_from: float

    def __call__(self, held: NDArray[np.float64], claims: _Training) -> NDArray[np.int64]:
        """The place of each claim's label, from probabilities of shape (claims, labels)."""
        predicted: NDArray[np.int64] = (held * self.emphasis).argmax(axis=1)
        if Label.CONFLICTING in claims.labels:
            place = claims.labels.index(Label.CONFLICTING)
            predicted[claims.opposed >= self.opposed_from] = place
        if Label.NOT_ENOUGH in claims.labels:
            place = claims.labels.index(Label.NOT_ENOUGH)
            predicted[claims.strongest < self.silent_below] = place
        return predicted


def fit_verdict(
    summaries: Sequence[StanceSummary],
    labels: Sequence[Label],
    field: str,
    voter: str,
    source: str,
    seed: int = 0,
    using: Collection[str] = FEATURES,
    read: FittedReader | None = None,
    groups: Sequence[str] = (),
) -> tuple[LearnedVerdict, VerdictScore]:
    """The learned verdict of claims with summarised evidence and known labels. `source` says what
    they are; the folds follow from `seed`, and claims of one of the `groups`, where they are given,
    stay in one fold. Only the features named by `using` count: with few claims, fewer are safer.
    What a reader made of the same claims, in order, is weighed too.

    Raises InputError where a label has fewer claims than there are folds."""
    known = [label for label in Label if label in set(labels)]
    counts = Counter(labels)
    if rare := [label for label in known if counts[label] < FOLDS]:
        raise InputError(f"{source}: {rare[0]} has {counts[rare[0]]} claims; {FOLDS} are needed")
    targets = np.array([known.index(label) for label in labels])
    divided = [
        _Training(
            values=_values(summaries, using, read.held_out[number] if read else None),
            targets=targets,
            folds=folds,
            labels=known,
            strongest=np.array([summary.strongest for summary in summaries]),
            opposed=np.array([summary.opposed for summary in summaries]),
        )
        for number, folds in enumerate(partitions(targets, seed, groups))
    ]
    score, pull, decider = _best(divided)
    regression = fit(divided[0].values, targets, len(known), pull)
    reader = read.reader if read else None
    fitted = _learned(regression, using, known, decider, reader)
    return replace(fitted, field=field, voter=voter, fitted_on=source), score


def _deciders(claims: _Training) -> list[_Decider]:
    """What is tried: powers of the rarity of the labels, with the limits."""
    rarity = len(claims.targets) / len(claims.labels) / np.bincount(claims.targets)
    powers = product(SIDE_POWERS, NO_SIDE_POWERS)
    return [
        _Decider(
            rarity ** np.array([side if label in SIDES else other for label in claims.labels]),
            silent,
            opposed,
        )
        for (side, other), silent, opposed in product(powers, SILENT, OPPOSED)
    ]


def _best(divided: Sequence[_Training]) -> tuple[VerdictScore, float, _Decider]:
    """The cross-validated score, the pull and the decider with the highest mean of accuracy and
    macro-F1, of equals the first: among the pulls whose likelihood is near the highest, so that
    probabilities mean what they say, and the deciders that cost at most `TOLERANCE` of the highest
    accuracy. Scores are means over the partitions."""
    claims = divided[0]
    held = {pull: [_held_out(one, pull) for one in divided] for pull in PULLS}
    likelihoods = {pull: likelihood(logs, claims.targets) for pull, logs in held.items()}
    likely = [pull for pull in PULLS if likelihoods[pull] >= max(likelihoods.values()) - NEAR]
    tried: list[tuple[float, VerdictScore, float, _Decider]] = []
    for pull, decider in product(likely, _deciders(claims)):
        pairs = zip(held[pull], divided, strict=True)
        score = _mean([_score(np.exp(logs), one, decider) for logs, one in pairs])
        tried.append((round(score.accuracy + score.macro_f1, 9), score, pull, decider))
    least = max(each[1].accuracy for each in tried) - TOLERANCE
    good = (each for each in tried if each[1].accuracy >= least)
    return max(good, key=lambda each: each[0])[1:]


def _held_out(claims: _Training, pull: float) -> Rows:
    return held_out(claims.values, claims.targets, claims.folds, len(claims.labels), pull)


def _mean(scores: Sequence[VerdictScore]) -> VerdictScore:
    """The mean of scores over the partitions, with the labels given in the first."""
    return replace(
        scores[0],
        accuracy=fmean(score.accuracy for score in scores),
        macro_f1=fmean(score.macro_f1 for score in scores),
        calibration_error=fmean(score.calibration_error for score in scores),
        f1={label: fmean(score.f1[label] for score in scores) for label in scores[0].f1},
    )


def _values(summaries: Sequence[StanceSummary], using: Collection[str], read: Rows | None) -> Rows:
    """A row of the features used for each claim, and after them the readings."""
    values = np.array([summary.of(using) for summary in summaries], dtype=float)
    return values if read is None else np.hstack([values, read - read.mean(axis=1, keepdims=True)])


def _learned(
    fitted: Regression,
    using: Collection[str],
    labels: Sequence[Label],
    decider: _Decider,
    reader: ReaderHead | None,
) -> LearnedVerdict:
    return LearnedVerdict(
        field="",
        voter="",
        features=tuple(using) + (READINGS if reader else ()),
        labels=tuple(labels),
        mean=tuple(fitted.mean.tolist()),
        deviation=tuple(fitted.deviation.tolist()),
        weights=tuple(map(tuple, fitted.weights.tolist())),
        bias=tuple(fitted.bias.tolist()),
        emphasis=tuple(map(float, decider.emphasis)),
        fitted_on="",
        silent_below=decider.silent_below,
        opposed_from=decider.opposed_from,
        reader=reader,
    )


def _score(
    probabilities: NDArray[np.float64], claims: _Training, decider: _Decider
) -> VerdictScore:
    predicted, targets, labels = decider(probabilities, claims), claims.targets, claims.labels
    counts = np.bincount(predicted, minlength=len(labels))
    f1 = {str(label): f1_of(predicted, targets, i) for i, label in enumerate(labels)}
    return VerdictScore(
        claims=len(targets),
        accuracy=float((predicted == targets).mean()),
        macro_f1=float(np.mean(list(f1.values()))),
        calibration_error=calibration_error(probabilities, targets),
        majority=float(np.bincount(targets).max() / len(targets)),
        mix={str(label): int(n) for label, n in zip(labels, counts, strict=True)},
        f1=f1,
    )


def as_text(score: VerdictScore) -> str:
    """A score in lines for a terminal."""
    mix = ", ".join(f"{n} {label}" for label, n in score.mix.items())
    f1 = ", ".join(f"{label} {value:.3f}" for label, value in score.f1.items())
    return "\n".join(
        [
            f"{score.claims} claims, cross-validated",
            f"accuracy           {score.accuracy:.3f} (always the commonest label: "
            f"{score.majority:.3f})",
            f"macro-F1           {score.macro_f1:.3f}",
            f"calibration error  {score.calibration_error:.3f}",
            f"verdicts           {mix}",
            f"F1                 {f1}",
        ]
    )
