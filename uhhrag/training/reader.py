"""Fits a reader (`rules.reading_head`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from uhhrag.errors import InputError
from uhhrag.records import Label
from uhhrag.rules.reading_head import PIECES, ReaderHead, encoded
from uhhrag.training import regression
from uhhrag.training.regression import FOLDS, Regression, Rows

PULLS = (0.3, 1.0, 3.0, 10.0)
"""L2 strengths: a state has more numbers than there are claims."""


@dataclass(frozen=True, slots=True)
class FittedReader:
    reader: ReaderHead
    held_out: tuple[Rows, ...]
    """log-probabilities by other claims' fits, (claims, labels), by partition"""


def fit_reader(
    states: Rows,
    labels: Sequence[Label],
    model: str,
    template: str,
    groups: Sequence[str] = (),
) -> FittedReader:
    """The best in cross-validation, which never splits `groups`. `states`: shape (claims, width).
    Raises InputError for a label with too few claims."""
    known = list(Label)
    targets = np.array([known.index(label) for label in labels])
    counts = np.bincount(targets, minlength=len(known))
    if counts.min() < FOLDS:
        rare = known[int(counts.argmin())]
        raise InputError(f"{rare} has {counts.min()} claims; a reader needs {FOLDS} of each label")
    divided = regression.partitions(targets, groups)
    tried = {
        pull: tuple(
            regression.held_out(states, targets, folds, len(known), pull) for folds in divided
        )
        for pull in PULLS
    }
    best = max(PULLS, key=lambda pull: regression.likelihood(tried[pull], targets))
    fitted = regression.fit(states, targets, len(known), best)
    return FittedReader(_reader(fitted, model, template), tried[best])


def _reader(fitted: Regression, model: str, template: str) -> ReaderHead:
    weights = fitted.weights / fitted.deviation
    return ReaderHead(
        model=model,
        template=template,
        labels=tuple(Label),
        weights=tuple(encoded(row.tolist()) for row in weights),
        bias=tuple((fitted.bias - weights @ fitted.mean).tolist()),
        pieces=PIECES,
    )
