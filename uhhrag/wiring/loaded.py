from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from uhhrag.protocols import LLM, Embedder

M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Loaded(Generic[M]):
    """Models that answer differently need different fingerprints."""

    model: M
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A program's own models."""

    llm: Loaded[LLM] | None = None
    embedder: Loaded[Embedder] | None = None


NOTHING_GIVEN = Given()

CALLABLE = "callable"
"""Names an own model in settings and signatures."""
