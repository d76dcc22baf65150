"""Evidence → votes by a language model: asking it and reading its answers."""

from __future__ import annotations

from collections.abc import Sequence

from uhhrag.protocols import LLM, Template
from uhhrag.records import Choose, Claim, Evidence, Vote
from uhhrag.rules.rules import Decoding, Rule
from uhhrag.voters.ballot import vote_in
from uhhrag.voters.calibration import Calibration


def cast(
    llm: LLM,
    template: Template,
    claim: Claim,
    evidence: Sequence[Evidence],
    rule: Rule,
    decoding: Decoding,
    calibration: Calibration,
) -> tuple[Vote, ...]:
    """The votes on a claim: one per piece of evidence, in order, or as many over all of it as the
    rule has samples. None at all when there is no evidence."""
    if not evidence:
        return ()
    if rule.show:
        texts = [rule.show(evidence, decoding)] * rule.samples
    else:
        texts = [f"{e.question} {e.answer}" for e in evidence]
    prompts = [template(claim=claim.text, evidence=text) for text in texts]
    ask = Choose(tuple(rule.options)) if rule.constrained(decoding) else rule.writing
    return tuple(vote_in(reply, ask, rule, calibration) for reply in llm(prompts, ask))
