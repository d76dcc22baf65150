"""The labels in words, for terminal, pages and reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from uhhrag.records import Label


@dataclass(frozen=True, slots=True)
class LabelWords:
    text: str
    """within a sentence"""
    short: str
    """head of a narrow column"""
    kind: str
    """in class names and filters"""


LABEL_WORDS = {
    Label.SUPPORTED: LabelWords("supported", "Supp.", "supported"),
    Label.REFUTED: LabelWords("refuted", "Ref.", "refuted"),
    Label.NOT_ENOUGH: LabelWords("not enough evidence", "NEE", "unknown"),
    Label.CONFLICTING: LabelWords("conflicting", "Confl.", "mixed"),
}
UNCLEAR = "Unclear"
"""A verdict that leans to a label without being sure; a class of its own."""
WORDS: dict[str, str] = {label: words.text for label, words in LABEL_WORDS.items()}
WORDS[UNCLEAR] = "unclear"
SHORT = {label: words.short for label, words in LABEL_WORDS.items()}
KINDS: dict[str, str] = {label: words.kind for label, words in LABEL_WORDS.items()}
KINDS[UNCLEAR] = "unclear"
SAYS_NOTHING = "says nothing"
"""A vote that takes no side."""


def counted(labels: Iterable[Label]) -> str:
    """How often each label occurs, the commonest first.

    >>> counted([Label.SUPPORTED, Label.REFUTED, Label.REFUTED])
    '2 refuted, 1 supported'
    """
    counts = Counter(labels).most_common()
    return ", ".join(f"{number} {WORDS[label]}" for label, number in counts)
