"""Questions and answers → statements that can be ruled on, by rules and without a language model.

A sentence of an answer is a statement. Where an answer is too short to be read alone, or begins
with yes or no, its first sentence stands with its question. No sentence is rewritten: a verifier
reads a question with its answer as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from uhhrag.scores.ev2r import QuestionAnswer

SHORT = 5
"""A first sentence with fewer words is read with its question."""
SENTENCES = 4
"""Further sentences of an answer are left out: answers can be whole pages."""
WORDS = 60
"""Longer statements lose their end, so that a verifier has room for the evidence."""

_YES_NO = re.compile(r"(yes|no)\b", re.IGNORECASE)
_WORD = re.compile(r"\w")

Sentences = Callable[[str], Sequence[str]]
"""The sentences of a text, in order."""


def statements(pair: QuestionAnswer, sentences: Sentences) -> tuple[str, ...]:
    """What a question with its answer asserts, in order: at most SENTENCES statements, each on one
    line and of at most WORDS words.

    >>> split = lambda text: text.split(" | ")
    >>> statements(("Is Ava dead?", "No. She was seen."), split)
    ('Is Ava dead? No. She was seen.',)
    >>> statements(("Who left?", "Ava left early that year. | She came back in May."), split)
    ('Ava left early that year.', 'She came back in May.')
    """
    question, answer = pair
    first, *others = [text for text in sentences(answer) if _WORD.search(text)] or [answer]
    if question and (len(first.split()) < SHORT or _YES_NO.match(first)):
        first = f"{question} {first}"
    return tuple(dict.fromkeys(_clipped(text) for text in (first, *others[: SENTENCES - 1])))


def _clipped(text: str) -> str:
    return " ".join(text.split()[:WORDS])
