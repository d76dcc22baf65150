from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from uhhrag.errors import UsageError
from uhhrag.formats.gold import read_gold
from uhhrag.formats.submission import file_of
from uhhrag.formats.trec import read_runs
from uhhrag.scores import ev2r_report, ranking, reliability, score_report, six_point
from uhhrag.scores.ev2r_report import Ev2rReport
from uhhrag.scores.score_report import Report
from uhhrag.store.knowledge_store import read
from uhhrag.system.text_files import require_apart, require_writable
from uhhrag.workflows.judged import grades_asked, judge_run, load_judge, scored, warn_of_faults
from uhhrag.workflows.observer import SILENT, Observer
from uhhrag.workflows.table import Scored, check_ending, write_rows
from uhhrag.workflows.tasks import EvaluateTask, Judging


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation(Scored):
    """A row per claim."""

    claims: tuple[dict[str, Any], ...] = ()
    report: Report | Ev2rReport | None = None
    """None unless labels were scored."""

    @property
    def rows(self) -> tuple[dict[str, Any], ...]:
        return self.claims


def evaluate(task: EvaluateTask, observer: Observer = SILENT) -> Evaluation:
    """As the official scorer of 2024, by a judge, or on the six-point scale. Raises UsageError."""
    told: list[str] = []
    made = _evaluate(task, observer.keeping(told))
    return replace(made, warnings=(*told, *made.scores.get("beware", ())))


def _evaluate(task: EvaluateTask, observer: Observer) -> Evaluation:
    run = task.run
    _require_use(task)
    if run is None:
        return _with_retrieval(task, _rankings_alone(task), Evaluation(scores={}, text=""))
    warn_of_faults(observer, run)
    if task.per_claim is not None:
        check_ending(task.per_claim)
        inputs = (task.gold, file_of(run), task.trec, task.qrels)
        require_apart(task.per_claim, *filter(None, inputs))
        require_writable(task.per_claim)
    if task.judging:
        evaluation = _judged(task, run, task.judging, observer)
    elif task.trec is None and (graded := six_point.read_gold(task.gold)):
        graded = grades_asked((run,), graded, observer)
        evaluation = _graded(task, six_point.grade(run, graded))
    else:
        evaluation = _labelled(task, run)
    if task.per_claim is not None:
        write_rows(task.per_claim, evaluation.rows)
    return _with_retrieval(task, task.trec, evaluation) if task.trec else evaluation


def _require_use(task: EvaluateTask) -> None:
    if task.trec is None and (task.qrels or task.store):
        option = f"--qrels {task.qrels}" if task.qrels else f"--store {task.store}"
        raise UsageError(f"{option} is for --trec; add it, or leave {option.split()[0]} out")
    if task.qrels and task.store:
        raise UsageError("--qrels and --store both say what is relevant; give one of them")


def _rankings_alone(task: EvaluateTask) -> Path:
    if task.trec is None:
        raise UsageError("nothing to score: name a prediction file or run folder, or --trec RUNS")
    for option, given in (("--per-claim", task.per_claim), ("--measure ev2r", task.judging)):
        if given is not None:
            raise UsageError(f"{option} needs a prediction file or run folder to score")
    return task.trec


def _graded(task: EvaluateTask, graded: six_point.Graded) -> Evaluation:
    scores = six_point.as_json([graded], task.bootstrap)
    rows = tuple(six_point.rows(graded))
    return Evaluation(scores=scores, text=six_point.as_text(scores), claims=rows)


def _judged(task: EvaluateTask, run: Path, judging: Judging, observer: Observer) -> Evaluation:
    judge = load_judge(judging)
    report = judge_run(run, task.gold, judge, task.bootstrap, observer)
    scores, rows = ev2r_report.as_json(report), tuple(ev2r_report.rows(report.scores))
    return Evaluation(scores=scores, text=ev2r_report.as_text(scores), claims=rows, report=report)


def _labelled(task: EvaluateTask, run: Path) -> Evaluation:
    (report,) = scored([run], task.gold, task)
    scores = score_report.as_json(report)
    texts = [score_report.as_text(scores)]
    if outcomes := score_report.outcomes(run, report.scores):
        scores["confidence"] = reliability.as_json(outcomes)
        texts.append(reliability.as_text(scores["confidence"]))
    rows = tuple(score_report.rows(report.scores))
    return Evaluation(scores=scores, text="\n\n".join(texts), claims=rows, report=report)


def _with_retrieval(task: EvaluateTask, trec: Path, evaluation: Evaluation) -> Evaluation:
    passages = partial(read, task.store) if task.store else None
    judged = ranking.judgements(read_gold(task.gold), task.qrels, passages)
    stages = ranking.as_json(read_runs(trec), judged)
    texts = [evaluation.text, ranking.as_text(stages)]
    return replace(
        evaluation,
        scores={**evaluation.scores, "retrieval": stages},
        text="\n\n".join(text for text in texts if text),
    )
