"""How claims are decided: options and a recipe → settings and machine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from uhhrag.config.recipe import Recipe, other_embedder
from uhhrag.config.settings import Settings
from uhhrag.views.verdict_text import UNCALIBRATED
from uhhrag.wiring.machine import Machine

if TYPE_CHECKING:
    from uhhrag.wiring.pipeline import Wired

NEAREST = 0.4
"""What `check` takes for near: measured on SciFact; see docs/own-documents.md."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What the options come to. `nearest` is None where none was given; `cache` says that replies
    and vectors are kept."""

    settings: Settings
    machine: Machine
    nearest: float | None
    recipe: Recipe | None
    cache: bool

    def near(self, nearest: float) -> Chosen:
        """With another similarity below which no passage counts, where none was given."""
        if self.nearest is not None:
            return self
        return replace(self, settings=replace(self.settings, nearest=nearest))


def warnings_of(wired: Wired, chosen: Chosen) -> tuple[str, ...]:
    """What a user should know of the votes before they are cast."""
    method = wired.method
    warnings = []
    if method.rule.constrained(method.decoding) and method.calibration.source == "none":
        warnings.append(UNCALIBRATED)
    if choices := wired.header.get("choices"):
        warnings.append(f"Votes by a server: {choices}.")
    embedder = wired.header["index"]["embedder"]["name"]
    if message := other_embedder(chosen.recipe, embedder):
        warnings.append(message)
    return tuple(warnings)
