"""What can be chosen when evidence is scored. Loads nothing else."""

from __future__ import annotations

from enum import StrEnum


class Measure(StrEnum):
    """How evidence is scored: by its words (the task of 2024), or by a judge (that of 2025)."""

    METEOR = "meteor"
    EV2R = "ev2r"


class JudgeKind(StrEnum):
    """Who judges: the trained verifier, or a language model."""

    VERIFIER = "verifier"
    LLM = "llm"


class TableFormat(StrEnum):
    """How a table of runs is written."""

    TEXT = "text"
    MARKDOWN = "markdown"
    LATEX = "latex"
