"""Accuracy, soft accuracy (by one grade), macro-F1 and MAE on six grades (Chen et al., section 4).
A missing grade is wrong and as far off as possible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from uhhrag.errors import InputError
from uhhrag.formats.fields import claim_id
from uhhrag.records import Grade, Label
from uhhrag.rules.replies import as_grade
from uhhrag.runs.trace import read_trace
from uhhrag.scores.bootstrap import Bootstrap, f1_by_class
from uhhrag.scores.score_report import differs_in, how_scored
from uhhrag.system.terminal import columns, printable, quantity, wrapped
from uhhrag.system.text_files import read_json
from uhhrag.version import __version__

SCALE = tuple(Grade)
MEASURES = ("accuracy", "soft accuracy", "macro-F1", "MAE")
_NONE = -1


@dataclass(frozen=True, slots=True)
class Graded:
    """Positions on the scale, in gold order."""

    run: str
    ids: tuple[int, ...]
    gold: NDArray[np.int64]
    predicted: NDArray[np.int64]
    """-1 for no grade."""

    def missing(self) -> list[int]:
        return [
            i for i, predicted in zip(self.ids, self.predicted, strict=True) if predicted == _NONE
        ]


def read_gold(path: Path) -> dict[int, Grade] | None:
    """By `claim_id`, else position; None without grades. Raises InputError for other labels."""
    content = read_json(path)
    listed = content if isinstance(content, list) else []
    rows = [row if isinstance(row, dict) else {} for row in listed]
    labels = [label if isinstance(label := row.get("label"), str) else None for row in rows]
    graded = [as_grade(label) if label else None for label in labels]
    others = sum(label in set(Label) for label in labels)
    if not any(graded) or others > sum(grade is not None for grade in graded):
        return None
    gold: dict[int, Grade] = {}
    for position, (row, grade) in enumerate(zip(rows, graded, strict=True)):
        where = f"{path}, claim {position}"
        if grade is None:
            shown = repr(row.get("label"))[:60]
            raise InputError(
                f"{where}, label: {shown} is not one of the six grades, as the other claims have; "
                f"they are {', '.join(SCALE)}"
            )
        number = claim_id(row.get("claim_id"), where)
        number = position if number is None else number
        if number in gold:
            raise InputError(f"{where}: its claim_id {number} is another's; give each its own")
        gold[number] = grade
    return gold


def read_grades(path: Path) -> dict[int, Grade]:
    """From a run folder, or a JSON list of `claim_id` and `grade`. Raises InputError for none."""
    if path.is_dir():
        records = list(read_trace(path / "trace.jsonl"))
    else:
        content = read_json(path)
        records = content if isinstance(content, list) else []
    grades: dict[int, Grade] = {}
    for row in records:
        name = row.get("grade") if isinstance(row, dict) else None
        number = claim_id(row.get("claim_id"), str(path)) if isinstance(row, dict) else None
        if isinstance(name, str) and number is not None and (grade := as_grade(name)):
            grades.setdefault(number, grade)
    if not grades:
        raise InputError(
            f"{path}: has no grades of the scale of six; make some with: "
            "uhhrag predict --rule six-point"
        )
    return grades


def grade(path: Path, gold: Mapping[int, Grade]) -> Graded:
    grades = read_grades(path)
    place = {name: number for number, name in enumerate(SCALE)}
    wanted = np.array([place[grade] for grade in gold.values()])
    given = np.array([place[grades[i]] if i in grades else _NONE for i in gold])
    return Graded(str(path), tuple(gold), wanted, given)


def measures(graded: Graded, times: NDArray[np.int64] | None = None) -> NDArray[np.float64]:
    """In the order of MEASURES, a row per resample; `times`: how often each claim is drawn."""
    gold, predicted = graded.gold, graded.predicted
    drawn = np.ones((1, len(gold)), np.int64) if times is None else times
    farthest = np.maximum(gold, len(SCALE) - 1 - gold)
    off = np.where(predicted == _NONE, farthest, np.abs(gold - predicted))
    soft = (off <= 1) & (predicted != _NONE)
    means = drawn @ np.stack([gold == predicted, soft, off], axis=1).astype(float) / len(gold)
    return np.column_stack(
        [means[:, 0], means[:, 1], _macro_f1(gold, predicted, drawn), means[:, 2]]
    )


def _macro_f1(
    gold: NDArray[np.int64], predicted: NDArray[np.int64], drawn: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Over grades that occur."""
    place = np.arange(len(SCALE))
    is_gold, is_predicted = gold[:, None] == place, predicted[:, None] == place
    there = (is_gold | is_predicted).any(axis=0)
    f1 = f1_by_class(is_gold[:, there], is_predicted[:, there], drawn)
    return np.asarray(f1.mean(axis=1), np.float64)


def as_json(runs: Sequence[Graded], bootstrap: Bootstrap) -> dict[str, Any]:
    """Two runs add differences, second minus first."""
    times = bootstrap.draw(len(runs[0].ids))
    report: dict[str, Any] = {
        "claims": len(runs[0].ids),
        "intervals_are": bootstrap.described(len(runs[0].ids)),
        "signature": f"six-point scale: {', '.join(MEASURES)} | uhhrag {__version__}",
    }
    values = [measures(run)[0] for run in runs]
    resampled = [measures(run, times) for run in runs]

    def told(means: NDArray[np.float64], drawn: NDArray[np.float64]) -> dict[str, Any]:
        named = zip(MEASURES, means.tolist(), map(bootstrap.interval, drawn.T), strict=True)
        return {name: {"value": mean, "interval": list(ends)} for name, mean, ends in named}

    report["runs"] = [
        {"run": run.run, "missing": run.missing(), "measures": told(mean, drawn)}
        for run, mean, drawn in zip(runs, values, resampled, strict=True)
    ]
    if len(runs) > 1:
        report["differences"] = told(values[1] - values[0], resampled[1] - resampled[0])
    return report


def as_text(report: Mapping[str, Any]) -> str:
    lines = []
    for run in report["runs"]:
        lines.append(
            f"{printable(run['run'])}: {quantity(report['claims'], 'claim')} on the scale of six"
        )
        if run["missing"]:
            shown = ", ".join(map(str, run["missing"][:10]))
            without = f"{len(run['missing'])} have no grade and count wrong: {shown}"
            lines.append(wrapped(without, "warning: "))
        lines += columns([_cells(name, m) for name, m in run["measures"].items()], "<<><")
    if "differences" in report:
        lines += differs_in(report)
        lines.append("second minus first (* the interval leaves 0 out)")
        rows = [_cells(name, m, "+") for name, m in report["differences"].items()]
        lines += columns(rows, "<<><")
    return "\n".join([*lines, *how_scored(report)])


def _cells(name: str, measured: Mapping[str, Any], sign: str = "") -> tuple[str, ...]:
    low, high = measured["interval"]
    star = "*" if sign and (low > 0 or high < 0) else ""
    interval = f"[{low:{sign}.3f}, {high:{sign}.3f}]{star}"
    return ("", name, f"{measured['value']:{sign}.4f}", interval)


def rows(graded: Graded) -> list[dict[str, Any]]:
    return [
        {
            "claim_id": i,
            "gold": str(SCALE[gold]),
            "grade": str(SCALE[predicted]) if predicted != _NONE else None,
            "steps_off": int(abs(gold - predicted)) if predicted != _NONE else None,
        }
        for i, gold, predicted in zip(graded.ids, graded.gold, graded.predicted, strict=True)
    ]
