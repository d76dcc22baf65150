"""Multinomial logistic regression with L2, cross-validated; readers (`rules.reading_head`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import log_softmax

from uhhrag.errors import InputError
from uhhrag.records import Label
from uhhrag.rules.reading_head import PIECES, ReaderHead, encoded
from uhhrag.system.terminal import quantity

PULLS = (0.3, 1.0, 3.0, 10.0)
"""L2 strengths: a state has more numbers than there are claims."""
FOLDS, PARTITIONS = 5, 3
"""Folds, and partitions into them: at a thousand claims one partition's accuracy is off by 0.01."""

Rows = NDArray[np.float64]
Targets = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Regression:
    """On standardised columns."""

    mean: Rows
    """(features,)"""
    deviation: Rows
    weights: Rows
    """(classes, features)"""
    bias: Rows

    def log_probabilities(self, rows: Rows) -> Rows:
        scores = (rows - self.mean) / self.deviation @ self.weights.T + self.bias
        logs: Rows = log_softmax(scores, axis=1)
        return logs


def fit(values: Rows, targets: Targets, classes: int, pull: float) -> Regression:
    """Maximises mean log-likelihood less `pull` times the weights' sum of squares."""
    mean, deviation = values.mean(axis=0), values.std(axis=0).clip(min=1e-6)
    rows = np.hstack([(values - mean) / deviation, np.ones((len(values), 1))])
    shape = (classes, rows.shape[1])
    truth = np.eye(classes)[targets]

    def loss(flat: Rows) -> tuple[float, Rows]:
        weights = flat.reshape(shape)
        logs = log_softmax(rows @ weights.T, axis=1)
        pulled = weights.copy()
        pulled[:, -1] = 0
        gradient = (np.exp(logs) - truth).T @ rows / len(rows) + 2 * pull * pulled
        value = -(truth * logs).sum() / len(rows) + pull * (pulled**2).sum()
        return float(value), gradient.ravel()

    flat = minimize(loss, np.zeros(shape[0] * shape[1]), jac=True, method="L-BFGS-B").x
    weights = flat.reshape(shape)
    return Regression(mean, deviation, weights[:, :-1], weights[:, -1])


def partitions(targets: Targets, groups: Sequence[str]) -> list[Targets]:
    """Each claim's fold, by partition. Raises InputError for fewer groups than folds."""
    if not groups:
        return [folds_of(targets, seed) for seed in range(PARTITIONS)]
    if (known := len(set(groups))) < FOLDS:
        raise InputError(f"the claims are of {quantity(known, 'group')}; {FOLDS} are needed")
    return [folds_of_groups(groups, seed) for seed in range(PARTITIONS)]


def folds_of_groups(groups: Sequence[str], seed: int) -> Targets:
    names = sorted(set(groups))
    order = np.random.default_rng(seed).permutation(len(names))
    fold = {names[place]: number % FOLDS for number, place in enumerate(order.tolist())}
    return np.array([fold[group] for group in groups], dtype=np.int64)


def folds_of(targets: Targets, seed: int) -> Targets:
    chance = np.random.default_rng(seed)
    folds = np.zeros(len(targets), dtype=np.int64)
    for label in set(targets.tolist()):
        places = chance.permutation(np.flatnonzero(targets == label))
        folds[places] = np.arange(len(places)) % FOLDS
    return folds


def held_out(values: Rows, targets: Targets, folds: Targets, classes: int, pull: float) -> Rows:
    """Log-probabilities by fits on the other folds, (claims, classes)."""
    held = np.zeros((len(targets), classes))
    for fold in np.unique(folds):
        inside = folds != fold
        fitted = fit(values[inside], targets[inside], classes, pull)
        held[~inside] = fitted.log_probabilities(values[~inside])
    return held


def likelihood(partitioned: Sequence[Rows], targets: Targets) -> float:
    everyone = np.arange(len(targets))
    return float(np.mean([logs[everyone, targets].mean() for logs in partitioned]))


@dataclass(frozen=True, slots=True)
class FittedReader:
    reader: ReaderHead
    held_out: tuple[Rows, ...]
    """log-probabilities by other claims' fits, (claims, labels), by partition"""


def fit_reader(
    states: Rows, labels: Sequence[Label], model: str, template: str, groups: Sequence[str] = ()
) -> FittedReader:
    """The best in cross-validation. `states`: (claims, width). Raises InputError for a rare
    label."""
    known = list(Label)
    targets = np.array([known.index(label) for label in labels])
    counts = np.bincount(targets, minlength=len(known))
    if counts.min() < FOLDS:
        rare = known[int(counts.argmin())]
        few = quantity(int(counts.min()), "claim")
        raise InputError(f"{rare} has {few}; a reader needs {FOLDS} of each label")
    divided = partitions(targets, groups)
    tried = {
        pull: tuple(held_out(states, targets, folds, len(known), pull) for folds in divided)
        for pull in PULLS
    }
    best = max(PULLS, key=lambda pull: likelihood(tried[pull], targets))
    fitted = fit(states, targets, len(known), best)
    weights = fitted.weights / fitted.deviation
    reader = ReaderHead(
        model=model,
        template=template,
        labels=tuple(Label),
        weights=tuple(encoded(row.tolist()) for row in weights),
        bias=tuple((fitted.bias - weights @ fitted.mean).tolist()),
        pieces=PIECES,
    )
    return FittedReader(reader, tried[best])
