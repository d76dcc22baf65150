"""Calibrated probabilities from a model's option probabilities.

Small models favour some letters whatever they read. Vector scaling (Guo et al. 2017, section 4.2,
with one common scale) corrects that, fitted on training claims for one model file and prompt.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from uhhrag.errors import InputError
from uhhrag.system.decode import shaped
from uhhrag.system.text_files import read_json

SHIPPED = Path(__file__).parent / "calibrations.json"


@dataclass(frozen=True, slots=True)
class Calibration:
    scale: float = 1.0
    bias: tuple[float, ...] = field(default=())
    source: str = "none"
    """"none", or a file and what it was fitted on"""

    def __call__(self, logprobs: Sequence[float]) -> tuple[float, ...]:
        """Probabilities of the options; their sum is 1.

        >>> Calibration()([-1.0, -1.0])
        (0.5, 0.5)
        """
        bias = self.bias or (0.0,) * len(logprobs)
        scaled = [self.scale * p + b for p, b in zip(logprobs, bias, strict=True)]
        weights = [math.exp(s - max(scaled)) for s in scaled]
        return tuple(w / math.fsum(weights) for w in weights)


NONE = Calibration()


@dataclass(frozen=True, slots=True)
class _Entry:
    """The required part of an entry."""

    scale: float
    bias: tuple[float, ...]
    model: str
    template: str
    fitted_on: str


def find(model: str, template: str, path: Path = SHIPPED) -> Calibration:
    """The calibration for a model's fingerprint and a template's hash, or `NONE`. Raises InputError
    for another kind of file."""
    for entry in read_entries(path):
        if entry["model"] == model and entry["template"] == template:
            bias = tuple(map(float, entry["bias"]))
            return Calibration(float(entry["scale"]), bias, entry["fitted_on"])
    return NONE


def read_entries(path: Path) -> list[dict[str, Any]]:
    """Raises InputError for another kind of file."""
    try:
        table: list[dict[str, Any]] = read_json(path)
        for entry in shaped(tuple[_Entry, ...], table, "the file"):
            if not all(map(math.isfinite, (entry.scale, *entry.bias))):
                raise TypeError(f"{entry.scale} and {entry.bias} are not all finite")
    except InputError as error:
        raise InputError(f"{error}; a calibration file is made by: uhhrag calibrate") from error
    except TypeError as error:
        raise InputError(
            f"{path}: is not a calibration file ({error}); make one with: uhhrag calibrate"
        ) from error
    return table
