"""`uhhrag ingest`: a folder of documents → one knowledge store."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from uhhrag.cli.options import warn
from uhhrag.system.terminal import printable, progress, some
from uhhrag.workflows import documents as reading
from uhhrag.workflows import ingest as workflow
from uhhrag.workflows.observer import Observer


def ingest(
    folder: Annotated[
        Path,
        typer.Argument(metavar="FOLDER", help="HTML, PDF, DOCX, TXT, Markdown, JSON lines."),
    ],
    out: Annotated[Path, typer.Option(metavar="STORE", help="The store, a .jsonl file.")],
    again: Annotated[
        bool, typer.Option("--again", help="Also read unchanged files again.")
    ] = False,
) -> None:
    """Read a folder of documents into one knowledge store. Only new and changed files are read."""
    result = workflow.ingest(folder, out, again=again, observer=Observer(track=progress, warn=warn))
    documents = some(sum(outcome.documents for outcome in result), "document")
    sentences = some(sum(outcome.lines for outcome in result), "sentence")
    typer.echo(
        f"{reading.counted(result.outcomes)}: {documents}, {sentences} in {result.seconds:.1f} s → "
        f"{printable(str(out))}"
    )
    result.require_all()
