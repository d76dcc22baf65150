"""Choices of indexes and archives, light to import."""

from __future__ import annotations

from enum import StrEnum


class Precision(StrEnum):
    """An embedder's number format."""

    FP32 = "fp32"
    BF16 = "bf16"
    """By AVX-512."""
    BF16_AMX = "bf16-amx"
    """By AMX; other bits than BF16."""


class Tokenizer(StrEnum):
    """How passages are split; claims by NLTK."""

    FAST = "fast"
    """As NLTK, except rarely."""
    NLTK = "nltk"


class Engine(StrEnum):
    """What ranks an archive's passages."""

    FUSED = "fused"
    TEXT = "text"
    VECTORS = "vectors"
