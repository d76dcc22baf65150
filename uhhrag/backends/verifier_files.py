"""The files of a verifier's folder: their names, and what its settings say."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path

from uhhrag.errors import ModelError

SETTINGS = "verifier.json"
CONFIG = "config.json"
ADAPTER = "adapter_model.safetensors"
ADAPTER_SETTINGS = "adapter_config.json"


@dataclass(frozen=True, slots=True)
class VerifierSettings:
    """What `verifier.json` says. `base` names the model that the adapter belongs to and
    `base_fingerprint` is that of its files, "" for a whole model; the claim is the first text and
    the evidence the second, cut at `max_tokens` together. Log-probabilities times `scale` plus
    `bias`, in the order supports, refutes, neutral, give calibrated probabilities."""

    base: str
    base_fingerprint: str
    max_tokens: int
    scale: float
    bias: tuple[float, float, float]
    foreign: bool = False
    """anybody's classifier without a `verifier.json`, which reads evidence first (`nli`)"""


_LONGEST = 512
"""Tokens that the base models of verifiers have positions for."""


def read_settings(folder: Path) -> VerifierSettings:
    """What a verifier's folder says of itself. Raises ModelError for a folder that holds none."""
    if not (folder / SETTINGS).exists() and (folder / CONFIG).exists():
        return VerifierSettings("", "", _LONGEST, 1.0, (0.0, 0.0, 0.0), foreign=True)
    try:
        record = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
        bias = tuple(float(b) for b in record["bias"])
        scale, longest = float(record["scale"]), int(record["max_tokens"])
        finite = all(map(math.isfinite, (scale, *bias)))
        if len(bias) != 3 or not finite or not 8 <= longest <= _LONGEST:
            raise ValueError("scale, bias or max_tokens is out of range")
        return VerifierSettings(
            str(record["base"]), str(record["base_fingerprint"]), longest, scale, bias
        )
    except FileNotFoundError:
        raise ModelError(
            f"{folder}: no verifier here ({SETTINGS} is missing); make one with: uhhrag train "
            "verifier"
        ) from None
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise ModelError(f"{folder / SETTINGS}: is invalid: {error}") from error
