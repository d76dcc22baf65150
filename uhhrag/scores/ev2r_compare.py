from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import compress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from uhhrag.errors import InputError
from uhhrag.formats.gold import Gold
from uhhrag.scores.bootstrap import Bootstrap, as_lines
from uhhrag.scores.choices import Measure
from uhhrag.scores.ev2r import MEASURES, SCORE, SHARES, THRESHOLD, measure, resample, table_of
from uhhrag.scores.ev2r_report import Ev2rReport, JudgeId, signature, warnings_of
from uhhrag.scores.score_report import heading_of_two, shared_claims
from uhhrag.system.decode import shaped
from uhhrag.system.terminal import first_of, wrapped
from uhhrag.system.text_files import encodable, read_json

KEY = f"won: B alone solved it; solved: the right label and a Q+A recall above {THRESHOLD}"


@dataclass(frozen=True, slots=True)
class JudgedRun:
    run: str
    judge: JudgeId
    signature: str
    ids: tuple[int, ...]
    """In gold order."""
    values: NDArray[np.float64]
    """Claims by MEASURES; NaN without a value."""
    warnings: tuple[str, ...]


def of_report(report: Ev2rReport) -> JudgedRun:
    ids = tuple(claim.id for claim in report.scores)
    values, warnings = table_of(report.scores), tuple(warnings_of(report))
    return JudgedRun(report.run, report.judge, signature(report.judge), ids, values, warnings)


def read_judged(path: Path, gold: Sequence[Gold]) -> JudgedRun | None:
    """None for files not from `evaluate --measure ev2r`. Raises InputError if altered."""
    if path.is_dir() or path.suffix.lower() != ".json":
        return None
    content = read_json(path)
    if not isinstance(content, dict) or content.get("measure") != Measure.EV2R:
        return None
    try:
        return _judged(shaped(_Saved, content, "the file"), gold)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"{path}: is not what evaluate --measure {Measure.EV2R} --json prints for these claims "
            f"({error}); evaluate the run again"
        ) from error


@dataclass(frozen=True, slots=True)
class _Saved:
    run: str
    judge: JudgeId
    signature: str
    beware: tuple[str, ...]
    per_claim: tuple[Mapping[str, Any], ...]
    unasked: tuple[int, ...] = ()


def _judged(saved: _Saved, gold: Sequence[Gold]) -> JudgedRun:
    every = {wanted.claim.id: encodable(wanted.claim.text) for wanted in gold}
    claims = [(number, text) for number, text in every.items() if number not in saved.unasked]
    if [(row.get("id"), row.get("claim")) for row in saved.per_claim] != claims:
        raise ValueError("it was made with another claims file")
    values = np.array([_values(row) for row in saved.per_claim], dtype=np.float64)
    ids = tuple(number for number, _ in claims)
    return JudgedRun(saved.run, saved.judge, saved.signature, ids, values, saved.beware)


def _values(row: Mapping[str, Any]) -> list[float]:
    numbers = []
    for name in (*SHARES, "solved", "right"):
        value = row.get(name, "")
        if value is not None and not (isinstance(value, float | int) and 0 <= value <= 1):
            raise ValueError(f"claim {row['id']}, {name}: is not a number from 0 to 1, or null")
        numbers.append(float("nan") if value is None else float(value))
    return numbers


def judges_differ(a: JudgedRun, b: JudgedRun) -> str:
    """A warning, or "" for equal judges and versions."""
    if a.signature == b.signature:
        return ""
    if a.judge == b.judge:
        return "A and B were judged by different versions of uhhrag; evaluate both again"
    return (
        f"A was judged by {a.judge}, B by {b.judge}: the differences below are also those of the "
        "judges and say nothing certain about the runs"
    )


def as_json(a: JudgedRun, b: JudgedRun, gold: str, bootstrap: Bootstrap) -> dict[str, Any]:
    """Over claims that both were asked for; `flips`: those solved by one run alone."""
    shared = shared_claims((a.ids, b.ids))
    a, b = (_among(shared, run) for run in (a, b))
    return {
        "a": a.run,
        "b": b.run,
        "gold": gold,
        "measure": Measure.EV2R.value,
        "claims": len(a.values),
        "judges": {"a": asdict(a.judge), "b": asdict(b.judge)},
        "same_judge": not judges_differ(a, b),
        "measures": bootstrap.differences(a.values, b.values, measure, resample),
        "intervals_are": bootstrap.described(len(a.values), "both runs and every measure"),
        "flips": {"won": _solved(b, a), "lost": _solved(a, b)},
        "beware": {"a": list(a.warnings), "b": list(b.warnings), "both": judges_differ(a, b)},
        "signature": {"a": a.signature, "b": b.signature},
    }


def as_text(scores: Mapping[str, Any]) -> str:
    """From `as_json`."""
    flips = scores["flips"]
    lines = [*heading_of_two(scores), *as_lines(scores["measures"]), ""]
    solved = f"B won {_named(flips['won'])}, lost {_named(flips['lost'])}"
    lines += [wrapped(solved, "solved: "), *([KEY] if any(flips.values()) else []), ""]
    last = (scores["intervals_are"], *dict.fromkeys(scores["signature"].values()))
    return "\n".join([*lines, *(wrapped(line, "") for line in last)])


def _among(ids: set[int], run: JudgedRun) -> JudgedRun:
    kept = [i in ids for i in run.ids]
    return replace(run, ids=tuple(compress(run.ids, kept)), values=run.values[kept])


def _solved(by: JudgedRun, other: JudgedRun) -> list[int]:
    column = MEASURES.index(SCORE)
    pairs = zip(by.ids, by.values[:, column], other.values[:, column], strict=True)
    return [i for i, ours, theirs in pairs if ours == 1 and theirs != 1]


def _named(ids: Sequence[int]) -> str:
    """
    >>> _named([]), _named([3, 5])
    ('0', '2 (3, 5)')
    """
    return f"{len(ids)} ({first_of(ids, 12)})" if ids else "0"
