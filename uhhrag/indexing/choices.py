"""What can be chosen about an index, without anything heavy, for the help of commands."""

from __future__ import annotations

from enum import StrEnum


class Precision(StrEnum):
    """The numbers that an embedder's matrices are of, and what multiplies them."""

    FP32 = "fp32"
    BF16 = "bf16"
    """by the processor's usual registers (AVX-512)"""
    BF16_AMX = "bf16-amx"
    """by its matrix unit (AMX); other bits than BF16"""


class Tokenizer(StrEnum):
    """How BM25 splits passages into words; a claim is always split by NLTK."""

    FAST = "fast"
    """as NLTK does, except in rare cases"""
    NLTK = "nltk"
    """exactly as NLTK does"""
