"""Light to import."""

from __future__ import annotations

from enum import StrEnum


class Measure(StrEnum):
    """By words (task of 2024) or by a judge (2025)."""

    METEOR = "meteor"
    EV2R = "ev2r"


class JudgeKind(StrEnum):
    VERIFIER = "verifier"
    LLM = "llm"


class TableFormat(StrEnum):
    TEXT = "text"
    MARKDOWN = "markdown"
    LATEX = "latex"
