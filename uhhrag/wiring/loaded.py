"""A model together with what tells its results from another's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from uhhrag.protocols import LLM, Embedder

M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Loaded(Generic[M]):
    """A callable model and its fingerprint. Results are kept under the fingerprint, so two models
    that answer differently must have different ones."""

    model: M
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """Models that a program brings itself, in the place of those that are loaded by name."""

    llm: Loaded[LLM] | None = None
    embedder: Loaded[Embedder] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprints:
    """What a run's header says of its models, beside the embedder: the language model's
    fingerprint; what a signature says of the models that read beside it, by their part; and of
    the models in folders that the approach's options name, by option. `llm`, `verifier`, `voter`,
    `learned` and `reader` (of a run without a learned verdict) are "" where a run has none."""

    llm: str
    readers: Mapping[str, str]
    options: Mapping[str, str]
    verifier: str = ""
    voter: str = ""
    learned: str = ""
    reader: str = ""


CALLABLE = "callable"
"""What settings and signatures call a model that a program brings itself."""
