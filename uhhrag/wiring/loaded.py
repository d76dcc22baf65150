"""Models with their fingerprints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from uhhrag.protocols import LLM, Embedder

M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Loaded(Generic[M]):
    """A model and its fingerprint: models that answer differently need different ones."""

    model: M
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A program's own models, in place of those loaded by name."""

    llm: Loaded[LLM] | None = None
    embedder: Loaded[Embedder] | None = None


NOTHING_GIVEN = Given()

CALLABLE = "callable"
"""The name of a program's own model in settings and signatures."""
