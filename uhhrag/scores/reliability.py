"""Calibration (Guo et al. 2017) and selective accuracy (El-Yaniv and Wiener 2010)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from uhhrag.system.terminal import columns

BINS = 10
THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True, slots=True)
class ScoredConfidence:
    confidence: float
    right: bool


@dataclass(frozen=True, slots=True)
class Bin:
    """`low` ≤ confidence < `high`; the last bin includes 1."""

    low: float
    high: float
    count: int
    confidence: float
    accuracy: float


@dataclass(frozen=True, slots=True)
class Cut:
    """Confidences of at least `threshold`."""

    threshold: float
    coverage: float
    accuracy: float | None


def reliability(outcomes: Sequence[ScoredConfidence], bins: int = BINS) -> tuple[Bin, ...]:
    """Non-empty bins, in order.

    >>> reliability([ScoredConfidence(0.8, True), ScoredConfidence(0.86, False)])[0].accuracy
    0.5
    """
    held: dict[int, list[ScoredConfidence]] = {}
    for outcome in outcomes:
        held.setdefault(min(int(outcome.confidence * bins), bins - 1), []).append(outcome)
    return tuple(
        Bin(
            i / bins,
            (i + 1) / bins,
            len(some),
            fmean(one.confidence for one in some),
            fmean(one.right for one in some),
        )
        for i, some in sorted(held.items())
    )


def calibration_error(outcomes: Sequence[ScoredConfidence], bins: int = BINS) -> float | None:
    """
    >>> round(calibration_error([ScoredConfidence(0.9, True), ScoredConfidence(0.9, False)]), 3)
    0.4
    """
    gaps = [b.count * abs(b.confidence - b.accuracy) for b in reliability(outcomes, bins)]
    return math.fsum(gaps) / len(outcomes) if outcomes else None


def cuts(outcomes: Sequence[ScoredConfidence]) -> tuple[Cut, ...]:
    rows = []
    for threshold in THRESHOLDS:
        left = [outcome for outcome in outcomes if outcome.confidence >= threshold]
        share = len(left) / len(outcomes) if outcomes else 0.0
        accuracy = fmean(outcome.right for outcome in left) if left else None
        rows.append(Cut(threshold, share, accuracy))
    return tuple(rows)


def as_json(outcomes: Sequence[ScoredConfidence]) -> dict[str, Any]:
    return {
        "claims": len(outcomes),
        "expected_calibration_error": calibration_error(outcomes),
        "reliability": [asdict(row) for row in reliability(outcomes)],
        "abstaining_below": [asdict(cut) for cut in cuts(outcomes)],
    }


def as_text(outcomes: Sequence[ScoredConfidence]) -> str:
    lines = [
        f"confidence of {len(outcomes)} verdicts: expected calibration error "
        f"{calibration_error(outcomes) or 0.0:.3f}"
    ]
    bins = [
        (
            "",
            f"{b.low:.1f} to {b.high:.1f}",
            str(b.count),
            f"{b.confidence:.2f}",
            f"{b.accuracy:.2f}",
        )
        for b in reliability(outcomes)
    ]
    lines += columns([("", "confidence", "claims", "mean", "right"), *bins], "<<>>>")
    left = [
        (
            "",
            f"{cut.threshold:.1f}",
            f"{cut.coverage:.0%}",
            "-" if cut.accuracy is None else f"{cut.accuracy:.2f}",
        )
        for cut in cuts(outcomes)
    ]
    lines += columns([("", "abstaining below", "leaves", "of which right"), *left], "<<>>")
    return "\n".join(lines)
