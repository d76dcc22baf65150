"""What the libraries of models have in common: their faults, and the text that they read."""

from __future__ import annotations

from safetensors import SafetensorError

FAULTS = (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError)
"""Raised for a model that is damaged, or of another kind."""


def encodable(text: str) -> str:
    """A text without lone surrogates, which tokenizers and JSON refuse."""
    return text.encode("utf-8", "replace").decode()
