"""Calibration error of Guo et al. 2017, section 2."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from uhhrag.errors import InputError
from uhhrag.protocols import Entailment
from uhhrag.system.terminal import printable
from uhhrag.system.text_files import read_json
from uhhrag.training.pairs import STANCES, Pair, Stance

BINS = 10
BATCH_SIZE = 64
"""Pairs between progress calls."""
_COLUMNS = (
    ("right", "accuracy"),
    ("macro-F1", "macro_f1"),
    ("false+", "wrongly_supported"),
    ("false-", "wrongly_refuted"),
    ("ECE", "calibration_error"),
    ("one label", "majority"),
)
"""Heading and field."""


@dataclass(frozen=True, slots=True)
class PairScore:
    pairs: int
    accuracy: float
    macro_f1: float
    """over labels in the set"""
    wrongly_supported: float
    """share of the pairs that do not support, called so"""
    wrongly_refuted: float
    """likewise"""
    calibration_error: float
    majority: float
    """accuracy of always giving the commonest label"""
    predicted: Mapping[str, int]


def score_pairs(
    pairs: Sequence[Pair],
    entailment: Entailment,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, PairScore]:
    probabilities: list[tuple[float, float, float]] = []
    for start in range(0, len(pairs), BATCH_SIZE):
        some = pairs[start : start + BATCH_SIZE]
        probabilities += entailment([(pair.premise, pair.hypothesis) for pair in some])
        progress(len(probabilities), len(pairs))
    return scores_of(pairs, np.array(probabilities))


def scores_of(pairs: Sequence[Pair], rows: NDArray[np.float64]) -> dict[str, PairScore]:
    """All pairs as "all", then by source, sorted. `rows` as in `score_of`."""
    targets = targets_of(pairs)
    scores = {"all": score_of(rows, targets)}
    sources = np.array([pair.source for pair in pairs])
    for source in sorted(set(sources) - {""}):
        chosen = sources == source
        scores[str(source)] = score_of(rows[chosen], targets[chosen])
    return scores


def targets_of(pairs: Sequence[Pair]) -> NDArray[np.int64]:
    return np.array([STANCES.index(pair.label) for pair in pairs])


def score_of(probabilities: NDArray[np.float64], targets: NDArray[np.int64]) -> PairScore:
    """`probabilities`: shape (pairs, 3), in the order of `STANCES`.

    >>> score_of(np.array([[0.8, 0.1, 0.1], [0.2, 0.5, 0.3]]), np.array([0, 2])).accuracy
    0.5
    """
    predicted = probabilities.argmax(axis=1)
    present = sorted(set(targets.tolist()))
    commonest = Counter(targets.tolist()).most_common(1)[0][1]
    counts = Counter(predicted.tolist())
    return PairScore(
        pairs=len(targets),
        accuracy=float((predicted == targets).mean()),
        macro_f1=float(np.mean([f1_of(predicted, targets, label) for label in present])),
        wrongly_supported=_wrongly(predicted, targets, STANCES.index(Stance.SUPPORTS)),
        wrongly_refuted=_wrongly(predicted, targets, STANCES.index(Stance.REFUTES)),
        calibration_error=calibration_error(probabilities, targets),
        majority=commonest / len(targets),
        predicted={str(stance): counts[i] for i, stance in enumerate(STANCES)},
    )


def _wrongly(predicted: NDArray[np.int64], targets: NDArray[np.int64], label: int) -> float:
    others = predicted[targets != label]
    return float((others == label).mean()) if len(others) else 0.0


def f1_of(predicted: NDArray[np.int64], targets: NDArray[np.int64], label: int) -> float:
    """0 if the label is neither predicted nor right."""
    right = int(((predicted == label) & (targets == label)).sum())
    both = int((predicted == label).sum() + (targets == label).sum())
    return 2 * right / both if both else 0.0


def calibration_error(probabilities: NDArray[np.float64], targets: NDArray[np.int64]) -> float:
    """`targets` are label indices.

    >>> calibration_error(np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([0, 1]))
    0.5
    """
    confidence = probabilities.max(axis=1)
    right = probabilities.argmax(axis=1) == targets
    place = np.minimum((confidence * BINS).astype(int), BINS - 1)
    return float(np.abs(np.bincount(place, confidence - right)).sum() / len(targets))


def as_json(scores: Mapping[str, PairScore]) -> dict[str, Any]:
    by_source = {name: asdict(score) for name, score in scores.items() if name != "all"}
    return {"all": asdict(scores["all"]), "by_source": by_source}


def as_text(scores: Mapping[str, PairScore]) -> str:
    lines = [f"{'source':<13}{'pairs':>7}" + "".join(f"{head:>10}" for head, _ in _COLUMNS)]
    for name, score in scores.items():
        row = "".join(f"{getattr(score, field):>10.3f}" for _, field in _COLUMNS)
        lines.append(f"{printable(name)[:12]:<13}{score.pairs:>7,}{row}")
    return "\n".join([*lines, "false+, false-: share of the other pairs called supports, refutes"])


def model_card(
    base: str,
    training: str,
    pairs: Sequence[Pair],
    scores: Mapping[str, PairScore],
    licences: Mapping[str, str],
) -> str:
    """Markdown. `training` is a sentence; `scores` are of held-out pairs."""
    counts = Counter(pair.source or "(no source)" for pair in pairs)
    data = (
        f"| {name} | {n:,} | {licences.get(name, 'not stated')} |" for name, n in counts.items()
    )
    measured = (
        f"| {name} | {s.pairs:,} | {s.accuracy:.3f} | {s.macro_f1:.3f} "
        f"| {s.calibration_error:.3f} | {s.majority:.3f} |"
        for name, s in scores.items()
    )
    return "\n".join(
        [
            "# A verifier of uhhrag",
            "",
            f"An adapter of {base}, trained on {len(pairs):,} pairs of evidence and claim. "
            f"{training} It reads a claim and a piece of evidence and gives the probabilities that "
            "the evidence supports the claim, refutes it, or says nothing about it.",
            "",
            "## Training data",
            "",
            "| source | pairs | licence |",
            "|---|---:|---|",
            *sorted(data),
            "",
            "## Scores on pairs held out",
            "",
            "| source | pairs | accuracy | macro-F1 | calibration error | commonest label |",
            "|---|---:|---:|---:|---:|---:|",
            *measured,
            "",
        ]
    )


def read_licences(file: Path) -> dict[str, str]:
    """Raises InputError for anything but a JSON object of texts."""
    licences = read_json(file)
    if not isinstance(licences, dict) or not all(isinstance(v, str) for v in licences.values()):
        raise InputError(f"{file}: is not a JSON object with a licence for each source")
    return licences
