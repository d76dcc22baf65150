"""Fits the learned verdict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from uhhrag.errors import InputError, UsageError
from uhhrag.prompts.templates import StepTemplate, load_prompts
from uhhrag.protocols import LLM, Embedder, Entailment
from uhhrag.records import Label, Represent
from uhhrag.rules.learned import (
    DOCUMENTS,
    FEATURES,
    NEWS,
    LearnedVerdict,
    Stance,
    distinct_indices,
    summary,
)
from uhhrag.rules.reading_head import STEP, prompt_of
from uhhrag.text.pronouns import joined
from uhhrag.training.calibration import Example
from uhhrag.training.reader import fit_reader
from uhhrag.training.verdict import VerdictScore, fit_verdict
from uhhrag.voters.leads import context_prefix
from uhhrag.voters.verifier import read_stances
from uhhrag.wiring import llms
from uhhrag.wiring.machine import Machine

USED = {DOCUMENTS: ("strongest support", "strongest refutation", "highest similarity")}
"""By field, if not all `FEATURES`: sums would let unrelated passages change a verdict."""
Stances = tuple[list[Stance], list[float]]
"""A claim's stances, best first, and each piece's cosine."""


@dataclass(frozen=True, slots=True)
class HeadModel:
    llm: LLM
    fingerprint: str
    template: StepTemplate


def reading_model(name: str, machine: Machine, memory: Path) -> HeadModel:
    """`memory` keeps the model's states."""
    llm, fingerprint = llms.load_llm(name, machine, memory)
    return HeadModel(llm, fingerprint, load_prompts()(STEP))


def fit_learned(
    examples: Sequence[Example],
    field: str,
    source: str,
    embed: Embedder,
    entailment: Entailment,
    progress: Callable[[int, int], None],
    model: HeadModel | None = None,
) -> tuple[LearnedVerdict, VerdictScore]:
    """Fit to examples with evidence; the score is cross-validated. `progress` gets claims done and
    all. Raises UsageError for an unknown field or documents with a model, InputError without
    evidence."""
    if field not in (NEWS, DOCUMENTS):
        raise UsageError(f"--field {field} is unknown; it is one of: {NEWS}, {DOCUMENTS}")
    if model and field == DOCUMENTS:
        raise UsageError(
            f"--field {DOCUMENTS} is fitted to copies of the claims with exchanged sides, which no "
            "language model can read; leave --llm out"
        )
    read, states = [], []
    known = [example for example in examples if example.evidence]
    if not known:
        raise InputError(f"{source}, none with evidence; give claims that have some")
    for number, example in enumerate(known, start=1):
        read.append(_read(example, embed, entailment))
        if model:
            states.append(_state(example, model))
        progress(number, len(known))
    labels = [example.label for example in known]
    groups = []
    if field == DOCUMENTS or any(example.group for example in known):
        groups = [example.group or f"claim {n}" for n, example in enumerate(known)]
    if field == DOCUMENTS:
        read, labels, groups = mirrored(read, labels, groups)
    reader = None
    if model:
        known_by = (model.fingerprint, model.template.hash)
        reader = fit_reader(np.array(states), labels, *known_by, groups=groups)
    return fit_verdict(
        [summary(*one) for one in read],
        labels,
        field,
        "both" if model else "verifier",
        source,
        using=USED.get(field, FEATURES),
        read=reader,
        groups=groups,
    )


def mirrored(
    read: Sequence[Stances], labels: Sequence[Label], groups: Sequence[str]
) -> tuple[list[Stances], list[Label], list[str]]:
    """Add copies with exchanged sides: nearness alone then decides nothing."""
    turned = [([(r, s, n) for s, r, n in stances], cosines) for stances, cosines in read]
    other = {Label.SUPPORTED: Label.REFUTED, Label.REFUTED: Label.SUPPORTED}
    return (
        [*read, *turned],
        [*labels, *[other.get(label, label) for label in labels]],
        [*groups, *groups],
    )


def _state(example: Example, model: HeadModel) -> tuple[float, ...]:
    prompt = prompt_of(model.template, example.claim, example.evidence)
    return model.llm([prompt], Represent())[0].state


def _read(example: Example, embed: Embedder, entailment: Entailment) -> Stances:
    pieces = [example.evidence[place] for place in distinct_indices(example.evidence)]
    answers = [piece.read or piece.answer for piece in pieces]
    leads = ["" if piece.read else context_prefix(piece) for piece in pieces]
    searched = [p.sentence or joined(p.before, p.answer) for p in pieces]
    vectors = embed([example.claim.text, *searched])
    similarities: list[float] = (vectors[1:] @ vectors[0]).astype(np.float64).tolist()
    stances = read_stances(entailment, example.claim.text, answers, leads)
    return stances, similarities
