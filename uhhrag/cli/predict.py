from __future__ import annotations

from dataclasses import replace
from typing import Any

import typer

from uhhrag.cli.options import OBSERVER, decides_claims, takes
from uhhrag.views import verdict_text
from uhhrag.workflows import predict as workflow
from uhhrag.workflows.method import Chosen
from uhhrag.workflows.tasks import PredictTask


@decides_claims
@takes(PredictTask)
def predict(chosen: Chosen, given: dict[str, Any]) -> None:
    """Decide the claims of an index. Run again, it continues where it stopped."""
    observer = replace(
        OBSERVER,
        begun=lambda *run: typer.echo(verdict_text.opening(*run)),
        result=lambda verdict: typer.echo(verdict_text.show(verdict)),
    )
    result = workflow.predict(PredictTask(**given), chosen, observer)
    typer.echo(result.summary)
    result.require_all()
