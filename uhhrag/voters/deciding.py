"""Which found sentence of a passage decides and is cited.

It is the one that takes the passage's side most surely when read alone after its lead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from uhhrag.protocols import Entailment
from uhhrag.records import Claim, Evidence, Label, Vote
from uhhrag.text.marking import unmarked
from uhhrag.voters.leads import context_prefix, in_context

_SIDES = {Label.SUPPORTED: 0, Label.REFUTED: 1}
"""Indices into a stance."""


def citing(
    entailment: Entailment, claim: Claim, evidence: Sequence[Evidence], votes: Sequence[Vote]
) -> tuple[Evidence, ...]:
    """The evidence, cited by the deciding sentence if its vote takes a side, else by the
    best-ranked. votes[i] is on evidence[i]."""
    sided = [i for i, vote in enumerate(votes) if evidence[i].beside and vote.label in _SIDES]
    alone = {i: list(map(_alone, (evidence[i], *evidence[i].beside))) for i in sided}
    stances = iter(entailment([(text, claim.text) for texts in alone.values() for text in texts]))
    cited = [replace(item, beside=()) for item in evidence]
    for place, texts in alone.items():
        side = _SIDES[votes[place].label]
        sure = [next(stances)[side] for _ in texts]
        cited[place] = _by(evidence[place], sure.index(max(sure)))
    return tuple(cited)


def _alone(item: Evidence) -> str:
    return in_context(unmarked(item.sentence or item.answer), context_prefix(item))


def _by(item: Evidence, number: int) -> Evidence:
    """By its first sentence (0), or by one beside it."""
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
        beside=(),
    )
