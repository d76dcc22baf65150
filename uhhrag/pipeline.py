"""One claim from evidence to votes to verdict. Start reading here."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from uhhrag.evidence.context import SENTENCE, Granularity, widen
from uhhrag.evidence.steps import locate
from uhhrag.protocols import Approach, EvidenceSource, Joining, OnVote, Tools, Voter, VotingModels
from uhhrag.records import (
    NO_ANSWER,
    Ballots,
    Claim,
    Evidence,
    Finding,
    Grade,
    Label,
    Origin,
    Verdict,
    Vote,
)
from uhhrag.store.filters import Limits, kept_notes, last_day
from uhhrag.system.terminal import quantity
from uhhrag.text.claim_words import plain_claim
from uhhrag.text.document_dates import amended_on

Noted = tuple[tuple[Evidence, ...], tuple[str, ...]]
"""What is left of the evidence, and notes on what is not."""


@dataclass(frozen=True, slots=True)
class Method:
    approach: Approach
    top: int
    options: Any
    tools: Tools
    voter: Voter
    models: VotingModels
    join: Joining
    own: bool = False
    """Keep the approach's own verdict."""
    granularity: Granularity = SENTENCE
    nearest: float = 0.0
    """Least similarity of a passage."""
    abstain_below: float = 0.0
    """Less confident verdicts become Not Enough Evidence."""
    on_vote: OnVote | None = None
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class Decider:
    corpus_for: Callable[[Claim], EvidenceSource]
    method: Method


def decide(claim: Claim, corpus: EvidenceSource, method: Method) -> Verdict:
    """Search by the claim's plain text (`text.claim_words`); keep it as given."""
    given, claim = claim, replace(claim, text=plain_claim(claim.text))
    finding = method.approach(claim, corpus, method.tools, method.top, method.options)
    evidence, notes = near_enough(finding.evidence, method.nearest)
    evidence, repeated = _widened(claim, locate(evidence, corpus.document), corpus, method)
    evidence, late = _in_time(evidence, last_day(method.limits, claim))
    ballots = _votes(claim, finding, evidence, method)
    votes, decision = ballots.votes, method.join(claim, evidence, ballots)
    evidence = ballots.evidence or tuple(item.settled for item in evidence)
    verdict = Verdict(
        given,
        decision.label,
        evidence,
        votes,
        notes=(*finding.notes, *notes, *repeated, *late, *kept_notes(corpus.kept)),
        removed=corpus.removed,
        grade=grade_of(votes, decision.label),
        # One vote over all of a single piece is on that piece too.
        vote_per_piece=len(votes) == len(evidence) and (ballots.per_piece or len(votes) <= 1),
        leaning=decision.leaning,
        probabilities=decision.probabilities,
        reading={label: math.exp(logarithm) for label, logarithm in ballots.reading.items()},
    )
    sure = verdict.confidence
    if sure is None or sure >= method.abstain_below:
        return verdict
    return replace(verdict, label=Label.NOT_ENOUGH, leaning=verdict.leaning or decision.label)


def _widened(
    claim: Claim, evidence: tuple[Evidence, ...], corpus: EvidenceSource, method: Method
) -> Noted:
    """What votes read of each piece, without pieces that lie in better ones."""
    wide = widen(evidence, corpus.document, method.granularity, claim.text)
    left = len(evidence) - len(wide)
    if not left or method.granularity.together:
        return wide, ()
    of = f"{left} of {quantity(len(evidence), 'piece')} left out"
    return wide, (f"{of}: with {method.granularity}, the text is that of a better one",)


def _in_time(evidence: tuple[Evidence, ...], last: date | None) -> Noted:
    """Without what is said to be corrected after that day."""
    if last is None:
        return evidence, ()
    days = (max(amended_on(item.before), amended_on(item.found)) for item in evidence)
    kept = tuple(item for item, day in zip(evidence, days, strict=True) if day <= str(last))
    if not (late := len(evidence) - len(kept)):
        return kept, ()
    return kept, (f"{quantity(late, 'piece')} left out: corrections after the last day allowed",)


def _votes(claim: Claim, finding: Finding, evidence: Sequence[Evidence], method: Method) -> Ballots:
    if not evidence:
        return Ballots()
    if method.own and (own := own_vote(finding)):
        return Ballots(own)
    return method.voter(claim, evidence, method.models, method.on_vote)


def own_vote(finding: Finding) -> tuple[Vote, ...]:
    return (Vote(finding.label, Origin.OWN, "", grade=finding.grade),) if finding.label else ()


def grade_of(votes: Sequence[Vote], label: Label) -> Grade | None:
    return next((vote.grade for vote in votes if vote.label is label), None)


def near_enough(evidence: Sequence[Evidence], nearest: float) -> Noted:
    """Empty if no passage reaches `nearest`."""
    passages = [item for item in evidence if item.answer != NO_ANSWER]
    far = [item.retrieval_score for item in passages if item.retrieval_score < nearest]
    if nearest <= 0 or not evidence or (passages and not far):
        return tuple(evidence), ()
    if not passages:
        return (), ("no passage is near enough: no question has an answer",)
    below = f"similarity {math.floor(100 * max(far)) / 100:.2f} at most, below {nearest:.2f}"
    if len(far) == len(passages):
        return (), (f"no passage is near enough: {below}",)
    near = tuple(i for i in evidence if i.answer == NO_ANSWER or i.retrieval_score >= nearest)
    return near, (f"{len(far)} of {quantity(len(passages), 'passage')} left out: {below}",)
