"""Evidence → votes by the verifier, alone or together with the language model.

The verifier reads what the evidence says, not the question that led to it, and gives each vote
the same three options as the constrained prompt: A supports, B refutes, C says nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from enum import StrEnum

from uhhrag import defaults
from uhhrag.protocols import Entailment
from uhhrag.records import NO_ANSWER, Claim, Evidence, Label, Reply, Vote
from uhhrag.text.fragments import is_question
from uhhrag.text.pronouns import lead, sentence_before
from uhhrag.verdict.calibration import NONE, Calibration
from uhhrag.verdict.learned import Stance
from uhhrag.verdict.rules import SIDE_OPTIONS, Rule
from uhhrag.verdict.votes import constrained_vote

_LEAST = 1e-6
"""Probabilities below it count as this, so that logarithms stay finite."""
SAYS_NOTHING = (_LEAST, _LEAST, 1.0)


class Voter(StrEnum):
    """Who casts the votes."""

    AUTO = "auto"
    """whoever was right most often on training claims, where that was measured (`MEASURED`)"""
    LLM = "llm"
    VERIFIER = "verifier"
    BOTH = "both"
    """the verifier reads every piece; the language model reads all of them together where a reader
    was fitted to it, elsewhere every piece too; the log-probabilities of the two are averaged"""


MEASURED = frozenset({defaults.LLM})
"""The language models for which it was measured on training claims of AVeriTeC who votes best, and
to which the shipped reader was fitted (docs/verdicts.md). Both do on news claims, the verifier on
a user's own documents; a model that is not listed casts its own votes."""


def can_vote(rule: Rule) -> bool:
    """Whether the verifier can cast the votes of a rule: one on each piece, for either side."""
    return rule.show is None and bool(rule.step) and rule.options is SIDE_OPTIONS


def cast_stances(
    entailment: Entailment,
    claim: Claim,
    evidence: Sequence[Evidence],
    rule: Rule,
    calibration: Calibration,
    *,
    titled: bool = False,
) -> tuple[Vote, ...]:
    """The verifier's votes on a claim, one on each piece of evidence, in order. With `titled`, each
    piece is read after its lead (`lead_of`)."""
    answers = [item.answer for item in evidence]
    leads = [lead_of(item) for item in evidence] if titled else ()
    stances = read_stances(entailment, claim.text, answers, leads)
    return tuple(
        constrained_vote(_reply(stance), SIDE_OPTIONS, calibration, rule.silent)
        for stance in stances
    )


def read_stances(
    entailment: Entailment, claim: str, answers: Sequence[str], leads: Sequence[str] = ()
) -> list[Stance]:
    """The stance of each answer towards the claim, read after its lead where there are `leads`,
    one for each answer. A question without an answer, and an answer that only asks, say
    nothing."""
    asserting = [i for i, text in enumerate(answers) if text != NO_ANSWER and not is_question(text)]
    texts = [in_context(answers[i], leads[i] if leads else "") for i in asserting]
    read = entailment([(text, claim) for text in texts])
    stances = dict(zip(asserting, read, strict=True))
    return [stances.get(i, SAYS_NOTHING) for i in range(len(answers))]


def in_context(answer: str, lead: str) -> str:
    """What the verifier reads: the answer, marked as it was in training, after its lead if any.

    >>> in_context("It was sold.", "The ferry of Lunde."), in_context("It was sold.", "")
    ('The ferry of Lunde. » It was sold. «', 'It was sold.')
    """
    return f"{lead} » {answer} «" if lead else answer


def lead_of(item: Evidence) -> str:
    """What is read before a piece of evidence: the title of its document, the heading above it, and
    where the piece refers back ("It was sold."), the sentence before it."""
    return lead(headings_of(item), sentence_before(item.answer, item.context))


def headings_of(item: Evidence) -> tuple[str, ...]:
    """The title of the document that evidence is from, and the heading above it there, "" where it
    has none; nothing where no document has either."""
    titled = ((source.title, source.section) for source in item.sources)
    return next((headings for headings in titled if any(headings)), ())


def vote_of_reading(reading: Mapping[Label, float]) -> Vote:
    """A reading of all evidence, the natural logarithms of the labels' probabilities, in the form
    of a vote: Supported is A, Refuted is B, the two others together are C."""
    shares = {label: math.exp(logarithm) for label, logarithm in reading.items()}
    supports, refutes = shares[Label.SUPPORTED], shares[Label.REFUTED]
    stance = (supports, refutes, shares[Label.NOT_ENOUGH] + shares[Label.CONFLICTING])
    return constrained_vote(_reply(stance), SIDE_OPTIONS, NONE)


def pooled(
    ours: Sequence[Vote], theirs: Sequence[Vote], rule: Rule, calibration: Calibration
) -> tuple[Vote, ...]:
    """The votes of two voters on the same pieces as one each: the mean of the log-probabilities
    of every option, each voter's options adding up to 1 before. A reply without probabilities
    leaves the other voter's vote as it is."""
    return tuple(
        constrained_vote(_mean_reply(a, b), SIDE_OPTIONS, calibration, rule.silent)
        if a.options and b.options
        else (a if a.options else b)
        for a, b in zip(ours, theirs, strict=True)
    )


def _mean_reply(first: Vote, second: Vote) -> Reply:
    """Two votes in the form of one constrained reply."""
    logarithms = tuple(
        (a + b) / 2 for a, b in zip(_normalised(first), _normalised(second), strict=True)
    )
    likeliest = max(zip(SIDE_OPTIONS, logarithms, strict=True), key=lambda pair: pair[1])[0]
    return Reply(likeliest, logarithms, cut=first.cut or second.cut)


def _normalised(vote: Vote) -> list[float]:
    """The log-probabilities of the options A, B and C, of which the probabilities add up to 1."""
    logarithms = [vote.options[option] for option in SIDE_OPTIONS]
    highest = max(logarithms)
    total = highest + math.log(math.fsum(math.exp(value - highest) for value in logarithms))
    return [max(value - total, math.log(_LEAST)) for value in logarithms]


def _reply(stance: Stance) -> Reply:
    """A stance in the form of a constrained reply."""
    logarithms = tuple(math.log(max(share, _LEAST)) for share in stance)
    likeliest = max(zip(SIDE_OPTIONS, logarithms, strict=True), key=lambda pair: pair[1])[0]
    return Reply(likeliest, logarithms)
