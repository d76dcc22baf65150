"""Models with their fingerprints."""

from __future__ import annotations

from collections.abc import Mapping
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprints:
    """A run header's fingerprints, beside the embedder's; "" for a model that a run lacks."""

    llm: str
    readers: Mapping[str, str]
    """By part."""
    options: Mapping[str, str]
    """Of own models' folders, by option."""
    verifier: str = ""
    voter: str = ""
    learned: str = ""
    reader: str = ""
    """Of a run without a learned verdict."""


CALLABLE = "callable"
"""The name of a program's own model in settings and signatures."""
