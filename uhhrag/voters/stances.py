"""What a verifier says of evidence: of a passage, the mean of what it says and of what that found
sentence says, read alone, that says most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from uhhrag.protocols import Entailment
from uhhrag.records import NO_ANSWER, Evidence
from uhhrag.rules.learned import Stance
from uhhrag.text.fragments import is_question
from uhhrag.text.marking import unmarked
from uhhrag.text.notation import in_one_notation
from uhhrag.voters.leads import context_prefix, in_context

LEAST = 1e-6
"""floor of probabilities"""
SAYS_NOTHING = (LEAST, LEAST, 1.0)
_SURE = 0.95
"""Of 2,058 claims on passages, as many were right as with all sentences, for half the reading."""


@dataclass(frozen=True, slots=True)
class PieceReading:
    stance: Stance
    alone: tuple[Stance, ...] = ()
    """of a passage's found sentences, best-ranked first; empty if it surely says nothing"""


def readings(
    entailment: Entailment, claim: str, evidence: Sequence[Evidence], *, titled: bool = False
) -> list[PieceReading]:
    """In order; `titled` reads leads. A quotation says nothing: it may be quoted to deny it. Of
    documents, whole numbers are read in one notation."""
    if titled or any(item.read for item in evidence):
        entailment = _in_one_notation(entailment)
    texts = [
        NO_ANSWER if item.is_quoted else item.read or unmarked(item.answer) for item in evidence
    ]
    leads = ["" if item.read or not titled else context_prefix(item) for item in evidence]
    stances = _stances(entailment, claim, texts, leads)
    found = [
        (item, *item.beside) if item.read and stance[2] < _SURE else ()
        for item, stance in zip(evidence, stances, strict=True)
    ]
    items = [item for group in found for item in group]
    sentences = [unmarked(item.found) for item in items]
    alone = iter(_stances(entailment, claim, sentences, [*map(context_prefix, items)]))
    groups = [tuple(next(alone) for _ in group) for group in found]
    return [PieceReading(_mean(*one), one[1]) for one in zip(stances, groups, strict=True)]


def _in_one_notation(entailment: Entailment) -> Entailment:
    return lambda pairs: entailment(
        [(in_one_notation(read), in_one_notation(claim)) for read, claim in pairs]
    )


def _mean(stance: Stance, alone: Sequence[Stance]) -> Stance:
    said = (one for one in alone if one != SAYS_NOTHING)  # a question is not read
    a, b, c = min(said, key=lambda one: one[2], default=stance)
    return (stance[0] + a) / 2, (stance[1] + b) / 2, (stance[2] + c) / 2


def _stances(
    entailment: Entailment, claim: str, answers: Sequence[str], leads: Sequence[str]
) -> list[Stance]:
    """Missing answers and questions say nothing."""
    asserting = [i for i, text in enumerate(answers) if text != NO_ANSWER and not is_question(text)]
    read = entailment([(in_context(answers[i], leads[i]), claim) for i in asserting])
    stances = dict(zip(asserting, read, strict=True))
    return [stances.get(i, SAYS_NOTHING) for i in range(len(answers))]
