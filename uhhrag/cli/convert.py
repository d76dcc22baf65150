from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from uhhrag.cli.options import OBSERVER
from uhhrag.formats import convert as conversion
from uhhrag.system.terminal import printable
from uhhrag.workflows import judged


def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="Run folder, JSON or 2025 CSV.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="A .json or .csv file.")],
    claims: Path | None = typer.Option(
        None,
        "--claims",
        "--gold",
        help="Claims file that determines ids, texts and order.",
        metavar="CLAIMS",
    ),
    split: str = typer.Option("dev", help="Value of the CSV's split column."),
) -> None:
    """Convert predictions between formats. A CSV has no place for URLs and omits them."""
    judged.warn_of_faults(OBSERVER, source)
    for note in conversion.convert(source, target, claims, split):
        typer.echo(f"warning: {printable(note)}", err=True)
    typer.echo(f"wrote {printable(str(target))}")
