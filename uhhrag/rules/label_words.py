"""What labels are called where people read them: one table for terminal, pages and reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from uhhrag.records import Label


@dataclass(frozen=True, slots=True)
class LabelWords:
    """The words for one label: `text` within a sentence, `short` at the head of a narrow column,
    `kind` in class names and filters of the pages."""

    text: str
    short: str
    kind: str


LABEL_WORDS = {
    Label.SUPPORTED: LabelWords("supported", "Supp.", "supported"),
    Label.REFUTED: LabelWords("refuted", "Ref.", "refuted"),
    Label.NOT_ENOUGH: LabelWords("not enough evidence", "NEE", "unknown"),
    Label.CONFLICTING: LabelWords("conflicting", "Confl.", "mixed"),
}
UNCLEAR = "Unclear"
"""What a verdict is called that leans to a label and is not sure of it: a class of its own wherever
verdicts are shown, counted, filtered or exported."""
WORDS: dict[str, str] = {label: words.text for label, words in LABEL_WORDS.items()}
WORDS[UNCLEAR] = "unclear"
SHORT = {label: words.short for label, words in LABEL_WORDS.items()}
KINDS: dict[str, str] = {label: words.kind for label, words in LABEL_WORDS.items()}
KINDS[UNCLEAR] = "unclear"
SAYS_NOTHING = "says nothing"
"""What a vote is called that takes no side."""


def counted(labels: Iterable[Label]) -> str:
    """How often each label stands among them, the commonest first; ties in order of appearance.

    >>> counted([Label.SUPPORTED, Label.REFUTED, Label.REFUTED])
    '2 refuted, 1 supported'
    """
    counts = Counter(labels).most_common()
    return ", ".join(f"{number} {WORDS[label]}" for label, number in counts)
