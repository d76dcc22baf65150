"""The settings of a verifier's training."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

CHECKPOINTS = "checkpoints"

Example = tuple[str, str, int]
"""Evidence, claim, label: 0 supports, 1 refutes, 2 says nothing."""


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    base: Path
    base_name: str
    out: Path
    steps: int
    batch: int = 32
    """Pairs of a step."""
    learning_rate: float = 4e-4
    rank: int = 32
    """Of the adapter."""
    max_tokens: int = 160
    """Where a pair is cut."""
    save_every: int = 200
    """Steps between checkpoints."""
    seed: int = 0
    device: str = "cpu"
    start: Path | None = None
    """A verifier to train further, or None."""
    first_layer: int = 0
    """Layers below it are frozen, which saves their backward pass."""
