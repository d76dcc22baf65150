"""Vector scaling (Guo et al. 2017, section 4.2), one scale, for one model file and prompt."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from uhhrag.errors import InputError
from uhhrag.rules.reading_head import softmax
from uhhrag.system.decode import shaped
from uhhrag.system.text_files import read_json

SHIPPED = Path(__file__).parent / "calibrations.json"


@dataclass(frozen=True, slots=True)
class Calibration:
    scale: float = 1.0
    bias: tuple[float, ...] = field(default=())
    source: str = "none"
    """"none", or what it was fitted on"""

    def __call__(self, logprobs: Sequence[float]) -> tuple[float, ...]:
        """Of the options; the sum is 1.

        >>> Calibration()([-1.0, -1.0])
        (0.5, 0.5)
        """
        bias = self.bias or (0.0,) * len(logprobs)
        return tuple(softmax([self.scale * p + b for p, b in zip(logprobs, bias, strict=True)]))


NONE = Calibration()


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedCalibration:
    step: str = ""
    model: str
    """fingerprint"""
    template: str
    """hash"""
    scale: float
    bias: tuple[float, ...]
    fitted_on: str


def find(model: str, template: str, path: Path = SHIPPED) -> Calibration:
    """`NONE` if missing."""
    for entry in read_entries(path):
        if (entry.model, entry.template) == (model, template):
            return Calibration(entry.scale, entry.bias, entry.fitted_on)
    return NONE


def read_entries(path: Path) -> tuple[FittedCalibration, ...]:
    try:
        table = shaped(tuple[FittedCalibration, ...], read_json(path), "the file")
        for entry in table:
            if not all(map(math.isfinite, (entry.scale, *entry.bias))):
                raise TypeError(f"{entry.scale} and {entry.bias} are not all finite")
    except InputError as error:
        raise InputError(f"{error}; a calibration file is made by: uhhrag calibrate") from error
    except TypeError as error:
        raise InputError(
            f"{path}: is not a calibration file ({error}); make one with: uhhrag calibrate"
        ) from error
    return table
