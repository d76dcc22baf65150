from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from uhhrag.errors import UsageError
from uhhrag.formats.gold import read_gold
from uhhrag.runs.run_folder import runs_apart
from uhhrag.scores import compare as comparing
from uhhrag.scores import ev2r_compare, score_report, six_point
from uhhrag.scores.bootstrap import Bootstrap
from uhhrag.scores.run_table import RunTable, table_of
from uhhrag.system.terminal import printable
from uhhrag.workflows.judged import grades_asked, judge_run, load_judge, scored, warn_of_faults
from uhhrag.workflows.observer import SILENT, Observer
from uhhrag.workflows.table import Scored
from uhhrag.workflows.tasks import Judging, Scoring


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison(Scored):
    """A row per measure."""

    @property
    def rows(self) -> list[dict[str, Any]]:
        """`clear` if the interval excludes 0. Empty for graded labels."""
        return [
            {
                "measure": name,
                **{key: of[key] for key in ("a", "b", "difference")},
                **dict(zip(("low", "high"), of["interval"] or (None, None), strict=True)),
                "clear": of["clear"],
            }
            for name, of in self.scores.get("measures", {}).items()
        ]


def compare(
    a: Path,
    b: Path,
    gold: Path,
    scoring: Scoring,
    judging: Judging | None = None,
    observer: Observer = SILENT,
) -> Comparison:
    """Differences are B - A. With `judging`, `a` and `b` can also be the JSON of judged runs."""
    told: list[str] = []
    made = _compare(a, b, gold, scoring, judging, observer.keeping(told))
    beware = score_report.warnings_of_two(made.scores)
    told += [f"{about}: {note}".lstrip(" :") for about, notes in beware.items() for note in notes]
    return replace(made, warnings=tuple(told))


def _compare(
    a: Path, b: Path, gold: Path, scoring: Scoring, judging: Judging | None, observer: Observer
) -> Comparison:
    warn_of_faults(observer, a, b)
    apart = {"differs_in": runs_apart(a, b)}
    if judging:
        scores = _judged((a, b), gold, judging, scoring.bootstrap, observer) | apart
        return Comparison(scores=scores, text=ev2r_compare.as_text(scores))
    if graded := six_point.read_gold(gold):
        graded = grades_asked((a, b), graded, observer)
        runs = [six_point.grade(run, graded) for run in (a, b)]
        scores = six_point.as_json(runs, scoring.bootstrap) | apart
        return Comparison(scores=scores, text=six_point.as_text(scores))
    scores = comparing.as_json(*scored((a, b), gold, scoring)) | apart
    return Comparison(scores=scores, text=comparing.as_text(scores))


def _judged(
    runs: tuple[Path, Path], gold: Path, judging: Judging, bootstrap: Bootstrap, observer: Observer
) -> dict[str, Any]:
    claims = read_gold(gold)
    before = [ev2r_compare.read_judged(run, claims) for run in runs]
    judge = cache(lambda: load_judge(judging))
    first, second = (
        run if run else ev2r_compare.of_report(judge_run(path, gold, judge(), bootstrap, observer))
        for run, path in zip(before, runs, strict=True)
    )
    return ev2r_compare.as_json(first, second, str(gold), bootstrap)


def run_table(runs: Sequence[Path], gold: Path, scoring: Scoring, observer: Observer) -> RunTable:
    """Raises UsageError for a run named twice, InputError if unreadable."""
    if len(set(runs)) < len(runs):
        raise UsageError("a run is named twice; name each once")
    warn_of_faults(observer, *runs)
    table = table_of(list(observer.track(scored(runs, gold, scoring), len(runs), "runs")))
    observer.warn_all(map(printable, table.beware))
    return table
