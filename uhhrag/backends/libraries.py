"""What the libraries of models have in common: their faults, and the text that they read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from safetensors import SafetensorError

from uhhrag.errors import ModelError, first_line

FAULTS: tuple[type[Exception], ...] = (
    OSError,
    ValueError,
    KeyError,
    TypeError,
    RuntimeError,
    SafetensorError,
)
"""Raised for a model that is damaged, or of another kind."""


@contextmanager
def faults_as(message: str, *more: type[Exception]) -> Iterator[None]:
    """A fault, also one of `more`, becomes a ModelError: the message and the fault's first line."""
    try:
        yield
    except FAULTS + more as error:
        raise ModelError(f"{message}: {first_line(error)}") from error


def encodable(text: str) -> str:
    """A text without lone surrogates, which tokenizers and JSON refuse."""
    return text.encode("utf-8", "replace").decode()
