from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from uhhrag.records import Label
from uhhrag.rules.label_words import UNCLEAR
from uhhrag.system.terminal import quantity

V = TypeVar("V", bound=Any)

STAGE_WORDS = {
    "embed": "embedding",
    "search": "searching",
    "verifier": "voting (verifier)",
    "vote_constrained": "voting (language model)",
    "vote_paper": "voting (language model)",
    "ask_about": "writing questions",
    "reader": "reading the evidence together",
}
"""Other stages have the names of their prompts."""


@dataclass(frozen=True, slots=True)
class Counted(Generic[V]):
    """A run's claims, whole or as rows."""

    name: str
    """Of its folder or documents."""
    header: Mapping[str, Any]
    """From `run.json`."""
    claims: tuple[V, ...]
    """By id."""

    def mix(self) -> dict[str, int]:
        """Claims by label, then unclear ones; a person's verdict prevails."""
        counts = Counter(view.label for view in self.claims if view.label)
        return {label: counts[label] for label in (*Label, UNCLEAR)}

    @property
    def reviewed(self) -> int:
        return sum(view.reviewed for view in self.claims)

    @property
    def failed(self) -> int:
        return sum(view.machine_label is None for view in self.claims)

    @property
    def waiting(self) -> int:
        """Of `failed`, those not checked yet."""
        return sum(view.status == "waiting" for view in self.claims)

    @property
    def checking(self) -> str:
        """For a file made meanwhile: how many are being checked, or ""."""
        again, waiting = sum(view.pending for view in self.claims) - self.waiting, self.waiting
        have, are = ("has its", "is") if again == 1 else ("have their", "are")
        told = [f"{again} {have} last verdict and {are} being checked again"] if again else []
        told += [f"{waiting} {'has' if waiting == 1 else 'have'} no verdict yet"] if waiting else []
        return f"Made while claims were being checked: {', '.join(told)}." if told else ""

    @property
    def outdated(self) -> str:
        """That documents have changed since, or ""."""
        number = sum(view.outdated for view in self.claims)
        were = f"{quantity(number, 'claim')} {'was' if number == 1 else 'were'}"
        return f"The documents have changed since {were} checked." if number else ""

    @property
    def changed(self) -> int:
        """Verdicts that differ from the check before."""
        return sum(bool(view.was) for view in self.claims)

    def stages(self) -> dict[str, float]:
        """Mean seconds per timed claim, slowest first."""
        timed = [view.seconds for view in self.claims if view.seconds]
        spent: Counter[str] = Counter()
        for seconds in timed:
            spent.update(seconds)
        return {stage: total / len(timed) for stage, total in spent.most_common()}

    @property
    def learned(self) -> int:
        return sum(view.learned for view in self.claims if view.machine_label)

    @property
    def calibrations(self) -> Counter[str]:
        """Verdicts by what their probabilities were fitted on: "none", or "" if not recorded."""
        of_run = header_text(self.header, "calibration", "source", default="none")
        return Counter(
            "learned" if view.learned else view.calibration if view.key else of_run
            for view in self.claims
            if view.machine_label
        )

    @property
    def uncalibrated(self) -> int:
        return self.calibrations["none"]

    @property
    def calibrated(self) -> bool:
        """Whether all are known to be fitted."""
        return bool(self.calibrations) and not self.calibrations.keys() & {"", "none"}


def confidence_words(counted: Counted[Any]) -> str:
    decided = len(counted.claims) - counted.failed
    mean = "the mean, over a claim’s votes, of the probability each gives the verdict"
    if not counted.learned:
        return mean
    share = "the probability of the verdict"
    if counted.learned == decided:
        return share
    return f"{share} where that was learned, else {mean}"


def header_text(header: Mapping[str, Any], *path: str, default: str = "") -> str:
    value: Any = header
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return default if value is None else str(value)
