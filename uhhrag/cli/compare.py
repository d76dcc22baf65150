from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from uhhrag.cli.options import OBSERVER, AsJson, GoldFile, judges_evidence, takes
from uhhrag.workflows import compare as workflow
from uhhrag.workflows.tasks import Judging, Scoring


@judges_evidence
@takes(Scoring)
def compare(
    judging: Judging | None,
    given: dict[str, Any],
    a: Annotated[Path, typer.Argument(metavar="A", help="Run folder, JSON or 2025 CSV.")],
    b: Annotated[Path, typer.Argument(metavar="B", help="The other run; differences are B - A.")],
    gold: GoldFile,
    as_json: AsJson = False,
) -> None:
    """Compare two runs: every measure, the difference with its interval, and changed labels.

    With --measure ev2r, A and B can also be what evaluate --measure ev2r --json printed."""
    result = workflow.compare(a, b, gold, Scoring(**given), judging, OBSERVER)
    typer.echo(json.dumps(result.scores) if as_json else result.text)
