"""Which found sentence of a passage is cited: the one that takes its side most surely, read alone
after its lead, or the found one it refers back to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from uhhrag.protocols import Entailment
from uhhrag.records import Claim, Evidence, Label, Vote
from uhhrag.rules.learned import Stance, stance_of
from uhhrag.voters.stances import found_alone, strongest

_SIDES = {Label.SUPPORTED: 0, Label.REFUTED: 1}
"""indices into a stance"""
_TAKES = 0.5
"""least probability of taking a side"""


def citing(
    entailment: Entailment, claim: Claim, evidence: Sequence[Evidence], votes: Sequence[Vote]
) -> tuple[tuple[Evidence, ...], tuple[Vote, ...]]:
    """Evidence and votes; votes[i] is on evidence[i]. Found sentences of passages are read alone;
    if neither a passage nor one of them takes a side, the best-ranked is cited."""
    alone = found_alone(entailment, claim.text, evidence, [*map(stance_of, votes)])
    told = [replace(vote, alone=strongest(one)) for vote, one in zip(votes, alone, strict=True)]
    cited = [
        _citing(item, vote, stances)
        for item, vote, stances in zip(evidence, told, alone, strict=True)
    ]
    return tuple(cited), tuple(told)


def _citing(item: Evidence, vote: Vote, stances: Sequence[Stance]) -> Evidence:
    side = _SIDES.get(vote.label)
    if side is None and vote.alone and max(vote.alone) >= _TAKES:
        side = vote.alone.index(max(vote.alone))
    if side is None or not stances:
        return _by(item, 0)
    return _by(item, _deciding((item, *item.beside), [stance[side] for stance in stances]))


def _deciding(items: Sequence[Evidence], sure: Sequence[float]) -> int:
    """Index of the deciding item; sure[i] is the probability of the side by items[i]."""
    sentences = [_sentence(item) for item in items]
    best = sure.index(max(sure))
    for _ in items:
        before = items[best].before
        if before not in sentences or sure[sentences.index(before)] < _TAKES:
            break
        best = sentences.index(before)
    return best


def _sentence(item: Evidence) -> str:
    return item.sentence or item.answer


def _by(item: Evidence, number: int) -> Evidence:
    """Cite its own sentence (0) or one beside it."""
    if number == 0:
        return replace(item, beside=())
    other = item.beside[number - 1]
    return replace(
        item,
        sentence=other.answer,
        places=other.places,
        urls=other.urls,
        sources=other.sources,
        context=other.context,
        before=other.before,
        beside=(),
    )
