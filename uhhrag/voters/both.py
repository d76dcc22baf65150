"""Mean log-probabilities of the verifier and of the language model, or its fitted reader."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from uhhrag.errors import UsageError
from uhhrag.evidence.steps import demand
from uhhrag.protocols import OnVote, VotingModels
from uhhrag.records import Ballots, Claim, Evidence, Label, Reply, Represent, Vote
from uhhrag.rules import learned_files
from uhhrag.rules.learned import NEWS, LearnedVerdict
from uhhrag.rules.reading_head import STEP, ReaderHead, log_softmax, prompt_of
from uhhrag.rules.rules import SIDE_OPTIONS, Rule, template_of
from uhhrag.voters.ballot import constrained_vote
from uhhrag.voters.calibration import NONE, Calibration, find
from uhhrag.voters.deciding import citing
from uhhrag.voters.language_model import cast
from uhhrag.voters.opening import Opened, Opening
from uhhrag.voters.stances import readings
from uhhrag.voters.verifier import reply_of, reply_with, votes_on
from uhhrag.voters.whose_words import MIN_PROBABILITY

NAME = "both"


def open_both(opening: Opening) -> Opened:
    """Raises UsageError if the learned verdict does not fit model and prompt."""
    rule, decoding, learned = opening.rule, opening.decoding, opening.learned_by(NAME)
    reader = _reader_of(opening, learned)
    fitted = NONE
    if opening.calibrated:
        fitted = find(f"{opening.verifier}+{opening.llm}", reader.template if reader else NAME)

    def voter(
        claim: Claim, evidence: Sequence[Evidence], models: VotingModels, on_vote: OnVote | None, /
    ) -> Ballots:
        reading: dict[Label, float] = {}
        if reader:
            prompt = prompt_of(opening.prompts(STEP), claim, evidence, reader.pieces)
            state = demand(models.llm)([prompt], Represent())[0].state
            reading = dict(zip(reader.labels, reader.log_probabilities(state), strict=True))
        verifier = demand(models.verifier, "a verifier")
        said = readings(verifier, claim.text, evidence, titled=opening.titled)
        read = votes_on(said, rule, NONE)

        def mean(asked: Sequence[Vote]) -> tuple[Vote, ...]:
            return pooled(read[: len(asked)], asked, rule, fitted)

        if rule.learned:
            votes = read
        elif reading:
            votes = mean((vote_of_reading(reading),) * len(read))
        else:
            tell = (lambda asked: on_vote(mean(asked))) if on_vote else None
            llm, template = demand(models.llm), opening.prompts(template_of(rule, decoding))
            votes = mean(cast(llm, template, claim, evidence, rule, decoding, NONE, tell))
        if on_vote and (rule.learned or reading):
            on_vote(votes)
        cited = citing(evidence, votes, said)
        return Ballots(votes, per_piece=True, reading=reading, evidence=cited)

    return Opened(voter, opening.verifier[:8], fitted, learned, reader)


def _reader_of(opening: Opening, learned: LearnedVerdict | None) -> ReaderHead | None:
    if learned is None:
        if opening.field != NEWS:
            return None
        reader = learned_files.find(NEWS, NAME).reader
        return reader if reader and _fits(reader, opening) else None
    if learned.reader and not _fits(learned.reader, opening):
        of_model = learned.reader.model != opening.llm
        what = "another language model" if of_model else "another prompt (reader.txt)"
        raise UsageError(
            f"--voter both: the learned verdict was fitted to {what}; fit it with: uhhrag train "
            "verdict --llm, or take --voter verifier"
        )
    return learned.reader


def _fits(reader: ReaderHead, opening: Opening) -> bool:
    return (reader.model, reader.template) == (opening.llm, opening.prompts(STEP).hash)


def vote_of_reading(reading: Mapping[Label, float]) -> Vote:
    """A supports, B refutes, C is all else."""
    shares = {label: math.exp(logarithm) for label, logarithm in reading.items()}
    supports, refutes = shares[Label.SUPPORTED], shares[Label.REFUTED]
    stance = (supports, refutes, shares[Label.NOT_ENOUGH] + shares[Label.CONFLICTING])
    return constrained_vote(reply_of(stance), SIDE_OPTIONS, NONE)


def pooled(
    ours: Sequence[Vote], theirs: Sequence[Vote], rule: Rule, calibration: Calibration
) -> tuple[Vote, ...]:
    """The mean; or the only vote with probabilities."""
    return tuple(
        constrained_vote(_mean_reply(a, b), SIDE_OPTIONS, calibration, rule.silent)
        if a.options and b.options
        else (a if a.options else b)
        for a, b in zip(ours, theirs, strict=True)
    )


def _mean_reply(first: Vote, second: Vote) -> Reply:
    pairs = zip(_normalised(first), _normalised(second), strict=True)
    return reply_with(tuple((a + b) / 2 for a, b in pairs), cut=first.cut or second.cut)


def _normalised(vote: Vote) -> list[float]:
    logarithms = log_softmax([vote.options[option] for option in SIDE_OPTIONS])
    return [max(value, math.log(MIN_PROBABILITY)) for value in logarithms]
