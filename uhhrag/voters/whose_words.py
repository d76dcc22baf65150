"""Which evidence is another's words that nobody stands by."""

from __future__ import annotations

from collections.abc import Sequence

from uhhrag.evidence.mail_threads import DENIAL
from uhhrag.protocols import Entailment
from uhhrag.records import Evidence
from uhhrag.rules.learned import Stance

MIN_PROBABILITY = 1e-6
"""floor of probabilities"""
SAYS_NOTHING = (MIN_PROBABILITY, MIN_PROBABILITY, 1.0)
_DENIES = 0.3
"""Share of both sides. Of 40 invented denials all but one, of 40 other replies 12 reach it."""


def not_asserted(entailment: Entailment, evidence: Sequence[Evidence]) -> list[bool]:
    """Whether it is a quotation, if of a mail one that a reply may deny."""
    replies = [(at, text) for at, item in enumerate(evidence) for text in item.replies]
    read = entailment([(text, DENIAL) for _, text in replies]) if replies else ()
    denied = {
        at
        for (at, _), (yes, no, _) in zip(replies, read, strict=True)
        if yes > _DENIES * (yes + no)
    }
    return [
        item.is_quoted and (not item.replies or at in denied) for at, item in enumerate(evidence)
    ]


def told_otherwise(evidence: Sequence[Evidence], stances: Sequence[Stance]) -> list[bool]:
    """Whether it is a quoted mail of a document whose own words take a side."""
    own = {
        url
        for item, (yes, no, silent) in zip(evidence, stances, strict=True)
        for url in item.urls
        if not item.is_quoted and max(yes, no) > silent
    }
    return [bool(item.replies) and not own.isdisjoint(item.urls) for item in evidence]
