"""Fits logistic regression to a claim's votes; then, by cross-validated accuracy and macro-F1,
emphasis (a power of labels' rarity) and limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import product
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from uhhrag.errors import InputError
from uhhrag.records import Label
from uhhrag.rules.learned import DISPUTED, FEATURES, NEVER, READINGS, LearnedVerdict, StanceSummary
from uhhrag.system.terminal import quantity
from uhhrag.training import regression
from uhhrag.training.regression import FOLDS, FittedReader, Rows, Targets, held_out
from uhhrag.training.score import calibration_error, f1_of

PULLS = (0.003, 0.01, 0.03, 0.1)
"""L2 strengths."""
SIDES = (Label.SUPPORTED, Label.REFUTED)
SIDE_POWERS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
NO_SIDE_POWERS = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Powers of rarity: for `SIDES`, and for the other labels."""
TOLERANCE = 0.02
"""Accuracy that a choice may cost."""
NEAR = 0.005
"""Mean log-likelihood that a pull may cost."""
SILENT = (0.0, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6)
OPPOSED = (NEVER, 0.95, 0.9, 0.85, 0.8)
"""Limits; the first is none."""
ASSURED = (0.0, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8)
"""Probabilities from which a side may be given, the lowest that is right often enough."""


@dataclass(frozen=True, slots=True)
class VerdictScore:
    """Cross-validated means over the partitions."""

    claims: int
    accuracy: float
    macro_f1: float
    calibration_error: float
    majority: float
    """accuracy of always giving the commonest label"""
    mix: dict[str, int]
    """labels given in the first partition"""
    f1: dict[str, float]
    right: dict[str, float]
    """share of the claims given each of `SIDES`"""
    wanted: tuple[float, ...] = (0.0, 0.0)
    """least `right` asked for"""
    exchanged: bool = False
    """copies of the claims with exchanged sides count in all shares and `mix`"""


@dataclass(frozen=True, slots=True)
class _Training:
    values: Rows
    """(claims, features)"""
    targets: Targets
    """indices into `labels`"""
    folds: Targets
    labels: Sequence[Label]
    strongest: NDArray[np.float64]
    opposed: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Decider:
    emphasis: NDArray[np.float64]
    silent_below: float
    opposed_from: float
    given_from: tuple[float, ...] = (0.0, 0.0)
    """for each of `SIDES`"""

    def __call__(self, held: NDArray[np.float64], claims: _Training) -> NDArray[np.int64]:
        """(claims, labels) → label indices."""
        predicted: NDArray[np.int64] = (held * self.emphasis).argmax(axis=1)
        place = {label: at for at, label in enumerate(claims.labels)}
        for label, least in zip(SIDES, self.given_from, strict=True):
            if {label, Label.NOT_ENOUGH} <= place.keys():
                side = place[label]
                doubted = (predicted == side) & (held[:, side] < least)
                predicted[doubted] = place[Label.NOT_ENOUGH]
        if Label.CONFLICTING in place:
            predicted[claims.opposed >= self.opposed_from] = place[Label.CONFLICTING]
        if Label.NOT_ENOUGH in place:
            predicted[claims.strongest < self.silent_below] = place[Label.NOT_ENOUGH]
        return predicted


def known_labels(labels: Sequence[Label], source: str) -> list[Label]:
    """Those that occur. Raises InputError for one too rare for cross-validation."""
    counts = Counter(labels)
    known = [label for label in Label if counts[label]]
    if rare := [label for label in known if counts[label] < FOLDS]:
        raise InputError(
            f"{source}: {rare[0]} has {quantity(counts[rare[0]], 'claim')}; {FOLDS} are needed"
        )
    return known


def fit_verdict(
    summaries: Sequence[StanceSummary],
    labels: Sequence[Label],
    field: str,
    voter: str,
    source: str,
    using: Collection[str] = FEATURES,
    read: FittedReader | None = None,
    groups: Sequence[str] = (),
    right: tuple[float, ...] = (0.0, 0.0),
) -> tuple[LearnedVerdict, VerdictScore]:
    """`using` names features; `groups` stay whole; `right` is the least share right among claims
    given each of `SIDES`. Raises InputError for a rare label."""
    known = known_labels(labels, source)
    targets = np.array([known.index(label) for label in labels])
    strongest = np.array([summary.strongest for summary in summaries])
    opposed = np.array([summary.opposed for summary in summaries])
    divided = []
    for number, folds in enumerate(regression.partitions(targets, groups)):
        values = _values(summaries, using, read.held_out[number] if read else None)
        divided.append(_Training(values, targets, folds, known, strongest, opposed))
    score, pull, decider = _best(divided, right)
    fit = regression.fit(divided[0].values, targets, len(known), pull)
    reader = read.reader if read else None
    fitted = LearnedVerdict(
        field=field,
        voter=voter,
        features=tuple(using) + (READINGS if reader else ()),
        labels=tuple(known),
        mean=tuple(fit.mean.tolist()),
        deviation=tuple(fit.deviation.tolist()),
        weights=tuple(map(tuple, fit.weights.tolist())),
        bias=tuple(fit.bias.tolist()),
        emphasis=tuple(map(float, decider.emphasis)),
        fitted_on=source,
        silent_below=decider.silent_below,
        opposed_from=decider.opposed_from if Label.CONFLICTING in known else DISPUTED,
        supported_from=decider.given_from[0],
        refuted_from=decider.given_from[1],
        reader=reader,
    )
    return fitted, score


def _deciders(claims: _Training) -> list[_Decider]:
    rarity = len(claims.targets) / len(claims.labels) / np.bincount(claims.targets)
    takes_side = [label in SIDES for label in claims.labels]
    return [
        _Decider(rarity ** np.where(takes_side, side, other), silent, opposed)
        for side, other, silent, opposed in product(SIDE_POWERS, NO_SIDE_POWERS, SILENT, OPPOSED)
    ]


def _best(
    divided: Sequence[_Training], right: Sequence[float]
) -> tuple[VerdictScore, float, _Decider]:
    claims = divided[0]
    classes = len(claims.labels)
    held = {
        pull: [held_out(one.values, one.targets, one.folds, classes, pull) for one in divided]
        for pull in PULLS
    }
    likelihoods = {pull: regression.likelihood(logs, claims.targets) for pull, logs in held.items()}
    likely = [pull for pull in PULLS if likelihoods[pull] >= max(likelihoods.values()) - NEAR]

    def score_of(pull: float, decider: _Decider) -> VerdictScore:
        pairs = zip(held[pull], divided, strict=True)
        return _mean([_score(np.exp(logs), one, decider) for logs, one in pairs])

    tried = [(score_of(*one), *one) for one in product(likely, _deciders(claims))]
    least = max(score.accuracy for score, *_ in tried) - TOLERANCE
    good = (each for each in tried if each[0].accuracy >= least)
    _, pull, decider = max(good, key=lambda each: round(each[0].accuracy + each[0].macro_f1, 9))
    careful = [replace(decider, given_from=(lowest, lowest)) for lowest in ASSURED]
    limits = [(low, score_of(pull, one).right) for low, one in zip(ASSURED, careful, strict=True)]

    def lowest(side: Label, share: float) -> float:
        return next((low for low, shares in limits if shares[side] >= share), ASSURED[-1])

    given_from = tuple(lowest(side, share) for side, share in zip(SIDES, right, strict=True))
    decider = replace(decider, given_from=given_from)
    return replace(score_of(pull, decider), wanted=tuple(right)), pull, decider


def _mean(scores: Sequence[VerdictScore]) -> VerdictScore:
    names = ("accuracy", "macro_f1", "calibration_error")
    means: Any = {name: fmean(getattr(score, name) for score in scores) for name in names}
    f1 = {label: fmean(score.f1[label] for score in scores) for label in scores[0].f1}
    right = {side: fmean(score.right[side] for score in scores) for side in scores[0].right}
    return replace(scores[0], f1=f1, right=right, **means)


def _values(summaries: Sequence[StanceSummary], using: Collection[str], read: Rows | None) -> Rows:
    values = np.array([summary.of(using) for summary in summaries], dtype=float)
    return values if read is None else np.hstack([values, read - read.mean(axis=1, keepdims=True)])


def _score(
    probabilities: NDArray[np.float64], claims: _Training, decider: _Decider
) -> VerdictScore:
    predicted, targets, labels = decider(probabilities, claims), claims.targets, claims.labels
    counts = np.bincount(predicted, minlength=len(labels))
    f1 = {str(label): f1_of(predicted, targets, i) for i, label in enumerate(labels)}
    given = {s: (predicted == targets)[predicted == labels.index(s)] for s in SIDES if s in labels}
    return VerdictScore(
        claims=len(targets),
        accuracy=float((predicted == targets).mean()),
        macro_f1=float(np.mean(list(f1.values()))),
        calibration_error=calibration_error(probabilities, targets),
        majority=float(np.bincount(targets).max() / len(targets)),
        mix={str(label): int(n) for label, n in zip(labels, counts, strict=True)},
        f1=f1,
        right={str(s): float(given[s].mean()) if len(given.get(s, ())) else 1.0 for s in SIDES},
    )


def as_text(score: VerdictScore) -> str:
    claims = quantity(score.claims, "claim") + " and as many with exchanged sides" * score.exchanged
    mix = ", ".join(f"{n} {label}" for label, n in score.mix.items())
    f1 = ", ".join(f"{label} {value:.3f}" for label, value in score.f1.items())
    return "\n".join(
        [
            f"{claims}, cross-validated",
            f"accuracy           {score.accuracy:.3f} (always the commonest label: "
            f"{score.majority:.3f})",
            f"macro-F1           {score.macro_f1:.3f}",
            f"calibration error  {score.calibration_error:.3f}",
            f"verdicts           {mix}",
            f"F1                 {f1}",
            *(f"{f'{side}, right':<18} {share:.3f}" for side, share in score.right.items()),
            *(
                f"no limit makes {side} right in {least:.3f}: give more claims"
                for side, least in zip(SIDES, score.wanted, strict=True)
                if score.right[side] < least
            ),
        ]
    )
