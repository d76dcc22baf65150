"""Questions and answers as statements, by rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from uhhrag.scores.ev2r import QuestionAnswer

SHORT = 5
"""First sentences of fewer words are read with the question."""
SENTENCES = 4
"""Per answer."""
WORDS = 60
"""Longer statements are cut, to leave room for evidence."""

_YES_NO = re.compile(r"(yes|no)\b", re.IGNORECASE)
_WORD = re.compile(r"\w")

Sentences = Callable[[str], Sequence[str]]


def statements(pair: QuestionAnswer, sentences: Sentences) -> tuple[str, ...]:
    """In order, each on one line.

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
