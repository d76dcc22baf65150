"""Calibrates votes to labels of claims: the scale by vector scaling of mean votes, biases to the
label mix, else the commonest label wins on weak evidence."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from uhhrag.errors import InputError
from uhhrag.evidence.context import line_in
from uhhrag.records import Claim, Evidence, Label, Source, Vote
from uhhrag.system.decode import shaped
from uhhrag.system.text_files import indented, read_json, write_bytes
from uhhrag.text.pronouns import sentence_before
from uhhrag.voters.calibration import NONE, Calibration, FittedCalibration, read_entries


@dataclass(frozen=True, slots=True)
class Example:
    claim: Claim
    label: Label
    evidence: tuple[Evidence, ...]
    group: str = ""
    """never split between fit and test"""


@dataclass(frozen=True, slots=True)
class Fit:
    calibration: Calibration
    before: tuple[float, Mapping[str, int]]
    """accuracy and label mix"""
    after: tuple[float, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class _Pair:
    question: str
    answer: str
    title: str = ""
    context: str = ""
    """lines around the answer"""
    at: int = 0
    """as in `Evidence`"""
    sentence: str = ""
    """found by the search, if the answer is a text around it"""
    read: str = ""
    """what the voter read, if not the answer"""
    section: str = ""
    beside: tuple[str, ...] = ()
    """other found sentences of the text around"""


@dataclass(frozen=True, slots=True)
class _Row:
    claim: str
    label: Label
    evidence: tuple[_Pair, ...]
    group: str = ""


def read_examples(path: Path) -> list[Example]:
    """Raises InputError for anything but a JSON list of `_Row`."""
    try:
        rows = shaped(tuple[_Row, ...], read_json(path), "the file")
    except TypeError as error:
        raise InputError(
            f"{path}: is not a list of claims with label and evidence ({error}); "
            "each is an object with claim, label and evidence, a list of question and answer"
        ) from error
    return [
        Example(Claim(n, row.claim), row.label, tuple(map(_evidence, row.evidence)), row.group)
        for n, row in enumerate(rows)
    ]


def _evidence(pair: _Pair) -> Evidence:
    titled = pair.title or pair.section
    sources = (Source("", pair.title, section=pair.section),) if titled else ()
    line = line_in(pair.context, pair.answer, pair.at)
    before = "" if line < 0 else sentence_before(pair.context.split("\n"), line)
    beside = tuple(Evidence("", found, sources=sources) for found in pair.beside)
    own = Evidence(pair.question, pair.answer, sources=sources, before=before, beside=beside)
    return replace(own, context=pair.context, sentence=pair.sentence, read=pair.read)


def sample(
    file: Path, examples: Sequence[Example], labels: Sequence[Label], size: int, seed: int
) -> list[Example]:
    """Reproducible, balanced over `labels`. Raises InputError for a label without evidence."""
    chance = random.Random(seed)  # noqa: S311 - a draw that can be repeated, nothing secret
    drawn: list[Example] = []
    for label in labels:
        group = [e for e in examples if e.label is label and e.evidence]
        if not group:
            raise InputError(
                f"{file}: no claim is {label} and has evidence; give some of each label"
            )
        drawn += chance.sample(group, min(len(group), size // len(labels)))
    return drawn


def shares(examples: Sequence[Example], labels: Sequence[Label]) -> list[float]:
    """Of examples with evidence."""
    counts = Counter(e.label for e in examples if e.evidence)
    total = sum(counts[label] for label in labels)
    return [counts[label] / total for label in labels]


def fit(
    examples: Sequence[Example],
    votes: Sequence[tuple[Vote, ...]],
    options: Mapping[str, Label | None],
    common: Sequence[float],
    decide: Callable[[Sequence[Vote]], Label],
    recast: Callable[[Vote, Calibration], Vote],
    source: str,
) -> Fit:
    """votes[i] are on examples[i]; `common` are label shares in the options' order."""
    labels = [label for label in options.values() if label]
    letters = [letter for letter, label in options.items() if label]
    rows = [np.mean([[v.options[x] for x in letters] for v in cast], axis=0) for cast in votes]
    targets = np.array([labels.index(example.label) for example in examples])
    weights = 1 / np.bincount(targets, minlength=len(labels)).clip(min=1)
    scale, _ = vector_scaling(np.array(rows), targets, weights[targets])
    bias = match_mix(scale * np.array(rows), (weights * common)[targets], common)
    fitted = Calibration(scale, tuple(map(float, bias)), source)

    def seen(calibration: Calibration) -> tuple[float, Mapping[str, int]]:
        verdicts = [decide([recast(v, calibration) for v in cast]) for cast in votes]
        right = [v is e.label for v, e in zip(verdicts, examples, strict=True)]
        return sum(right) / len(right), dict(Counter(map(str, verdicts)))

    return Fit(fitted, seen(NONE), seen(fitted))


def vector_scaling(
    logprobs: NDArray[np.float64], targets: NDArray[np.int64], weights: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64]]:
    """Scale (from 0: less would hide reversed letters), biases (sum 0); shape (rows, options)."""
    classes = logprobs.shape[1]
    weights = weights / weights.sum()

    def loss(parameters: NDArray[np.float64]) -> float:
        scaled = parameters[0] * logprobs + parameters[1:] - parameters[1:].mean()
        scaled -= scaled.max(axis=1, keepdims=True)
        likelihood = scaled[np.arange(len(targets)), targets] - np.log(np.exp(scaled).sum(axis=1))
        # A weak pull towards 0 keeps the fit finite where a class is told apart perfectly.
        return float(-(weights * likelihood).sum() + 1e-4 * (parameters**2).sum())

    start = np.concatenate([[1.0], np.zeros(classes)])
    bounds = [(0.0, None)] + [(None, None)] * classes
    best = minimize(loss, start, method="L-BFGS-B", bounds=bounds).x
    return float(best[0]), best[1:] - best[1:].mean()


def match_mix(
    scores: NDArray[np.float64], weights: NDArray[np.float64], common: Sequence[float]
) -> NDArray[np.float64]:
    """Biases (sum 0) with which option j wins about common[j] of the weighted rows."""
    bias: NDArray[np.float64] = np.zeros(scores.shape[1])
    weights = weights / weights.sum()
    for step in np.geomspace(1.0, 0.001, 400):
        chosen = (scores + bias).argmax(axis=1)
        bias += step * (np.array(common) - np.bincount(chosen, weights, len(bias)))
    centred: NDArray[np.float64] = bias - bias.mean()
    return centred


def write_entry(path: Path, model: str, template: str, step: str, fitted: Fit) -> None:
    """Replaces that of its model and template. Raises InputError for another kind of file."""
    table = read_entries(path) if path.exists() else ()
    others = [e for e in table if (e.model, e.template) != (model, template)]
    calibration = fitted.calibration
    entry = FittedCalibration(
        step=step,
        model=model,
        template=template,
        scale=calibration.scale,
        bias=calibration.bias,
        fitted_on=calibration.source,
    )
    write_bytes(path, indented((*others, entry)))
