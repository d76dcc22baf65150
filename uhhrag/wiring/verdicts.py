"""Fits the learned verdict, and refits the news verdict's scale and biases to a labelled run: a fit
to written answers too often takes raw sentences for support."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from uhhrag.errors import InputError, UsageError
from uhhrag.formats.gold import read_gold
from uhhrag.prompts.templates import load_prompts
from uhhrag.protocols import LLM, Embedder, Entailment
from uhhrag.records import Label, Represent, Verdict
from uhhrag.rules import learned_files
from uhhrag.rules.learned import DOCUMENTS, FEATURES, NEWS, LearnedVerdict, Stance, summary
from uhhrag.rules.reading_head import STEP, prompt_of
from uhhrag.runs.run_folder import read_header
from uhhrag.runs.trace import TRACE, read_trace, verdict_in
from uhhrag.text.pronouns import joined
from uhhrag.text.repetition import without_repeats
from uhhrag.training import regression
from uhhrag.training.calibration import Example, vector_scaling
from uhhrag.training.regression import fit_reader
from uhhrag.training.verdict import VerdictScore, fit_verdict, known_labels
from uhhrag.voters.stances import readings
from uhhrag.voters.table import learned_from
from uhhrag.wiring.machine import Loaded

MIN_PROBABILITY = 1e-9
USED = {DOCUMENTS: ("strongest support", "strongest refutation", "highest similarity")}
"""By field, if not all `FEATURES`: sums would let unrelated passages change a verdict."""
RIGHT = {DOCUMENTS: (5 / 6, 4 / 5)}
"""By field, the least share right of the claims called Supported, and Refuted: false reassurance
harms most."""
Stances = tuple[list[Stance], list[float]]
"""A claim's stances, best first, and each piece's cosine."""


def fit_learned(
    examples: Sequence[Example],
    field: str,
    source: str,
    embed: Embedder,
    entailment: Entailment,
    progress: Callable[[int, int], None],
    model: Loaded[LLM] | None = None,
) -> tuple[LearnedVerdict, VerdictScore]:
    """The score is cross-validated. `progress` gets claims done and all. Raises UsageError for an
    unknown field or documents with a model, InputError without evidence."""
    if field not in (NEWS, DOCUMENTS):
        raise UsageError(f"--field {field} is unknown; it is one of: {NEWS}, {DOCUMENTS}")
    if model and field == DOCUMENTS:
        raise UsageError(
            f"--field {DOCUMENTS} is fitted to copies of the claims with exchanged sides, which no "
            "language model can read; leave --llm out"
        )
    read, states, template = [], [], load_prompts()(STEP)
    known = [example for example in examples if example.evidence]
    if not known:
        raise InputError(f"{source}, none with evidence; give claims that have some")
    labels = [example.label for example in known]
    known_labels(mirrored([], labels, [])[1] if field == DOCUMENTS else labels, source)
    for number, example in enumerate(known, start=1):
        read.append(_read(example, embed, entailment))
        if model:
            prompt = prompt_of(template, example.claim, example.evidence)
            states.append(model.model([prompt], Represent())[0].state)
        progress(number, len(known))
    groups = []
    if field == DOCUMENTS or any(example.group for example in known):
        groups = [example.group or f"claim {n}" for n, example in enumerate(known)]
    if field == DOCUMENTS:
        read, labels, groups = mirrored(read, labels, groups)
    reader = None
    if model:
        known_by = (model.fingerprint, template.hash)
        reader = fit_reader(np.array(states), labels, *known_by, groups=groups)
    fitted, score = fit_verdict(
        [summary(*one) for one in read],
        labels,
        field,
        learned_from(llm=bool(model)),
        source,
        using=USED.get(field, FEATURES),
        read=reader,
        groups=groups,
        right=RIGHT.get(field, (0.0, 0.0)),
    )
    return fitted, replace(score, claims=len(known), exchanged=field == DOCUMENTS)


def mirrored(
    read: Sequence[Stances], labels: Sequence[Label], groups: Sequence[str]
) -> tuple[list[Stances], list[Label], list[str]]:
    """Add copies with exchanged sides, so that nearness alone decides nothing."""
    turned = [([(r, s, n) for s, r, n in stances], cosines) for stances, cosines in read]
    other = {Label.SUPPORTED: Label.REFUTED, Label.REFUTED: Label.SUPPORTED}
    return (
        [*read, *turned],
        [*labels, *[other.get(label, label) for label in labels]],
        [*groups, *groups],
    )


def _read(example: Example, embed: Embedder, entailment: Entailment) -> Stances:
    distinct = without_repeats(item.found for item in example.evidence)
    pieces = [example.evidence[place] for place in distinct]
    searched = [p.sentence or joined(p.before, p.answer) for p in pieces]
    vectors = embed([example.claim.text, *searched])
    similarities: list[float] = (vectors[1:] @ vectors[0]).astype(np.float64).tolist()
    read = readings(entailment, example.claim.text, pieces, titled=True)
    return [one.stance for one in read], similarities


def rescaled_by(run: Path, gold: Path) -> tuple[LearnedVerdict, float]:
    """The shipped verdict refitted, and its cross-validated accuracy. Raises InputError for a run
    without its labels' probabilities, too few claims or one without votes, RunError for no run."""
    read_header(run)
    known = {one.claim.id: one.label for one in read_gold(gold)}
    records = (record for record in read_trace(run / TRACE) if "error" not in record)
    verdicts = [verdict for verdict in map(verdict_in, records) if verdict.claim.id in known]
    labels = [known[verdict.claim.id] for verdict in verdicts]
    read = all(verdict.reading for verdict in verdicts)
    learned = learned_files.find(NEWS, learned_from(llm=read))
    if any(verdict.probabilities.keys() != set(learned.labels) for verdict in verdicts):
        raise InputError(
            f"{run}: is no learned run on news claims; make one by: uhhrag predict --rule learned"
        )
    if len(verdicts) < regression.FOLDS or not all(verdict.votes for verdict in verdicts):
        raise InputError(f"{run}: has too few claims with votes and a label in {gold}")
    targets = np.array([learned.labels.index(label) for label in labels])
    logs = np.log([_decided(learned, verdict)[1] for verdict in verdicts])
    folds, right = regression.folds_of(targets, 0), 0
    for fold in range(regression.FOLDS):
        used = folds != fold
        fitted = _rescaled(learned, logs[used], targets[used])
        held = zip(verdicts, labels, used, strict=True)
        right += sum(_decided(fitted, v)[0] is label for v, label, use in held if not use)
    source = f"{learned.fitted_on}; rescaled on {gold.name}: {len(labels)} claims"
    fitted = _rescaled(learned, logs, targets)
    return replace(fitted, fitted_on=source), right / len(labels)


def _rescaled(
    learned: LearnedVerdict, logs: NDArray[np.float64], targets: regression.Targets
) -> LearnedVerdict:
    """`logs` are log-probabilities, claims × labels."""
    scale, bias = vector_scaling(logs, targets, np.ones(len(targets)))
    return replace(
        learned,
        weights=tuple(tuple(scale * weight for weight in row) for row in learned.weights),
        bias=tuple((scale * np.array(learned.bias) + bias).tolist()),
    )


def _decided(learned: LearnedVerdict, verdict: Verdict) -> tuple[Label, list[float]]:
    reading = tuple(math.log(max(share, MIN_PROBABILITY)) for share in verdict.reading.values())
    decision = learned(verdict.evidence, verdict.votes, reading)
    return decision.label, [
        max(decision.probabilities[one], MIN_PROBABILITY) for one in learned.labels
    ]
