"""Percentile bootstrap over claims (Efron), seeded and paired by shared resamples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sized
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from uhhrag.system.terminal import columns, quantity

T = TypeVar("T", bound=Sized)
Interval = tuple[float, float]
Drawn = Mapping[str, NDArray[np.float64]]
"""Each measure per resample; NaN where no drawn claim has it."""


Difference = dict[str, Any]
"""`a`, `b`, and of B minus A `difference`, `interval` and whether that leaves 0 out, `clear`; None
if no claim has the measure."""


def _difference(a: float | None, b: float | None, interval: Interval | None) -> Difference:
    return {
        "a": a,
        "b": b,
        "difference": None if a is None or b is None else b - a,
        "interval": list(interval) if interval else None,
        "clear": interval is not None and (interval[0] > 0 or interval[1] < 0),
    }


def as_lines(differences: Mapping[str, Difference]) -> list[str]:
    titles = ("measure", "A", "B", "B - A", "95 % interval")
    table = columns([titles, *(_cells(name, of) for name, of in differences.items())], "<>>><")
    return [*table, "* the interval leaves 0 out"]


def _cells(measure: str, of: Difference) -> tuple[str, ...]:
    name = measure.replace("Evidence/Cherrypicking", "Evidence")
    if of["interval"] is None:
        return (name, "-", "-", "", "no claim has it")
    low, high = of["interval"]
    interval = f"{low:+.3f} {high:+.3f}{'*' if of['clear'] else ''}"
    return (name, f"{of['a']:.4f}", f"{of['b']:.4f}", f"{of['difference']:+.4f}", interval)


def f1_by_class(
    gold: NDArray[np.bool_], predicted: NDArray[np.bool_], times: NDArray[np.int64]
) -> NDArray[np.float64]:
    """From masks (claims, classes), and how often each claim is drawn: shape (resamples, classes).
    0 for an absent class."""
    both = times @ (gold & predicted).astype(np.int64)
    either = times @ (gold.astype(np.int64) + predicted)
    return np.asarray(2 * both / np.maximum(either, 1), np.float64)


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
        a: T,
        b: T,
        measure: Callable[[T], Mapping[str, float | None]],
        resample: Callable[[T, NDArray[np.int64]], Drawn],
    ) -> dict[str, Difference]:
        """Of two runs, by measure in its order."""
        times = self.draw(len(a))
        (of_a, drawn_a), (of_b, drawn_b) = ((measure(one), resample(one, times)) for one in (a, b))
        return {
            name: _difference(own, of_b[name], self.interval_of_some(drawn_b[name] - drawn_a[name]))
            for name, own in of_a.items()
        }

    def described(self, claims: int, what: str = "every measure") -> str:
        return (
            f"{self.confidence:.0%} intervals: paired bootstrap, {self.resamples} resamples of the "
            f"{quantity(claims, 'claim')}, seed {self.seed}, the same resamples for {what}"
        )
