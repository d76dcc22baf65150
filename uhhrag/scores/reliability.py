"""Calibration (Guo et al. 2017) and selective accuracy (El-Yaniv and Wiener 2010)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from uhhrag.system.terminal import columns, quantity

BINS = 10
THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True, slots=True)
class ScoredConfidence:
    confidence: float
    right: bool


def reliability(outcomes: Sequence[ScoredConfidence], bins: int = BINS) -> list[dict[str, Any]]:
    """Non-empty bins, in order: `low` ≤ confidence < `high`; the last includes 1.

    >>> reliability([ScoredConfidence(0.8, True), ScoredConfidence(0.86, False)])[0]["accuracy"]
    0.5
    """
    held: dict[int, list[ScoredConfidence]] = {}
    for outcome in outcomes:
        held.setdefault(min(int(outcome.confidence * bins), bins - 1), []).append(outcome)
    return [
        {
            "low": i / bins,
            "high": (i + 1) / bins,
            "count": len(some),
            "confidence": fmean(one.confidence for one in some),
            "accuracy": fmean(one.right for one in some),
        }
        for i, some in sorted(held.items())
    ]


def calibration_error(outcomes: Sequence[ScoredConfidence], bins: int = BINS) -> float | None:
    """
    >>> round(calibration_error([ScoredConfidence(0.9, True), ScoredConfidence(0.9, False)]), 3)
    0.4
    """
    found = reliability(outcomes, bins)
    gaps = [one["count"] * abs(one["confidence"] - one["accuracy"]) for one in found]
    return math.fsum(gaps) / len(outcomes) if outcomes else None


def cuts(outcomes: Sequence[ScoredConfidence]) -> list[dict[str, Any]]:
    """What abstaining below each threshold leaves."""
    rows = []
    for threshold in THRESHOLDS:
        left = [outcome for outcome in outcomes if outcome.confidence >= threshold]
        coverage = len(left) / len(outcomes) if outcomes else 0.0
        accuracy = fmean(outcome.right for outcome in left) if left else None
        rows.append({"threshold": threshold, "coverage": coverage, "accuracy": accuracy})
    return rows


def as_json(outcomes: Sequence[ScoredConfidence]) -> dict[str, Any]:
    return {
        "claims": len(outcomes),
        "expected_calibration_error": calibration_error(outcomes),
        "reliability": reliability(outcomes),
        "abstaining_below": cuts(outcomes),
    }


def as_text(scores: Mapping[str, Any]) -> str:
    """From `as_json`."""
    error = scores["expected_calibration_error"] or 0.0
    bins = [
        ("", f"{low:.1f} to {high:.1f}", str(count), _digits(confidence), _digits(right))
        for low, high, count, confidence, right in map(dict.values, scores["reliability"])
    ]
    left = [
        ("", f"{threshold:.1f}", f"{coverage:.0%}", _digits(right))
        for threshold, coverage, right in map(dict.values, scores["abstaining_below"])
    ]
    verdicts = quantity(scores["claims"], "verdict")
    lines = [f"confidence of {verdicts}: expected calibration error {error:.3f}"]
    lines += columns([("", "confidence", "claims", "mean", "right"), *bins], "<<>>>")
    lines += columns([("", "abstaining below", "leaves", "of which right"), *left], "<<>>")
    return "\n".join(lines)


def _digits(share: float | None) -> str:
    return "-" if share is None else f"{share:.2f}"
