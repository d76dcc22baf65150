"""Human ratings of evidence, and perturbed evidence, as the benchmark of Ev2R reads them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uhhrag.records import Claim
from uhhrag.scores.ev2r import Case, QuestionAnswer, side_of

SETS = ("A", "B")
"""A: one system of 2023, two raters or more. B: 22 systems of 2024, one rater."""


@dataclass(frozen=True, slots=True)
class Rated:
    """Evidence of a system on a claim with the mean coverage that people gave it, from 0 (nothing
    of gold's evidence) to 1 (all), and the scores that were published for it, by measure."""

    part: str
    case: Case
    gold: tuple[QuestionAnswer, ...]
    predicted: tuple[QuestionAnswer, ...]
    coverage: float
    published: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Perturbed:
    """Gold evidence and the same with one thing changed. `falls` says whether the recall of the
    changed evidence must be lower, or stay."""

    test: str
    case: Case
    falls: bool


def read_ratings(path: Path) -> list[Rated]:
    """The items of the published comparison, in file order."""
    return [_rated(row) for row in _rows(path) if row["in_published_set"]]


def read_checklist(path: Path, claims: int) -> list[Perturbed]:
    """The clean tests that change something, on the first so many claims; and for each of these
    claims the test "unchanged", gold evidence against itself."""
    rows = [row for row in _rows(path) if row["base_index"] < claims]
    changed = [row for row in rows if row["changed"] and row["strict"]]
    bases = {row["base_index"]: row for row in rows}
    return [
        *(
            Perturbed("unchanged", _case(row, "base_evidence", "base_evidence"), falls=False)
            for row in bases.values()
        ),
        *(
            Perturbed(
                row["test"],
                _case(row, "base_evidence", "perturbed_evidence"),
                row["expect_recall"] == "fall",
            )
            for row in changed
        ),
    ]


def _rated(row: Mapping[str, Any]) -> Rated:
    rating = row["ratings"]["semantic_coverage"]
    low, high = rating["scale"]
    return Rated(
        row["set"],
        _case(row, "gold_evidence", "system_evidence"),
        _pairs(row["gold_evidence"]),
        _pairs(row["system_evidence"]),
        (rating["mean"] - low) / (high - low),
        {name: value for name, value in row["published_scores"].items() if value is not None},
    )


def _case(row: Mapping[str, Any], gold: str, predicted: str) -> Case:
    return Case(Claim(0, row["claim"]), side_of(_pairs(row[gold])), side_of(_pairs(row[predicted])))


def _pairs(evidence: Sequence[Mapping[str, Any]]) -> tuple[QuestionAnswer, ...]:
    return tuple((item["question"], answer) for item in evidence for answer in item["answers"])


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
