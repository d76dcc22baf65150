"""The learned verdict, fitted: claims with labels and evidence → votes → features → weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from uhhrag.protocols import Embedder, Entailment
from uhhrag.records import Evidence
from uhhrag.training.verdict import VerdictScore, fit_verdict
from uhhrag.verdict.fit import Example
from uhhrag.verdict.learned import FEATURES, LearnedVerdict, StanceSummary, distinct, summary
from uhhrag.verdict.stances import read_stances

USED = {"documents": ("strongest support", "strongest refutation", "highest similarity")}
"""The features that a field's fit uses, where not all. What a document says on other things must
not change a verdict: sums over all pieces would let it."""


def fit_learned(
    examples: Sequence[Example],
    field: str,
    voter: str,
    source: str,
    embed: Embedder,
    entailment: Entailment,
    progress: Callable[[int, int], None],
) -> tuple[LearnedVerdict, VerdictScore]:
    """The learned verdict of a field, fitted to the examples that have evidence, and its score in
    cross-validation. `progress` gets the number of claims read and in all."""
    rows, labels = [], []
    for number, example in enumerate(examples, start=1):
        if example.evidence:
            rows.append(_summary(example, embed, entailment))
            labels.append(example.label)
        progress(number, len(examples))
    return fit_verdict(rows, labels, field, voter, source, using=USED.get(field, FEATURES))


def _summary(example: Example, embed: Embedder, entailment: Entailment) -> StanceSummary:
    """What the evidence of one claim comes to. The similarity of a piece of evidence is the cosine
    of its answer and the claim, as a search gives it."""
    pieces: list[Evidence] = [example.evidence[place] for place in distinct(example.evidence)]
    answers = [piece.answer for piece in pieces]
    vectors = embed([example.claim.text, *answers])
    similarities: list[float] = (vectors[1:] @ vectors[0]).astype(np.float64).tolist()
    stances = read_stances(entailment, example.claim.text, answers)
    return summary(stances, similarities)
