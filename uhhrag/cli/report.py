"""`uhhrag report`: a run as one page to read in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from uhhrag.cli.evaluate import language_folder
from uhhrag.display import printable


def report(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The run folder.")],
    gold: Annotated[
        Path | None,
        typer.Option(metavar="CLAIMS", help="Claims file with labels: adds scores."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Default: report.html in the run folder."),
    ] = None,
) -> None:
    """Write one HTML file that needs nothing else: no network, no server, no JavaScript."""
    from uhhrag import report as scoring
    from uhhrag.files import demand_apart, write_text
    from uhhrag.html import account, pages
    from uhhrag.submission import read_gold

    target = out or run / "report.html"
    read = account.read_account(run)
    others = (file for file in run.iterdir() if file.name != "report.html")
    demand_apart(target, *others, *([gold] if gold else []))
    if gold:
        claims, said = read_gold(gold), account.predictions_of(read)
        made = scoring.of(said, str(run), claims, str(gold), language_folder())
        read = account.scored(read, made)
    page = pages.report(read)
    write_text(target, page)
    told = printable(str(target))
    typer.echo(f"{len(read.claims)} claims, {len(page.encode()) / 1e6:.1f} MB → {told}")
