"""Choices of an index, light enough for the help of commands."""

from __future__ import annotations

from enum import StrEnum


class Precision(StrEnum):
    """An embedder's number format, and what multiplies it."""

    FP32 = "fp32"
    BF16 = "bf16"
    """By AVX-512."""
    BF16_AMX = "bf16-amx"
    """By AMX; other bits than BF16."""


class Tokenizer(StrEnum):
    """How BM25 splits passages; claims are split by NLTK."""

    FAST = "fast"
    """As NLTK, except in rare cases."""
    NLTK = "nltk"
