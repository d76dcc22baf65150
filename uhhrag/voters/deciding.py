"""Which found sentence of a passage is cited: the one that takes its side most surely, alone after
its lead, or the found one it refers back to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from uhhrag.records import Evidence, Label, Vote
from uhhrag.voters.stances import PieceReading

_SIDES = {Label.SUPPORTED: 0, Label.REFUTED: 1}
"""indices into a stance"""
_TAKES = 0.5
"""least probability of taking a side"""


def citing(
    evidence: Sequence[Evidence], votes: Sequence[Vote], readings: Sequence[PieceReading]
) -> tuple[Evidence, ...]:
    """votes[i] is on evidence[i], as readings[i]; without a side, the best-ranked sentence is
    cited."""
    return tuple(map(_citing, evidence, votes, readings))


def _citing(item: Evidence, vote: Vote, read: PieceReading) -> Evidence:
    if vote.label not in _SIDES or not read.alone:
        return _by(item, 0)
    confidences = [stance[_SIDES[vote.label]] for stance in read.alone]
    number = _deciding((item, *item.beside), confidences)
    return replace(_by(item, number), compared=tuple(filter(None, read.forms[number : number + 1])))


def _deciding(items: Sequence[Evidence], confidences: Sequence[float]) -> int:
    """Index of the deciding item; confidences[i] is the side's probability by items[i]."""
    sentences = [item.found for item in items]
    best = confidences.index(max(confidences))
    for _ in items:
        before = items[best].before
        if before not in sentences or confidences[sentences.index(before)] < _TAKES:
            break
        best = sentences.index(before)
    return best


def _by(item: Evidence, number: int) -> Evidence:
    """Cites its own sentence (0) or one beside it."""
    if number == 0:
        return item.settled
    other = item.beside[number - 1]
    return replace(
        item.settled,
        sentence=other.answer,
        places=other.places,
        urls=other.urls,
        sources=other.sources,
        context=other.context,
        at=other.at,
        before=other.before,
    )
