"""Fit a calibration on claims whose label is known and whose evidence a real system retrieved.

A vote has no gold label of its own, only its claim has. So the fit is made on claims: the mean of
a claim's votes is held against its label. The scale is vector scaling's, every label weighing the
same. The biases are then set so that the labels come out as often as they are in the training
file: where the evidence tells little, the likeliest label alone would always be the commonest one,
and a verdict would say nothing.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import orjson
from numpy.typing import NDArray
from scipy.optimize import minimize

from uhhrag.errors import InputError
from uhhrag.records import Claim, Evidence, Label, Source, Vote
from uhhrag.system.decode import shaped
from uhhrag.system.text_files import read_json, write_bytes
from uhhrag.text.pronouns import sentence_before
from uhhrag.voters.calibration import NONE, Calibration, read_entries


@dataclass(frozen=True, slots=True)
class Example:
    """A claim with its gold label and evidence, best first."""

    claim: Claim
    label: Label
    evidence: tuple[Evidence, ...]
    group: str = ""
    """claims of one group are never divided between a fit and what it is scored on"""


@dataclass(frozen=True, slots=True)
class Fit:
    """A calibration with what was seen on the claims it was fitted on: how many `claims` and
    `votes`, and of the verdicts before and after, accuracy and label mix."""

    calibration: Calibration
    claims: int
    votes: int
    before: tuple[float, Mapping[str, int]]
    after: tuple[float, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class _Pair:
    question: str
    answer: str
    title: str = ""
    context: str = ""
    sentence: str = ""
    read: str = ""


@dataclass(frozen=True, slots=True)
class _Row:
    claim: str
    label: Label
    evidence: tuple[_Pair, ...]
    group: str = ""


def read_examples(path: Path) -> list[Example]:
    """A JSON list of objects with `claim`, `label` and `evidence` (each `question`, `answer`, and
    optionally the `title` of the document that the answer is from, the `context`, the sentences
    around it, one a line, the `sentence` that a search found, where the answer is a text around it,
    and what is `read` of it, where that is not the answer), and optionally its `group`. Raises
    InputError for anything else."""
    try:
        rows = shaped(tuple[_Row, ...], read_json(path), "the file")
    except TypeError as error:
        raise InputError(
            f"{path}: is not a list of claims with label and evidence ({error}); "
            "each is an object with claim, label and evidence, a list of question and answer"
        ) from error
    return [
        Example(
            Claim(position, row.claim),
            row.label,
            tuple(map(_evidence, row.evidence)),
            row.group,
        )
        for position, row in enumerate(rows)
    ]


def _evidence(pair: _Pair) -> Evidence:
    sources = (Source("", pair.title),) if pair.title else ()
    lines = pair.context.split("\n")
    before = sentence_before(lines, lines.index(pair.answer)) if pair.answer in lines else ""
    return Evidence(
        pair.question,
        pair.answer,
        context=pair.context,
        sources=sources,
        sentence=pair.sentence,
        before=before,
        read=pair.read,
    )


def sample(
    examples: Sequence[Example], labels: Sequence[Label], size: int, seed: int
) -> list[Example]:
    """At most `size` examples that have evidence and one of the labels, the same number of each
    label as far as there are so many; the same for the same seed. Raises InputError where a
    label has none."""
    chance = random.Random(seed)  # noqa: S311 - a draw that can be repeated, nothing secret
    drawn: list[Example] = []
    for label in labels:
        group = [e for e in examples if e.label is label and e.evidence]
        if not group:
            raise InputError(
                f"the training file has no claim that is {label} and has evidence; "
                "a calibration needs some of each label"
            )
        drawn += chance.sample(group, min(len(group), size // len(labels)))
    return drawn


def shares(examples: Sequence[Example], labels: Sequence[Label]) -> list[float]:
    """How common each label is among the examples that have evidence and one of the labels."""
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
    """The calibration of votes (those of examples[i] are votes[i]) to their claims' labels;
    `common` says how common each label is, in the options' order."""
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

    return Fit(fitted, len(examples), sum(map(len, votes)), seen(NONE), seen(fitted))


def vector_scaling(
    logprobs: NDArray[np.float64], targets: NDArray[np.int64], weights: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64]]:
    """Scale and biases (their sum is 0) that make targets[i], a column of `logprobs`, likeliest;
    row i weighs weights[i]. Shape of `logprobs`: (rows, options).

    The scale is at least 0: a prompt whose letters say the reverse of what they mean is not
    repaired by turning them round."""
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
    """Biases (their sum is 0) with which option j has the highest score in a share of common[j]
    of the rows, as near as their number allows; row i weighs weights[i]."""
    bias: NDArray[np.float64] = np.zeros(scores.shape[1])
    weights = weights / weights.sum()
    for step in np.geomspace(1.0, 0.001, 400):
        chosen = (scores + bias).argmax(axis=1)
        bias += step * (np.array(common) - np.bincount(chosen, weights, len(bias)))
    centred: NDArray[np.float64] = bias - bias.mean()
    return centred


def write_entry(path: Path, model: str, template: str, step: str, fitted: Fit) -> None:
    """Put a fit into a calibration file, in the place of an earlier one of this model and
    template. Raises InputError for a file that is something else."""
    table = read_entries(path) if path.exists() else []
    others = [e for e in table if (e["model"], e["template"]) != (model, template)]
    entry = {
        "step": step,
        "model": model,
        "template": template,
        "scale": fitted.calibration.scale,
        "bias": list(fitted.calibration.bias),
        "fitted_on": fitted.calibration.source,
    }
    content = orjson.dumps([*others, entry], option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    write_bytes(path, content)
