"""Questions of a language model that could not be asked: in a verdict's notes, and counted over a
run's trace."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from uhhrag.evidence.steps import constant_question
from uhhrag.records import Verdict
from uhhrag.text.claim_words import plain_claim

REPLACED = (
    "questions that the model wrote were unusable; the constant question stands in their place"
)
MISSING = (
    "questions that the model was asked for are missing, unusable or repeated; where none is left, "
    "the constant question stands"
)
_NOTE = re.compile(r"(\d+) of (\d+) questions? that the model (wrote|was asked for) .+")
_OF_ONE = {"questions": "question", "were": "was", "are": "is", "their": "its"}


def note_on(unusable: int, asked: int, what: str) -> tuple[str, ...]:
    """Of a claim; empty if all could be asked."""
    if asked == 1:
        what = re.sub(r"\w+", lambda word: _OF_ONE.get(word[0], word[0]), what)
    return (f"{unusable} of {asked} {what}",) if unusable else ()


def unusable_questions(verdicts: Iterable[Verdict]) -> str:
    """A line on all claims of a run, or ""."""
    unusable, asked, what = 0, 0, REPLACED
    for verdict in verdicts:
        if note := next(filter(None, map(_NOTE.fullmatch, verdict.notes)), None):
            unusable, asked = unusable + int(note[1]), asked + int(note[2])
            what = REPLACED if note[3] == "wrote" else MISSING
        else:
            replaced, written = _by_replies(verdict)
            unusable, asked = unusable + replaced, asked + written
    return "".join(note_on(unusable, asked, what))


def _by_replies(verdict: Verdict) -> tuple[int, int]:
    """Without a note all is well, or the trace is older than notes."""
    claim = replace(verdict.claim, text=plain_claim(verdict.claim.text))
    written = [item.question for item in verdict.evidence if item.reply]
    return written.count(constant_question(claim)), len(written)
