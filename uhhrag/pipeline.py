"""Claim → evidence → votes → verdict: one claim, whole. Start reading here."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from uhhrag.evidence.context import SENTENCE, Granularity, widen
from uhhrag.evidence.steps import locate
from uhhrag.protocols import LLM, Approach, Corpus, Entailment, Tools
from uhhrag.records import (
    NO_ANSWER,
    Claim,
    Evidence,
    Finding,
    Label,
    Represent,
    Verdict,
    Vote,
)
from uhhrag.rules.learned import Decision, LearnedVerdict
from uhhrag.rules.reading_head import STEP, ReaderHead, prompt_of
from uhhrag.rules.rules import Decoding, Rule, template_of
from uhhrag.text.claim_words import plain_claim
from uhhrag.voters.ballot import grade_of, own_vote
from uhhrag.voters.both import pooled, vote_of_reading
from uhhrag.voters.calibration import NONE, Calibration
from uhhrag.voters.language_model import cast
from uhhrag.voters.verifier import cast_stances


@dataclass(frozen=True, slots=True)
class Method:
    """How a claim is decided. `voter` is the language model that casts the votes, unless a
    `verifier` does, or `both` do together; with a `reader`, the voter reads all evidence at once.
    The language model of the tools may be None where questions come from a template. `options` are
    the approach's own, `learned` is the fitted verdict of a rule that needs one. A verdict less
    sure than `abstain_below` (see `Verdict.confidence`) is Not Enough Evidence. Votes read what
    `granularity` makes of a passage; one less similar than `nearest` is left out. With `titled`,
    the verifier reads it after the title of its document."""

    approach: Approach
    top: int
    rule: Rule
    decoding: Decoding
    calibration: Calibration
    tools: Tools
    voter: LLM | None
    options: Any
    abstain_below: float = 0.0
    granularity: Granularity = SENTENCE
    nearest: float = 0.0
    verifier: Entailment | None = None
    both: bool = False
    titled: bool = False
    learned: LearnedVerdict | None = None
    reader: ReaderHead | None = None


def decide(claim: Claim, corpus: Corpus, method: Method) -> Verdict:
    """The verdict on one claim with the evidence and votes it rests on. The claim is searched and
    read without what stands round it (`text.claim_words`), and kept as it was given."""
    given, claim = claim, replace(claim, text=plain_claim(claim.text))
    finding = method.approach(claim, corpus, method.tools, method.top, method.options)
    near, far = near_enough(finding.evidence, method.nearest)
    evidence = widen(locate(near, corpus.document), corpus.document, method.granularity)
    reading = _reading(claim, evidence, method)
    votes = _votes(claim, replace(finding, evidence=evidence), reading, method)
    decision = _decided(claim, evidence, votes, reading, method)
    label = decision.label
    verdict = Verdict(
        given,
        label,
        evidence,
        votes,
        notes=finding.notes + far,
        removed=corpus.removed,
        grade=grade_of(votes, label),
        vote_per_piece=_one_per_piece(method.rule, evidence, votes),
        leaning=decision.leaning,
        probabilities=decision.probabilities,
        reading={label: math.exp(logarithm) for label, logarithm in reading.items()},
    )
    sure = verdict.confidence
    if sure is None or sure >= method.abstain_below:
        return verdict
    return replace(verdict, label=Label.NOT_ENOUGH, leaning=verdict.leaning or label)


def _decided(
    claim: Claim,
    evidence: Sequence[Evidence],
    votes: Sequence[Vote],
    reading: Mapping[Label, float],
    method: Method,
) -> Decision:
    """The label, and what a learned verdict says of it."""
    if not method.rule.learned or method.learned is None:
        return Decision(method.rule.decide(votes), None, {})
    return method.learned(evidence, votes, tuple(reading.values()), claim.text)


def _reading(claim: Claim, evidence: Sequence[Evidence], method: Method) -> dict[Label, float]:
    """The logarithms of the labels' probabilities by a language model that reads the evidence
    together; none without a reader or evidence."""
    reader = method.reader
    if reader is None or method.voter is None or not evidence:
        return {}
    prompt = prompt_of(method.tools.prompts(STEP), claim, evidence, reader.pieces)
    state = method.voter([prompt], Represent())[0].state
    return dict(zip(reader.labels, reader.log_probabilities(state), strict=True))


def near_enough(
    evidence: Sequence[Evidence], nearest: float
) -> tuple[tuple[Evidence, ...], tuple[str, ...]]:
    """The evidence whose passages are at least so similar, with the questions that have no answer;
    none where no passage is. And a note on what is left out."""
    passages = [item for item in evidence if item.answer != NO_ANSWER]
    far = [item.retrieval_score for item in passages if item.retrieval_score < nearest]
    if nearest <= 0 or not evidence or (passages and not far):
        return tuple(evidence), ()
    if not passages:
        return (), ("no passage is near enough: no question has an answer",)
    below = f"similarity {max(far):.2f} at most, below {nearest:.2f}"
    if len(far) == len(passages):
        return (), (f"no passage is near enough: {below}",)
    near = tuple(i for i in evidence if i.answer == NO_ANSWER or i.retrieval_score >= nearest)
    return near, (f"{len(far)} of {len(passages)} passages are left out: {below}",)


def _one_per_piece(rule: Rule, evidence: Sequence[Evidence], votes: Sequence[Vote]) -> bool:
    """Whether votes[i] is on evidence[i] alone. One vote over all of a single piece is on it too;
    several votes over all evidence are not, even where they happen to be as many as the pieces."""
    return len(votes) == len(evidence) and (rule.show is None or len(votes) <= 1)


def _votes(
    claim: Claim, finding: Finding, reading: Mapping[Label, float], method: Method
) -> tuple[Vote, ...]:
    rule = method.rule
    if not finding.evidence:
        return ()
    if rule.own and (own := own_vote(finding)):
        return own
    if not rule.step:
        return ()
    if method.verifier is None:
        return _asked(claim, finding.evidence, method, method.calibration)
    if not method.both or rule.learned:
        return _read(claim, finding.evidence, method, method.calibration)
    read = _read(claim, finding.evidence, method, NONE)
    if reading:
        asked = (vote_of_reading(reading),) * len(read)
    else:
        asked = _asked(claim, finding.evidence, method, NONE)
    return pooled(read, asked, rule, method.calibration)


def _read(
    claim: Claim, evidence: Sequence[Evidence], method: Method, calibration: Calibration
) -> tuple[Vote, ...]:
    """The votes of the verifier."""
    if method.verifier is None:
        return ()
    return cast_stances(
        method.verifier, claim, evidence, method.rule, calibration, titled=method.titled
    )


def _asked(
    claim: Claim, evidence: Sequence[Evidence], method: Method, calibration: Calibration
) -> tuple[Vote, ...]:
    """The votes of the language model."""
    rule, decoding = method.rule, method.decoding
    if method.voter is None:
        return ()
    template = method.tools.prompts(template_of(rule, decoding))
    return cast(method.voter, template, claim, evidence, rule, decoding, calibration)
