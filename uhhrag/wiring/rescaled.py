"""Refits the news verdict's scale and biases to a labelled run: a fit to written answers takes raw
sentences for support too often."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from uhhrag.errors import InputError
from uhhrag.formats.gold import read_gold
from uhhrag.records import Label, Verdict
from uhhrag.rules import learned_files
from uhhrag.rules.learned import NEWS, LearnedVerdict
from uhhrag.runs.trace import verdict_in
from uhhrag.runs.trace_lines import TRACE, read_trace
from uhhrag.training import regression
from uhhrag.training.calibration import vector_scaling

LEAST = 1e-9
"""Floor of probabilities."""


def rescaled_by(run: Path, gold: Path) -> tuple[LearnedVerdict, float]:
    """The shipped verdict refitted, and its cross-validated accuracy. Raises InputError for too few
    claims or one without votes."""
    known = {one.claim.id: one.label for one in read_gold(gold)}
    records = (record for record in read_trace(run / TRACE) if "error" not in record)
    verdicts = [verdict for verdict in map(verdict_in, records) if verdict.claim.id in known]
    labels = [known[verdict.claim.id] for verdict in verdicts]
    if len(verdicts) < regression.FOLDS or not all(verdict.votes for verdict in verdicts):
        raise InputError(f"{run}: has too few claims with votes and a label in {gold}")
    read = all(verdict.reading for verdict in verdicts)
    learned = learned_files.find(NEWS, "both" if read else "verifier")
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
    reading = tuple(math.log(max(share, LEAST)) for share in verdict.reading.values())
    decision = learned(verdict.evidence, verdict.votes, reading)
    return decision.label, [max(decision.probabilities[one], LEAST) for one in learned.labels]
