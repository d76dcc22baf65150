"""`uhhrag compare`: two runs side by side."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from uhhrag.cli.evaluate import AsJson, GoldFile, Resamples, Seed, Workers, nltk_data_folder


def compare(
    a: Annotated[Path, typer.Argument(metavar="A", help="Run folder, JSON or 2025 CSV.")],
    b: Annotated[Path, typer.Argument(metavar="B", help="The other; differences are B - A.")],
    gold: GoldFile,
    as_json: AsJson = False,
    workers: Workers = None,
    seed: Seed = 0,
    resamples: Resamples = 1000,
) -> None:
    """Show every measure of two runs, the difference with its interval, and what flipped."""
    from uhhrag.formats.submission import read_gold
    from uhhrag.scores import compare, score_report, six_point
    from uhhrag.scores.bootstrap import Bootstrap

    bootstrap = Bootstrap(resamples, seed)
    if graded := six_point.read_gold(gold):
        told = six_point.as_json([six_point.grade(run, graded) for run in (a, b)], bootstrap)
        typer.echo(json.dumps(told) if as_json else six_point.as_text(told))
        return
    claims, folder = read_gold(gold), nltk_data_folder()
    one, other = (
        score_report.evaluate(run, claims, str(gold), folder, workers, bootstrap) for run in (a, b)
    )
    if as_json:
        typer.echo(json.dumps(compare.as_json(one, other)))
    else:
        typer.echo(compare.as_text(one, other))
