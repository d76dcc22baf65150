"""Choices of an index, light for the help of commands."""

from __future__ import annotations

from enum import StrEnum


class Precision(StrEnum):
    """The number format of an embedder."""

    FP32 = "fp32"
    BF16 = "bf16"
    """By AVX-512."""
    BF16_AMX = "bf16-amx"
    """By AMX; other bits than BF16."""


class Tokenizer(StrEnum):
    """How BM25 splits passages; claims by NLTK."""

    FAST = "fast"
    """As NLTK, except in rare cases."""
    NLTK = "nltk"
