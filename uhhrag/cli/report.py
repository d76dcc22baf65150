"""`uhhrag report`: a run as one page to read in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from uhhrag.cli.evaluate import nltk_data_folder
from uhhrag.system.terminal import printable


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
    from uhhrag.formats.submission import read_gold
    from uhhrag.scores import score_report
    from uhhrag.system.text_files import require_apart, write_text
    from uhhrag.views import html_pages, run_view

    target = out or run / "report.html"
    read = run_view.read_run_view(run)
    others = (file for file in run.iterdir() if file.name != "report.html")
    require_apart(target, *others, *([gold] if gold else []))
    if gold:
        claims, said = read_gold(gold), run_view.predictions_of(read)
        made = score_report.score_predictions(said, str(run), claims, str(gold), nltk_data_folder())
        read = run_view.scored(read, made)
    page = html_pages.report(read)
    write_text(target, page)
    told = printable(str(target))
    typer.echo(f"{len(read.claims)} claims, {len(page.encode()) / 1e6:.1f} MB → {told}")
