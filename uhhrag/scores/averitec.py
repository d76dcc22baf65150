"""Measures of the AVeriTeC task of 2024 ("Hungarian METEOR", Schlichtkrull et al.), equal to the
official scorer's bit for bit (F1 to 1e-15)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from uhhrag.errors import RunError
from uhhrag.formats.gold import Gold
from uhhrag.formats.submission import Prediction
from uhhrag.records import NO_ANSWER, Label
from uhhrag.scores.bootstrap import f1_by_class
from uhhrag.scores.meteor import load_meteor_data, meteor, start_worker

LEVELS = (0.1, 0.2, 0.25, 0.3, 0.4, 0.5)
"""A verdict counts where Q+A is strictly above; the task uses .25."""

LIMIT = 10
"""Pieces that count, from the first."""

MEANS = ("Q", "Q+A", *(f"veracity@{level}" for level in LEVELS), "accuracy")
F1 = {label: f"f1 {label}" for label in Label}
MEASURES = (*MEANS, "f1_macro", *F1.values())

_CLAIMS_A_WORKER = 100


@dataclass(frozen=True, slots=True)
class ClaimScore:
    id: int
    claim: str
    gold: Label
    predicted: Label | None
    """None if missing or unknown."""
    q: float
    qa: float
    missing: bool = False
    counted: int = 0
    ignored: int = 0
    """Pieces after LIMIT."""
    repeated_pairs: int = 0
    """Same question and answer, up to case and white space."""
    repeated_answers: int = 0

    @property
    def right(self) -> bool:
        return self.predicted is self.gold

    def veracity(self, level: float) -> bool:
        return self.right and self.qa > level

    def values(self) -> tuple[float, ...]:
        """In the order of MEANS."""
        return (self.q, self.qa, *(self.veracity(level) for level in LEVELS), self.right)


def score(
    gold: Sequence[Gold],
    predictions: Sequence[Prediction | None],
    folder: Path,
    workers: int | None = None,
) -> tuple[ClaimScore, ...]:
    """In gold order; `folder` has the language data. Raises RunError if a process dies."""
    load_meteor_data(folder)
    if workers is None:
        workers = min(os.cpu_count() or 1, 1 + len(gold) // _CLAIMS_A_WORKER)
    if workers <= 1:
        return tuple(map(score_claim, gold, predictions))
    try:
        with ProcessPoolExecutor(workers, initializer=start_worker, initargs=(folder,)) as pool:
            return tuple(pool.map(score_claim, gold, predictions, chunksize=10))
    except BrokenProcessPool as error:
        raise RunError(
            "a scoring process died, perhaps for memory; run with --workers 1"
        ) from error


def score_claim(gold: Gold, prediction: Prediction | None) -> ClaimScore:
    if prediction is None:
        return ClaimScore(gold.claim.id, gold.claim.text, gold.label, None, 0.0, 0.0, missing=True)
    evidence = prediction.evidence[:LIMIT]
    pairs = [f"{item.question} {item.answer}" for item in evidence]
    return ClaimScore(
        id=gold.claim.id,
        claim=gold.claim.text,
        gold=gold.label,
        predicted=prediction.label,
        q=utility([q.question for q in gold.questions], [item.question for item in evidence]),
        qa=utility(gold_strings(gold), pairs),
        counted=len(evidence),
        ignored=len(prediction.evidence) - len(evidence),
        repeated_pairs=_repeated(pairs),
        repeated_answers=_repeated([item.answer for item in evidence]),
    )


def gold_strings(gold: Gold) -> list[str]:
    """One per gold answer, or per question without answers."""
    strings = []
    for question in gold.questions:
        answers = [answer.explained for answer in question.answers] or [NO_ANSWER]
        strings += [f"{question.question} {answer}" for answer in answers]
    return strings


def utility(expected: Sequence[str], predicted: Sequence[str]) -> float:
    """Mean METEOR of the best one-to-one assignment to `expected`, not empty; unmatched count 0."""
    if not predicted:
        return 0.0
    scores = np.array([[meteor(gold, text) for gold in expected] for text in predicted])
    rows, columns = linear_sum_assignment(scores, maximize=True)
    # Multiplied, not divided: the official scorer does so, and the last bit may differ.
    return float(scores[rows, columns].sum() * (1 / float(len(expected))))


def measure(scores: Sequence[ClaimScore]) -> dict[str, float]:
    """F1 of an absent label is 0."""
    columns = np.array([claim.values() for claim in scores]).T
    named = zip(MEANS, columns, strict=True)
    means = {name: float(np.mean(np.ascontiguousarray(column))) for name, column in named}
    once = np.ones((1, len(scores)), dtype=np.int64)
    return means | {name: float(value[0]) for name, value in _f1(scores, once).items()}


def resample(
    scores: Sequence[ClaimScore], times: NDArray[np.int64]
) -> dict[str, NDArray[np.float64]]:
    """`times`: how often each claim is drawn, shape (resamples, claims)."""
    values = np.array([claim.values() for claim in scores])
    means = times @ values / len(scores)
    return dict(zip(MEANS, means.T, strict=True)) | _f1(scores, times)


def _f1(scores: Sequence[ClaimScore], times: NDArray[np.int64]) -> dict[str, NDArray[np.float64]]:
    gold = np.array([[claim.gold is label for label in F1] for claim in scores])
    predicted = np.array([[claim.predicted is label for label in F1] for claim in scores])
    by_label = f1_by_class(gold, predicted, times).T
    return {"f1_macro": by_label.mean(axis=0)} | dict(zip(F1.values(), by_label, strict=True))


def _repeated(texts: Sequence[str]) -> int:
    return len(texts) - len({" ".join(text.split()).casefold() for text in texts})
