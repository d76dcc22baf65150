"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Share = Annotated[
    str | None,
    typer.Option(
        "--shard", metavar="I/N", help="Only this part of the claims, such as 1/3; see merge."
    ),
]
GoldFile = Annotated[
    Path, typer.Option("--gold", metavar="CLAIMS", help="Claims file with labels and questions.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Workers = Annotated[
    int | None,
    typer.Option(min=1, help="Processes. Default: one per hundred claims, at most one per core."),
]
Seed = Annotated[int, typer.Option(min=0, help="Seed of the bootstrap.")]
Resamples = Annotated[int, typer.Option(min=1, max=10_000, help="Resamples of the bootstrap.")]


def warn(line: str) -> None:
    """A line on standard error."""
    typer.echo(line, err=True)
