from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from uhhrag.cli.options import OBSERVER, AsJson, GoldFile, takes
from uhhrag.errors import UsageError
from uhhrag.scores import run_table
from uhhrag.scores.choices import TableFormat
from uhhrag.workflows import compare as workflow
from uhhrag.workflows.tasks import Scoring


@takes(Scoring)
def table(
    given: dict[str, Any],
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help="Run folders, JSON or 2025 CSV.")
    ],
    gold: GoldFile,
    form: TableFormat = typer.Option(
        TableFormat.TEXT, "--format", help="How the table is written."
    ),
    as_json: AsJson = False,
) -> None:
    """Score runs by the measures of 2024, in one table with intervals, marked where they differ
    from the first."""
    if as_json and form is not TableFormat.TEXT:
        raise UsageError(f"--json and --format {form} are two forms; give one of them")
    made = workflow.run_table(runs, gold, Scoring(**given), OBSERVER)
    typer.echo(json.dumps(asdict(made)) if as_json else run_table.written(made, form))
