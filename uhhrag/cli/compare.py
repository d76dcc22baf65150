from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from uhhrag import defaults
from uhhrag.cli.judging import judges_evidence
from uhhrag.cli.options import OBSERVER, AsJson, GoldFile, Resamples, Seed, Workers
from uhhrag.scores import bootstrap
from uhhrag.workflows import compare as workflow
from uhhrag.workflows.judging import Judging


@judges_evidence
def compare(
    judging: Judging | None,
    a: Annotated[Path, typer.Argument(metavar="A", help="Run folder, JSON or 2025 CSV.")],
    b: Annotated[Path, typer.Argument(metavar="B", help="The other run; differences are B - A.")],
    gold: GoldFile,
    as_json: AsJson = False,
    workers: Workers = None,
    seed: Seed = defaults.BOOTSTRAP_SEED,
    resamples: Resamples = defaults.RESAMPLES,
) -> None:
    """Compare two runs: every measure, the difference with its interval, and changed labels.

    With --measure ev2r, A and B can also be what evaluate --measure ev2r --json printed."""
    resampling = bootstrap.Bootstrap(resamples, seed)
    result = workflow.compare(a, b, gold, workers, resampling, judging, OBSERVER)
    typer.echo(json.dumps(result.scores) if as_json else result.text)
