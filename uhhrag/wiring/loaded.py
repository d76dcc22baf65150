from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from uhhrag.system.checksums import short

M = TypeVar("M")
CALLABLE = "callable"
"""Names an own model in settings and signatures."""


@dataclass(frozen=True, slots=True)
class Loaded(Generic[M]):
    """Models that answer differently need different fingerprints."""

    model: M
    fingerprint: str

    @property
    def name(self) -> str:
        return f"{CALLABLE}@{short(self.fingerprint)}"
