"""The official scores of a prediction file or run folder, and the measures of TREC rankings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from uhhrag.errors import UsageError
from uhhrag.formats.gold import read_gold
from uhhrag.formats.trec import read_runs
from uhhrag.scores import ranking, reliability, score_report, six_point
from uhhrag.scores.bootstrap import Bootstrap
from uhhrag.scores.score_report import Report
from uhhrag.store.knowledge_store import read
from uhhrag.system import tables
from uhhrag.wiring import nltk_data
from uhhrag.workflows.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluateTask:
    """What is scored against which gold file: `run` is a run folder or a prediction file, `trec` a
    TREC run or a folder of such. `qrels`, or the pages of gold in `store`, say what is relevant.
    `per_claim` is a file for the scores by claim."""

    gold: Path
    run: Path | None
    per_claim: Path | None
    trec: Path | None
    qrels: Path | None
    store: Path | None
    workers: int | None
    bootstrap: Bootstrap


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation(Table):
    """`scores` is what `uhhrag evaluate --json` prints, `text` what it prints without. `rows` are
    the scores by claim; `report` holds them as records where labels were scored."""

    scores: Mapping[str, Any]
    text: str
    claims: tuple[dict[str, Any], ...] = ()
    report: Report | None = None

    def __getitem__(self, name: str) -> Any:
        return self.scores[name]

    @property
    def rows(self) -> tuple[dict[str, Any], ...]:
        """A row per claim: its labels and scores."""
        return self.claims


def evaluate(task: EvaluateTask) -> Evaluation:
    """Score predictions as the official scorer of 2024 does; where gold's labels are grades of the
    scale of six, by its measures. Raises UsageError for what cannot be scored."""
    if task.run is None and task.trec is None:
        raise UsageError("nothing to score: name a prediction file or run folder, or --trec RUNS")
    if task.run is None and task.per_claim is not None:
        raise UsageError("--per-claim needs a prediction file or run folder to score")
    if task.per_claim is not None:
        tables.check_ending(task.per_claim)
    if task.run is not None and task.trec is None and (graded := six_point.read_gold(task.gold)):
        return _graded(task, six_point.grade(task.run, graded))
    return _labelled(task)


def _graded(task: EvaluateTask, graded: six_point.Graded) -> Evaluation:
    rows = six_point.rows(graded)
    if task.per_claim is not None:
        tables.write(task.per_claim, rows)
    scores = six_point.as_json([graded], task.bootstrap)
    return Evaluation(scores=scores, text=six_point.as_text(scores), claims=tuple(rows))


def _labelled(task: EvaluateTask) -> Evaluation:
    gold = read_gold(task.gold)
    scores: dict[str, Any] = {}
    texts, report = [], None
    rows: list[dict[str, Any]] = []
    if task.run is not None:
        report = score_report.evaluate(
            task.run, gold, str(task.gold), nltk_data.folder(), task.workers, task.bootstrap
        )
        rows = score_report.rows(report.scores)
        if task.per_claim is not None:
            tables.write(task.per_claim, rows)
        scores |= score_report.as_json(report)
        texts.append(score_report.as_text(report))
        if outcomes := score_report.outcomes(task.run, report.scores):
            scores["confidence"] = reliability.as_json(outcomes)
            texts.append(reliability.as_text(outcomes))
    if task.trec is not None:
        passages = partial(read, task.store) if task.store else None
        judged = ranking.judgements(gold, task.qrels, passages)
        stages = ranking.as_json(read_runs(task.trec), judged)
        scores["retrieval"] = stages
        texts.append(ranking.as_text(stages))
    return Evaluation(scores=scores, text="\n\n".join(texts), claims=tuple(rows), report=report)
