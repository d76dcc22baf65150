from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from uhhrag.errors import RunError, UsageError
from uhhrag.runs.run_folder import PAGE
from uhhrag.scores import score_report
from uhhrag.system.terminal import printable, quantity
from uhhrag.system.text_files import require_apart, write_text
from uhhrag.views import html_pages, run_view
from uhhrag.views.run_view import RunView
from uhhrag.workflows.judged import judge_run, load_judge, scored, warn_of_faults
from uhhrag.workflows.observer import SILENT, Observer
from uhhrag.workflows.tasks import Judging, Scoring


@dataclass(frozen=True, slots=True)
class ReportPage:
    file: Path
    claims: int
    size: int
    """In bytes."""


def report(
    run: Path,
    gold: Path | None,
    out: Path | None,
    judging: Judging | None = None,
    observer: Observer = SILENT,
) -> ReportPage:
    """`out` is by default in the run folder; `gold` adds scores, `judging` rulings. Raises
    UsageError if `out` is an input, or for a judge without gold, RunError without verdicts."""
    if judging and not gold:
        raise UsageError("--measure ev2r judges the evidence against gold's; name it with --gold")
    target = out or run / PAGE
    view = run_view.read_run_view(run)
    if not view.claims:
        raise RunError(f"{run}: holds no verdict; see what is damaged by: uhhrag check-files {run}")
    warn_of_faults(observer, run)
    if view.undecided:
        total = len(view.claims) + view.undecided
        observer.warn(f"{run}: no verdict yet on {view.undecided} of {quantity(total, 'claim')}")
    others = (file for file in run.iterdir() if file.name != PAGE)
    require_apart(target, *others, *([gold] if gold else []))
    if gold:
        view = _scored(view, run, gold, judging, observer)
    page = html_pages.report(view)
    write_text(target, page)
    return ReportPage(target, len(view.claims), len(page.encode()))


def _scored(
    view: RunView, run: Path, gold: Path, judging: Judging | None, observer: Observer
) -> RunView:
    scoring = Scoring()
    (scores,) = scored([run], gold, scoring)
    observer.warn_all(map(printable, score_report.warnings_of(scores)))
    judge = load_judge(judging) if judging else None
    judged = judge_run(run, gold, judge, scoring.bootstrap, observer) if judge else None
    return run_view.scored(view, scores, judged)
