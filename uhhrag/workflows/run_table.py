"""Several runs in one table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from uhhrag.errors import UsageError
from uhhrag.formats.gold import read_gold
from uhhrag.scores import score_report
from uhhrag.scores.bootstrap import Bootstrap
from uhhrag.scores.run_table import RunTable, table_of
from uhhrag.wiring import nltk_data
from uhhrag.workflows.observer import Observer


def run_table(
    runs: Sequence[Path], gold: Path, workers: int | None, bootstrap: Bootstrap, observer: Observer
) -> RunTable:
    """Raises UsageError for a run named twice, InputError if unreadable."""
    if len(set(runs)) < len(runs):
        raise UsageError("a run is named twice; name each once")
    claims, folder = read_gold(gold), nltk_data.folder()
    scored = (
        score_report.evaluate(run, claims, str(gold), folder, workers, bootstrap) for run in runs
    )
    return table_of(list(observer.track(scored, len(runs), "runs")))
