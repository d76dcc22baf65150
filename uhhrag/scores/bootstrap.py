"""Percentile bootstrap over claims (Efron), seeded and paired: all share the same resamples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Bootstrap:
    resamples: int = 1000
    seed: int = 0
    confidence: float = 0.95

    def draw(self, claims: int) -> NDArray[np.int64]:
        """How often each claim is drawn, of shape (resamples, claims)."""
        even = np.full(claims, 1 / claims)
        drawn = np.random.default_rng(self.seed).multinomial(claims, even, size=self.resamples)
        return np.asarray(drawn, dtype=np.int64)

    def interval(self, values: NDArray[np.float64]) -> Interval:
        tail = 50 * (1 - self.confidence)
        low, high = np.percentile(values, [tail, 100 - tail])
        return float(low), float(high)

    def described(self, claims: int, what: str = "every measure") -> str:
        return (
            f"{self.confidence:.0%} intervals: paired bootstrap, {self.resamples} resamples of the "
            f"{claims} claims, seed {self.seed}, the same resamples for {what}"
        )
