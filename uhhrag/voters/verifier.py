"""The verifier's votes; it reads no question. A supports, B refutes, C says nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from uhhrag.errors import UsageError
from uhhrag.evidence.steps import demand
from uhhrag.protocols import OnVote, VotingModels
from uhhrag.records import Ballots, Claim, Evidence, Reply, Vote
from uhhrag.rules.learned import Stance
from uhhrag.rules.rules import SIDE_OPTIONS, Rule
from uhhrag.voters.ballot import constrained_vote
from uhhrag.voters.calibration import NONE, Calibration, find
from uhhrag.voters.deciding import citing
from uhhrag.voters.opening import Opened, Opening
from uhhrag.voters.stances import PieceReading, readings
from uhhrag.voters.whose_words import MIN_PROBABILITY


def open_verifier(opening: Opening) -> Opened:
    learned = opening.learned_by("verifier")
    if learned and learned.reader:
        raise UsageError(
            "--voter verifier: the learned verdict reads a language model too; fit it without "
            "--llm, or take --voter both"
        )
    fitted = find(opening.verifier, "verifier") if opening.calibrated else NONE
    if fitted == NONE and opening.verifier_fitted:
        fitted = replace(NONE, source="claims held out of the verifier's training")

    def voter(
        claim: Claim, evidence: Sequence[Evidence], models: VotingModels, on_vote: OnVote | None, /
    ) -> Ballots:
        read = readings(
            demand(models.verifier, "a verifier"), claim.text, evidence, titled=opening.titled
        )
        votes = votes_on(read, opening.rule, fitted)
        if on_vote:
            on_vote(votes)
        return Ballots(votes, per_piece=True, evidence=citing(evidence, votes, read))

    return Opened(voter, opening.verifier[:8], fitted, learned)


def votes_on(
    readings: Sequence[PieceReading], rule: Rule, calibration: Calibration
) -> tuple[Vote, ...]:
    return tuple(
        constrained_vote(reply_of(one.stance), SIDE_OPTIONS, calibration, rule.silent)
        for one in readings
    )


def reply_of(stance: Stance) -> Reply:
    return reply_with(tuple(math.log(max(share, MIN_PROBABILITY)) for share in stance))


def reply_with(logarithms: tuple[float, ...], *, cut: bool = False) -> Reply:
    likeliest = max(zip(SIDE_OPTIONS, logarithms, strict=True), key=lambda pair: pair[1])[0]
    return Reply(likeliest, logarithms, cut=cut)
