"""The labels in words, for terminal, pages and reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from uhhrag.records import Label

UNCLEAR = "Unclear"
"""A verdict that leans to a label without being sure; a class of its own."""
WORDS: dict[str, str] = {
    Label.SUPPORTED: "supported",
    Label.REFUTED: "refuted",
    Label.NOT_ENOUGH: "not enough evidence",
    Label.CONFLICTING: "conflicting",
    UNCLEAR: "unclear",
}
"""Within a sentence."""
SHORT = dict(zip(Label, ("Supp.", "Ref.", "NEE", "Confl."), strict=True))
"""At the head of a narrow column."""
KINDS = WORDS | {Label.NOT_ENOUGH: "unknown", Label.CONFLICTING: "mixed"}
"""In class names and filters."""
SAYS_NOTHING = "says nothing"
"""A vote that takes no side."""


def counted(labels: Iterable[Label]) -> str:
    """How often each label occurs, the commonest first.

    >>> counted([Label.SUPPORTED, Label.REFUTED, Label.REFUTED])
    '2 refuted, 1 supported'
    """
    counts = Counter(labels).most_common()
    return ", ".join(f"{number} {WORDS[label]}" for label, number in counts)
