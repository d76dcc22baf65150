from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from safetensors import SafetensorError

from uhhrag.errors import ModelError, first_line

FAULTS = (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError)
"""Raised for a damaged or unsuitable model."""


@contextmanager
def faults_as(message: str, *more: type[Exception]) -> Iterator[None]:
    """Turns `FAULTS` and `more` into ModelError."""
    try:
        yield
    except FAULTS + more as error:
        raise ModelError(f"{message}: {first_line(error)}") from error
