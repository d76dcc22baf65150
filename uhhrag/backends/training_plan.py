"""How a verifier is trained: steps, sizes, and where it is written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

CHECKPOINTS = "checkpoints"

Example = tuple[str, str, int]
"""Evidence, claim, and the index of the label: 0 supports, 1 refutes, 2 says nothing."""


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How a verifier is trained. `steps` of `batch` pairs each; `rank` is that of the adapter;
    a pair is cut at `max_tokens`; a checkpoint is written every `save_every` steps. `start` is the
    folder of a verifier whose adapter is trained further, None for a fresh one. Layers below
    `first_layer`, counted from 0, stay as they are, which saves the way back through them."""

    base: Path
    base_name: str
    out: Path
    steps: int
    batch: int = 32
    learning_rate: float = 4e-4
    rank: int = 32
    max_tokens: int = 160
    save_every: int = 200
    seed: int = 0
    device: str = "cpu"
    start: Path | None = None
    first_layer: int = 0
