from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from uhhrag.cli.options import OBSERVER
from uhhrag.system.terminal import printable, quantity, wrapped
from uhhrag.wiring import checked_claims
from uhhrag.workflows import claims as workflow

app = typer.Typer(help="Keep claims that were checked before.", no_args_is_help=True)


@app.command("import")
def import_(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="ClaimReview (JSON-LD, feeds, saved pages), CSV, or folders of them.",
        ),
    ],
) -> None:
    """Take up claims that were checked before; every check then names those like its own."""
    made = workflow.import_claims(files, OBSERVER)
    typer.echo(
        f"{quantity(made.added, 'claim')} added, {made.claims:,} in all → "
        f"{printable(str(made.file))}"
    )


@app.command("find")
def find(
    claim: Annotated[str, typer.Argument(metavar="CLAIM", help="The claim, in quotes.")],
    as_json: bool = typer.Option(False, "--json", help="Print one JSON list."),
) -> None:
    """Find claims like this one that were checked before."""
    found = checked_claims.open_checked()(claim)
    if as_json:
        typer.echo(json.dumps([asdict(one) for one in found], ensure_ascii=False))
        return
    for one in found:
        typer.echo(wrapped(one.claim, ""))
        typer.echo(wrapped(" · ".join(filter(None, (one.told, one.url))), "   ", 3))
    if not checked_claims.file_of_checked().exists():
        typer.echo("No claims were imported yet; run: uhhrag claims import FILE")
    elif not found:
        typer.echo("No claim like this is among those that were checked before.")
