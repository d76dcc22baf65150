from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import typer

from uhhrag.cli.options import OBSERVER, AsJson, GoldFile, judges_evidence, takes
from uhhrag.system.terminal import printable
from uhhrag.workflows import evaluate as workflow
from uhhrag.workflows.tasks import EvaluateTask, Judging


@judges_evidence
@takes(EvaluateTask)
def evaluate(
    judging: Judging | None,
    given: dict[str, Any],
    gold: GoldFile,
    run: Path | None = typer.Argument(
        None, metavar="RUN_OR_FILE", help="Run folder, JSON or 2025 CSV."
    ),
    as_json: AsJson = False,
) -> None:
    """Score predictions as the official scorer of 2024 does, and show what the numbers hide.

    If the gold labels are grades on the six-point scale, its measures are given
    instead. With --measure ev2r a judge decides which facts of gold's evidence
    a prediction contains.
    """
    task = EvaluateTask(gold=gold, run=run, judging=judging, **given)
    result = workflow.evaluate(task, OBSERVER)
    if as_json:
        OBSERVER.warn_all(map(printable, result.scores.get("beware", ())))
    typer.echo(json.dumps(result.scores) if as_json else result.text)
