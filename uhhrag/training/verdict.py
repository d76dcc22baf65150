"""Fit the learned verdict: multinomial logistic regression over what the votes of a claim say.

The weights are fitted by maximum likelihood with a pull towards 0 (L2), so that probabilities mean
what they say. What turns probabilities into a label is chosen afterwards, by the highest mean of
accuracy and macro-F1 in cross-validation that costs little accuracy: the emphasis of the labels, as
a power of their rarity, and the limits below which no piece takes a side and from which evidence
stands on both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from uhhrag.errors import InputError
from uhhrag.records import Label
from uhhrag.training.score import calibration_error, f1_of
from uhhrag.verdict.learned import FEATURES, NEVER, LearnedVerdict, StanceSummary

FOLDS = 5
PULLS = (0.003, 0.01, 0.03, 0.1)
"""Strengths of the pull towards 0 that are tried; each weighs against the mean log-likelihood."""
POWERS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0)
TOLERANCE = 0.02
"""The most accuracy that a choice may cost, of the highest that was reached."""
SILENT = (0.0, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6)
OPPOSED = (NEVER, 0.95, 0.9, 0.85, 0.8)
"""Limits that are tried, see `LearnedVerdict.silent_below` and `opposed_from`; the first of
each sets none."""


@dataclass(frozen=True, slots=True)
class VerdictScore:
    """A fitted verdict on claims that it was not fitted on: each claim is decided by a fit on
    the other folds. `mix` counts the labels given, `majority` is the accuracy of always giving
    the commonest label."""

    claims: int
    accuracy: float
    macro_f1: float
    calibration_error: float
    majority: float
    mix: dict[str, int]
    f1: dict[str, float]


@dataclass(frozen=True, slots=True)
class _Training:
    """Claims to fit to: `values` has shape (claims, features), `targets` holds the places of their
    labels among `labels`, `strongest` and `opposed` are those of their summaries."""

    values: NDArray[np.float64]
    targets: NDArray[np.int64]
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
) -> tuple[LearnedVerdict, VerdictScore]:
    """The learned verdict of claims with summarised evidence and known labels. `source` says what
    they are; the folds follow from `seed`. Only the features named by `using` get a weight: with
    few claims, fewer are safer.

    Raises InputError where a label has fewer claims than there are folds."""
    known = [label for label in Label if label in set(labels)]
    counts = Counter(labels)
    if rare := [label for label in known if counts[label] < FOLDS]:
        raise InputError(f"{source}: {rare[0]} has {counts[rare[0]]} claims; {FOLDS} are needed")
    claims = _Training(
        values=_masked([summary.features for summary in summaries], using),
        targets=np.array([known.index(label) for label in labels]),
        labels=known,
        strongest=np.array([summary.strongest for summary in summaries]),
        opposed=np.array([summary.opposed for summary in summaries]),
    )
    score, pull, decider = _best(claims, _folds(claims.targets, seed))
    fitted = replace(
        _fit(claims.values, claims.targets, known, pull),
        field=field,
        voter=voter,
        fitted_on=source,
        emphasis=tuple(map(float, decider.emphasis)),
        silent_below=decider.silent_below,
        opposed_from=decider.opposed_from,
    )
    return fitted, score


def _best(claims: _Training, folds: NDArray[np.int64]) -> tuple[VerdictScore, float, _Decider]:
    """The cross-validated score, the pull and the decider with the highest mean of accuracy and
    macro-F1 among those that cost at most `TOLERANCE` of the highest accuracy; of equals the
    first."""
    rarity = len(claims.targets) / len(claims.labels) / np.bincount(claims.targets)
    tried: list[tuple[float, VerdictScore, float, _Decider]] = []
    for pull in PULLS:
        held = _cross_validated(claims.values, claims.targets, folds, claims.labels, pull)
        for power, silent, opposed in product(POWERS, SILENT, OPPOSED):
            decider = _Decider(rarity**power, silent, opposed)
            score = _score(held, claims, decider)
            tried.append((round(score.accuracy + score.macro_f1, 9), score, pull, decider))
    least = max(each[1].accuracy for each in tried) - TOLERANCE
    good = (each for each in tried if each[1].accuracy >= least)
    return max(good, key=lambda each: each[0])[1:]


def _masked(rows: Sequence[Sequence[float]], using: Collection[str]) -> NDArray[np.float64]:
    """The rows with 0 in the columns of features that are not used."""
    values = np.array(rows, dtype=float)
    values[:, [name not in using for name in FEATURES]] = 0.0
    return values


def _cross_validated(
    values: NDArray[np.float64],
    targets: NDArray[np.int64],
    folds: NDArray[np.int64],
    labels: Sequence[Label],
    pull: float,
) -> NDArray[np.float64]:
    """The probabilities of each claim, shape (claims, labels), by a fit on the other folds."""
    held = np.zeros((len(targets), len(labels)))
    for fold in range(FOLDS):
        inside = folds != fold
        fitted = _fit(values[inside], targets[inside], labels, pull)
        held[~inside] = [list(fitted.of_features(row).values()) for row in values[~inside]]
    return held


def _folds(targets: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """The fold of each claim: every label spread evenly over the folds."""
    chance = np.random.default_rng(seed)
    folds = np.zeros(len(targets), dtype=np.int64)
    for label in set(targets.tolist()):
        places = chance.permutation(np.flatnonzero(targets == label))
        folds[places] = np.arange(len(places)) % FOLDS
    return folds


def _fit(
    values: NDArray[np.float64], targets: NDArray[np.int64], labels: Sequence[Label], pull: float
) -> LearnedVerdict:
    mean, deviation = values.mean(axis=0), values.std(axis=0).clip(min=1e-6)
    rows = np.hstack([(values - mean) / deviation, np.ones((len(values), 1))])
    shape = (len(labels), rows.shape[1])
    truth = np.eye(len(labels))[targets]

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        weights = flat.reshape(shape)
        scores = rows @ weights.T
        scores -= scores.max(axis=1, keepdims=True)
        logs = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
        pulled = weights.copy()
        pulled[:, -1] = 0
        gradient = (np.exp(logs) - truth).T @ rows / len(rows) + 2 * pull * pulled
        value = -(truth * logs).sum() / len(rows) + pull * (pulled**2).sum()
        return float(value), gradient.ravel()

    flat = minimize(loss, np.zeros(shape[0] * shape[1]), jac=True, method="L-BFGS-B").x
    weights = flat.reshape(shape)
    return LearnedVerdict(
        field="",
        voter="",
        features=FEATURES,
        labels=tuple(labels),
        mean=tuple(map(float, mean)),
        deviation=tuple(map(float, deviation)),
        weights=tuple(tuple(map(float, row)) for row in weights[:, :-1]),
        bias=tuple(map(float, weights[:, -1])),
        emphasis=(1.0,) * len(labels),
        fitted_on="",
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
