"""Votes by the verifier, which reads no question. A supports, B refutes, C says nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence

from uhhrag.errors import ModelError, UsageError
from uhhrag.protocols import Entailment, OnVote, VotingModels
from uhhrag.records import NO_ANSWER, Ballots, Claim, Evidence, Reply, Vote
from uhhrag.rules.learned import Stance
from uhhrag.rules.rules import SIDE_OPTIONS, Rule
from uhhrag.text.marking import unmarked
from uhhrag.voters.ballot import constrained_vote
from uhhrag.voters.calibration import NONE, Calibration, find
from uhhrag.voters.deciding import citing
from uhhrag.voters.leads import context_prefix
from uhhrag.voters.opening import Opened, Opening
from uhhrag.voters.stances import LEAST, read_stances


def open_verifier(opening: Opening) -> Opened:
    learned = opening.learned_by("verifier")
    if learned and learned.reader:
        raise UsageError(
            "--voter verifier: the learned verdict reads a language model too; fit it without "
            "--llm, or take --voter both"
        )
    fitted = find(opening.verifier, "verifier") if opening.calibrated else NONE

    def voter(
        claim: Claim, evidence: Sequence[Evidence], models: VotingModels, on_vote: OnVote | None, /
    ) -> Ballots:
        reads, titled = verifier_of(models), opening.titled
        votes = cast_stances(reads, claim, evidence, opening.rule, fitted, titled=titled)
        if on_vote:
            on_vote(votes)
        cited, votes = citing(reads, claim, evidence, votes)
        return Ballots(votes, per_piece=True, evidence=cited)

    return Opened(voter, opening.verifier[:8], fitted, learned)


def verifier_of(models: VotingModels) -> Entailment:
    if models.verifier is None:
        raise ModelError("the voter asks a verifier, and none was loaded")
    return models.verifier


def cast_stances(
    entailment: Entailment,
    claim: Claim,
    evidence: Sequence[Evidence],
    rule: Rule,
    calibration: Calibration,
    *,
    titled: bool = False,
) -> tuple[Vote, ...]:
    """In order; `titled` reads leads. A quotation says nothing: it may be quoted to deny it."""
    answers = [
        NO_ANSWER if item.is_quoted else item.read or unmarked(item.answer) for item in evidence
    ]
    leads = ["" if item.read else context_prefix(item) for item in evidence] if titled else ()
    stances = read_stances(entailment, claim.text, answers, leads)
    return tuple(
        constrained_vote(reply_of(stance), SIDE_OPTIONS, calibration, rule.silent)
        for stance in stances
    )


def reply_of(stance: Stance) -> Reply:
    return reply_with(tuple(math.log(max(share, LEAST)) for share in stance))


def reply_with(logarithms: tuple[float, ...], *, cut: bool = False) -> Reply:
    likeliest = max(zip(SIDE_OPTIONS, logarithms, strict=True), key=lambda pair: pair[1])[0]
    return Reply(likeliest, logarithms, cut=cut)
