from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from uhhrag.cli.archive import NoVectors, show_ingested
from uhhrag.cli.options import OBSERVER, Again
from uhhrag.workflows import archives as workflow


def ingest(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER",
            help="HTML, PDF, DOCX, ODT, RTF, EML, EPUB, XLSX, CSV, text, Markdown, JSONL, scans.",
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="OUT", help="The folder of the archive.")],
    again: Again = False,
    no_vectors: NoVectors = False,
) -> None:
    """Read a folder of documents into an archive. Only new and changed files are read."""
    result = workflow.ingest(folder, out, again=again, vectors=not no_vectors, observer=OBSERVER)
    show_ingested(result)
    result.require_all()
