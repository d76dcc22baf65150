"""Which found sentence of a passage is cited: the one that takes its side most surely, read alone
after its lead, or the found one it refers back to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from uhhrag.protocols import Entailment
from uhhrag.records import Claim, Evidence, Label, Vote
from uhhrag.text.marking import unmarked
from uhhrag.voters.leads import context_prefix, in_context

_SIDES = {Label.SUPPORTED: 0, Label.REFUTED: 1}
"""indices into a stance"""
_TAKES = 0.5
"""least probability of taking a side"""


def citing(
    entailment: Entailment, claim: Claim, evidence: Sequence[Evidence], votes: Sequence[Vote]
) -> tuple[Evidence, ...]:
    """votes[i] is on evidence[i]; if it takes no side, the best-ranked sentence is cited."""
    sided = [i for i, vote in enumerate(votes) if evidence[i].beside and vote.label in _SIDES]
    found = {i: (evidence[i], *evidence[i].beside) for i in sided}
    pairs = [(_alone(item), claim.text) for items in found.values() for item in items]
    stances = iter(entailment(pairs))
    cited = [replace(item, beside=()) for item in evidence]
    for place, items in found.items():
        side = _SIDES[votes[place].label]
        cited[place] = _by(evidence[place], _deciding(items, [next(stances)[side] for _ in items]))
    return tuple(cited)


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


def _alone(item: Evidence) -> str:
    return in_context(unmarked(_sentence(item)), context_prefix(item))


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
