from __future__ import annotations

from dataclasses import replace
from typing import Any

import typer

from uhhrag.cli.method import decides_claims
from uhhrag.cli.options import OBSERVER, takes, warn
from uhhrag.views import verdict_text
from uhhrag.workflows import predict as workflow
from uhhrag.workflows.method import Chosen
from uhhrag.workflows.observer import Begun
from uhhrag.workflows.tasks import PredictTask


@decides_claims
@takes(PredictTask)
def predict(chosen: Chosen, given: dict[str, Any]) -> None:
    """Decide the claims of an index. Run again, it continues where it stopped."""

    def begun(run: Begun) -> None:
        typer.echo(verdict_text.opening(run.signature, run.left, run.total))
        for warning in run.warnings:
            warn(warning)

    observer = replace(
        OBSERVER, begun=begun, result=lambda verdict: typer.echo(verdict_text.show(verdict))
    )
    result = workflow.predict(PredictTask(**given), chosen, observer)
    typer.echo(result.summary)
    result.require_all()
