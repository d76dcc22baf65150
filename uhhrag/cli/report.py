from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from uhhrag.cli.options import OBSERVER, judges_evidence
from uhhrag.models.local import size_in_words
from uhhrag.system.terminal import printable, quantity
from uhhrag.workflows import report as workflow
from uhhrag.workflows.tasks import Judging


@judges_evidence
def report(
    judging: Judging | None,
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The run folder.")],
    gold: Path | None = typer.Option(
        None, metavar="CLAIMS", help="Claims file with labels; adds scores."
    ),
    out: Path | None = typer.Option(
        None, metavar="FILE", help="Default: report.html in the run folder."
    ),
) -> None:
    """Write one HTML file that needs nothing else: no network, no server, no JavaScript."""
    page = workflow.report(run, gold, out, judging, OBSERVER)
    claims, file = quantity(page.claims, "claim"), printable(str(page.file))
    typer.echo(f"{claims}, {size_in_words(page.size)} → {file}")
