"""A run as one page to read in a browser."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from uhhrag.formats.gold import read_gold
from uhhrag.scores import score_report
from uhhrag.system.text_files import require_apart, write_text
from uhhrag.views import html_pages, run_view
from uhhrag.wiring import nltk_data


@dataclass(frozen=True, slots=True)
class ReportPage:
    """The file that was written, the number of claims it shows, and its size in bytes."""

    file: Path
    claims: int
    size: int


def report(run: Path, gold: Path | None, out: Path | None) -> ReportPage:
    """Write the page of a run, with scores where a gold file is given; `out` None stands for
    report.html in the run folder. Raises UsageError where it would replace another file of the
    run or the gold file."""
    target = out or run / "report.html"
    view = run_view.read_run_view(run)
    others = (file for file in run.iterdir() if file.name != "report.html")
    require_apart(target, *others, *([gold] if gold else []))
    if gold:
        claims, predictions = read_gold(gold), run_view.predictions_of(view)
        scores = score_report.score_predictions(
            predictions, str(run), claims, str(gold), nltk_data.folder()
        )
        view = run_view.scored(view, scores)
    page = html_pages.report(view)
    write_text(target, page)
    return ReportPage(target, len(view.claims), len(page.encode()))
