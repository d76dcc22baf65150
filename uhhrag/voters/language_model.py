from __future__ import annotations

from collections.abc import Callable, Sequence

from uhhrag.errors import UsageError
from uhhrag.evidence.steps import demand
from uhhrag.protocols import LLM, OnVote, Template, VotingModels
from uhhrag.records import Ask, Ballots, Claim, Evidence, PickOne, Prompt, Reply, Vote
from uhhrag.rules.rules import Decoding, Rule, template_of
from uhhrag.voters import calibration
from uhhrag.voters.ballot import vote_in
from uhhrag.voters.calibration import Calibration
from uhhrag.voters.opening import Opened, Opening

VOTES_PER_CALL = 5
"""If somebody listens: a sixth slower than all at once; single votes take three times as long."""


def open_language_model(opening: Opening) -> Opened:
    """Raises UsageError if the named calibration file has none for model and template."""
    rule, decoding, fitted = opening.rule, opening.decoding, _calibration(opening)

    def voter(
        claim: Claim, evidence: Sequence[Evidence], models: VotingModels, on_vote: OnVote | None, /
    ) -> Ballots:
        if not rule.step:
            return Ballots()
        template = opening.prompts(template_of(rule, decoding))
        votes = cast(demand(models.llm), template, claim, evidence, rule, decoding, fitted, on_vote)
        return Ballots(votes, per_piece=rule.show is None)

    return Opened(voter, calibration=fitted)


def _calibration(opening: Opening) -> Calibration:
    if not opening.calibrated:
        return calibration.NONE
    template = opening.prompts(template_of(opening.rule, opening.decoding))
    if opening.calibration is None:
        return calibration.find(opening.llm, template.hash)
    fitted = calibration.find(opening.llm, template.hash, opening.calibration)
    labels = sum(label is not None for label in opening.rule.options.values())
    if fitted is calibration.NONE or len(fitted.bias) != labels:
        raise UsageError(
            f"{opening.calibration} has no calibration of {opening.llm_name} with the template "
            f"{template.step}; make one with: uhhrag calibrate, or give --calibration none"
        )
    return fitted


def cast(
    llm: LLM,
    template: Template,
    claim: Claim,
    evidence: Sequence[Evidence],
    rule: Rule,
    decoding: Decoding,
    calibration: Calibration,
    on_vote: OnVote | None = None,
) -> tuple[Vote, ...]:
    """On each piece, in order, or `rule.samples` on all; `on_vote` gets the votes so far."""
    if not evidence:
        return ()
    if rule.show:
        texts = [rule.show(evidence, decoding)] * rule.samples
    else:
        texts = [f"{e.question} {e.answer}" for e in evidence]
    prompts = [template(claim=claim.text, evidence=text) for text in texts]
    ask = PickOne(tuple(rule.options)) if rule.constrained(decoding) else rule.writing

    def tell(replies: Sequence[Reply]) -> tuple[Vote, ...]:
        votes = tuple(vote_in(reply, ask, rule, calibration) for reply in replies)
        if on_vote and not rule.show:
            on_vote(votes)
        return votes

    if on_vote is None or rule.show:
        return tell(llm(prompts, ask))
    return _by_and_by(llm, prompts, ask, tell)


def _by_and_by(
    llm: LLM,
    prompts: Sequence[Prompt],
    ask: Ask,
    tell: Callable[[Sequence[Reply]], tuple[Vote, ...]],
) -> tuple[Vote, ...]:
    replies: list[Reply] = []
    votes: tuple[Vote, ...] = ()
    while len(replies) < len(prompts):
        upto = len(replies) + (VOTES_PER_CALL if replies else 1)
        replies += llm(prompts[len(replies) : upto], ask)
        votes = tell(replies)
    return votes
