from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from uhhrag.records import Label

UNCLEAR = "Unclear"
"""leans to a label, but is not sure"""
WORDS: dict[str, str] = {
    Label.SUPPORTED: "supported",
    Label.REFUTED: "refuted",
    Label.NOT_ENOUGH: "not enough evidence",
    Label.CONFLICTING: "conflicting",
    UNCLEAR: "unclear",
}
"""within a sentence"""
SHORT = dict(zip(Label, ("Supp.", "Ref.", "NEE", "Confl."), strict=True))
"""in narrow columns"""
KINDS = WORDS | {Label.NOT_ENOUGH: "unknown", Label.CONFLICTING: "mixed"}
"""in class names and filters"""
SAYS_NOTHING = "says nothing"
"""a vote without a side"""


def counted(labels: Iterable[Label]) -> str:
    """Commonest first.

    >>> counted([Label.SUPPORTED, Label.REFUTED, Label.REFUTED])
    '2 refuted, 1 supported'
    """
    counts = Counter(labels).most_common()
    return ", ".join(f"{number} {WORDS[label]}" for label, number in counts)
