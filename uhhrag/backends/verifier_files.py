from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from uhhrag.errors import ModelError

SETTINGS = "verifier.json"
CONFIG = "config.json"
ADAPTER = "adapter_model.safetensors"
ADAPTER_SETTINGS = "adapter_config.json"
MINICHECK = "minicheck"
"""In the names of models that are asked in their own form (Tang et al. 2024)."""
LORA = "adapter.gguf"
"""Of a language model; made of `ADAPTER`."""
CHECKPOINTS = "checkpoints"

Example = tuple[str, str, int]
"""Evidence, claim, label: 0 supports, 1 refutes, 2 says nothing."""


@dataclass(frozen=True, slots=True)
class VerifierSettings:
    """softmax(log-probabilities · `scale` + `bias`), in the order supports, refutes, neutral."""

    base: str
    """Its name; "" for a whole model."""
    base_fingerprint: str
    max_tokens: int
    """Of claim and evidence together."""
    scale: float
    bias: tuple[float, float, float]
    passages: tuple[float, tuple[float, float, float]] | None = None
    """Scale and bias for passages, if apart."""
    foreign: bool = False
    """Without `verifier.json`; reads evidence first (`nli`)."""

    @property
    def scaling(self) -> tuple[float, tuple[float, float, float]]:
        return self.scale, self.bias

    def for_passages(self) -> VerifierSettings:
        if self.passages is None:
            return self
        scale, bias = self.passages
        return replace(self, scale=scale, bias=bias)


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    base: Path
    base_name: str
    out: Path
    steps: int
    batch: int
    """Pairs per step."""
    learning_rate: float
    rank: int
    max_tokens: int
    """Of a pair."""
    save_every: int
    seed: int
    device: str
    start: Path | None
    first_layer: int
    """Layers below it are frozen."""


UNFITTED = (1.0, (0.0, 0.0, 0.0))
"""Scale and bias that change nothing."""
MAX_TOKENS = 512
"""The base models' positions."""


def read_settings(folder: Path) -> VerifierSettings:
    """Raises ModelError if missing or invalid."""
    if not (folder / SETTINGS).exists() and (folder / CONFIG).exists():
        return VerifierSettings("", "", MAX_TOKENS, *UNFITTED, foreign=True)
    try:
        record = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
        longest = int(record["max_tokens"])
        if not 8 <= longest <= MAX_TOKENS:
            raise ValueError("max_tokens is out of range")
        passages = record.get("passages")
        base, fingerprint = str(record["base"]), str(record["base_fingerprint"])
        apart = _calibration(passages) if passages else None
        return VerifierSettings(base, fingerprint, longest, *_calibration(record), passages=apart)
    except FileNotFoundError:
        raise ModelError(
            f"{folder}: no verifier here ({SETTINGS} is missing); make one with: uhhrag train "
            "verifier"
        ) from None
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise ModelError(f"{folder / SETTINGS}: is invalid: {error}") from error


def _calibration(record: Any) -> tuple[float, tuple[float, float, float]]:
    scale, biases = float(record["scale"]), [float(b) for b in record["bias"]]
    if len(biases) != 3 or not all(map(math.isfinite, (scale, *biases))):
        raise ValueError("scale or bias is out of range")
    return scale, (biases[0], biases[1], biases[2])
