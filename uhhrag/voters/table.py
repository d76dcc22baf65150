"""Who can cast the votes."""

from __future__ import annotations

from enum import StrEnum

from uhhrag import defaults
from uhhrag.rules.rules import SIDE_OPTIONS, Rule


class Voter(StrEnum):
    """Who casts the votes."""

    AUTO = "auto"
    """whoever was right most often on training claims, where that was measured (`MEASURED`)"""
    LLM = "llm"
    VERIFIER = "verifier"
    BOTH = "both"
    """the verifier reads every piece; the language model reads all of them together where a reader
    was fitted to it, elsewhere every piece too; the log-probabilities of the two are averaged"""


MEASURED = frozenset({defaults.LLM})
"""The language models for which it was measured on training claims of AVeriTeC who votes best, and
to which the shipped reader was fitted (docs/verdicts.md). Both do on news claims, the verifier on
a user's own documents; a model that is not listed casts its own votes."""


def can_vote(rule: Rule) -> bool:
    """Whether the verifier can cast the votes of a rule: one on each piece, for either side."""
    return rule.show is None and bool(rule.step) and rule.options is SIDE_OPTIONS
