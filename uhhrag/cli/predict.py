from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from uhhrag.cli.method import decides_claims
from uhhrag.cli.options import OBSERVER, OnRay, Share, warn
from uhhrag.views import verdict_text
from uhhrag.workflows import predict as workflow
from uhhrag.workflows.method import Chosen
from uhhrag.workflows.observer import Begun


@decides_claims
def predict(
    chosen: Chosen,
    index: Annotated[Path, typer.Option(help="The index to search.")] = Path("index"),
    out: Annotated[
        Path | None,
        typer.Option(help="The run folder. Default: runs/<approach>.", show_default=False),
    ] = None,
    limit: Annotated[int | None, typer.Option(help="Only the first N claims.")] = None,
    claim: Annotated[
        list[int] | None, typer.Option(help="Only the claim with this number; repeatable.")
    ] = None,
    shard: Share = None,
    ray: OnRay = None,
    trec: Annotated[
        bool, typer.Option("--trec", help="Also write the ranking of each stage as a TREC run.")
    ] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace an earlier run in the same folder.")
    ] = False,
    repair: Annotated[
        bool, typer.Option("--repair", help="Decide claims again whose results are damaged.")
    ] = False,
) -> None:
    """Decide the claims of an index. Run again, it continues where it stopped."""

    def begun(run: Begun) -> None:
        typer.echo(verdict_text.opening(run.signature, run.left, run.total))
        for warning in run.warnings:
            warn(warning)

    task = workflow.PredictTask(
        index=index,
        out=out,
        limit=limit,
        claims=tuple(claim or ()),
        shard=shard,
        trec=trec,
        overwrite=overwrite,
        repair=repair,
        ray=ray,
    )
    observer = replace(
        OBSERVER, begun=begun, result=lambda verdict: typer.echo(verdict_text.show(verdict))
    )
    result = workflow.predict(task, chosen, observer)
    typer.echo(result.summary)
    result.require_all()
