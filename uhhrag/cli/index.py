from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from uhhrag.cli.options import OBSERVER, takes, warn
from uhhrag.system.terminal import printable, quantity
from uhhrag.workflows import index as workflow
from uhhrag.workflows.tasks import IndexTask

if TYPE_CHECKING:
    from uhhrag.indexing.candidates import ClaimOutcome


@takes(IndexTask)
def index(
    given: dict[str, Any],
    folder: Annotated[
        Path, typer.Argument(metavar="DATA", help="Folder with claims.json and knowledge_store/.")
    ],
) -> None:
    """Index the knowledge store of each claim. Run again, it continues where it stopped."""
    result = workflow.index(IndexTask(data=folder, **given), replace(OBSERVER, result=_warn))
    typer.echo(_summary(result))
    result.require_all()


def _warn(outcome: ClaimOutcome) -> None:
    if outcome.manifest is None:
        warn(f"claim {outcome.claim.id}: {printable(outcome.error)}")
    elif outcome.seconds and outcome.manifest.counts.skipped:
        warn(
            f"claim {outcome.claim.id}: {quantity(outcome.manifest.counts.skipped, 'record')} "
            f"skipped, the first at {printable(outcome.manifest.first_skipped)}"
        )


def _summary(result: workflow.IndexResult) -> str:
    indexed = sum(outcome.manifest is not None for outcome in result)
    before = indexed - len(result.fresh)
    there = f", {before} of them there already" if before > 0 else ""
    spent = ", ".join(f"{stage} {time:.1f}" for stage, time in result.stages.items())
    return (
        f"{quantity(indexed, 'claim')}{there}, {quantity(result.passages, 'passage')} in "
        f"{result.seconds:.1f} s{f' ({spent})' if spent else ''} → {printable(str(result.folder))}"
    )
