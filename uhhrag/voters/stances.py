"""What a verifier says of texts: A supports, B refutes, C says nothing."""

from __future__ import annotations

from collections.abc import Sequence

from uhhrag.protocols import Entailment
from uhhrag.records import NO_ANSWER, Evidence
from uhhrag.rules.learned import Stance
from uhhrag.text.fragments import is_question
from uhhrag.text.marking import unmarked
from uhhrag.voters.leads import context_prefix, in_context

LEAST = 1e-6
"""floor of probabilities"""
SAYS_NOTHING = (LEAST, LEAST, 1.0)
SURE = 0.95
"""Of 2,058 claims on passages, as many were right as with all sentences, for half the reading."""


def read_stances(
    entailment: Entailment, claim: str, answers: Sequence[str], leads: Sequence[str] = ()
) -> list[Stance]:
    """Missing answers and questions say nothing."""
    asserting = [i for i, text in enumerate(answers) if text != NO_ANSWER and not is_question(text)]
    texts = [in_context(answers[i], leads[i] if leads else "") for i in asserting]
    read = entailment([(text, claim) for text in texts])
    stances = dict(zip(asserting, read, strict=True))
    return [stances.get(i, SAYS_NOTHING) for i in range(len(answers))]


def found_alone(
    entailment: Entailment,
    claim: str,
    evidence: Sequence[Evidence],
    stances: Sequence[Stance | None],
) -> list[list[Stance]]:
    """Of each passage its found sentences, each read alone after its lead; none of what is no
    passage, is quoted, or surely says nothing by stances[i]."""
    found = [
        (item, *item.beside) if item.read and not item.is_quoted and _may_speak(stance) else ()
        for item, stance in zip(evidence, stances, strict=True)
    ]
    items = [item for group in found for item in group]
    texts = [unmarked(item.sentence or item.answer) for item in items]
    read = iter(read_stances(entailment, claim, texts, [*map(context_prefix, items)]))
    return [[next(read) for _ in group] for group in found]


def _may_speak(stance: Stance | None) -> bool:
    return stance is None or stance[2] < SURE


def strongest(stances: Sequence[Stance]) -> tuple[float, ...]:
    """Highest probabilities of support and refutation; none without stances."""
    return tuple(map(max, zip(*stances, strict=True)))[:2]
