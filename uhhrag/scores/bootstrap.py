"""Percentile bootstrap over claims (Efron), seeded and paired by shared resamples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from uhhrag.system.terminal import columns

Interval = tuple[float, float]
Drawn = Mapping[str, NDArray[np.float64]]
"""Each measure per resample; NaN where no drawn claim has it."""


@dataclass(frozen=True, slots=True)
class Difference:
    """None if no claim has the measure."""

    measure: str
    a: float | None
    b: float | None
    interval: Interval | None
    """Of `difference`, B minus A."""

    @property
    def difference(self) -> float | None:
        return None if self.a is None or self.b is None else self.b - self.a

    @property
    def clear(self) -> bool:
        """The interval excludes 0."""
        return self.interval is not None and (self.interval[0] > 0 or self.interval[1] < 0)

    def as_json(self) -> dict[str, Any]:
        return {
            "a": self.a,
            "b": self.b,
            "difference": self.difference,
            "interval": list(self.interval) if self.interval else None,
            "clear": self.clear,
        }

    def cells(self) -> tuple[str, ...]:
        name = self.measure.replace("Evidence/Cherrypicking", "Evidence")
        if self.a is None or self.b is None or self.interval is None:
            return (name, "-", "-", "", "no claim has it")
        (low, high), star = self.interval, "*" if self.clear else ""
        interval = f"{low:+.3f} {high:+.3f}{star}"
        return (name, f"{self.a:.4f}", f"{self.b:.4f}", f"{self.b - self.a:+.4f}", interval)


def as_lines(differences: Sequence[Difference]) -> list[str]:
    titles = ("measure", "A", "B", "B - A", "95 % interval")
    table = columns([titles, *(one.cells() for one in differences)], "<>>><")
    return [*table, "* the interval leaves 0 out"]


@dataclass(frozen=True, slots=True)
class Bootstrap:
    resamples: int = 1000
    seed: int = 0
    confidence: float = 0.95

    def draw(self, claims: int) -> NDArray[np.int64]:
        """How often each claim is drawn, shape (resamples, claims)."""
        even = np.full(claims, 1 / claims)
        drawn = np.random.default_rng(self.seed).multinomial(claims, even, size=self.resamples)
        return np.asarray(drawn, dtype=np.int64)

    def interval(self, values: NDArray[np.float64]) -> Interval:
        tail = 50 * (1 - self.confidence)
        low, high = np.percentile(values, [tail, 100 - tail])
        return float(low), float(high)

    def interval_of_some(self, values: NDArray[np.float64]) -> Interval | None:
        """Ignores NaN; None if all are."""
        numbers = values[~np.isnan(values)]
        return self.interval(numbers) if numbers.size else None

    def differences(
        self,
        a: Mapping[str, float | None],
        b: Mapping[str, float | None],
        drawn_a: Drawn,
        drawn_b: Drawn,
    ) -> list[Difference]:
        return [
            Difference(n, a[n], b[n], self.interval_of_some(drawn_b[n] - drawn_a[n])) for n in a
        ]

    def described(self, claims: int, what: str = "every measure") -> str:
        return (
            f"{self.confidence:.0%} intervals: paired bootstrap, {self.resamples} resamples of the "
            f"{claims} claims, seed {self.seed}, the same resamples for {what}"
        )
