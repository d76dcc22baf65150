from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from uhhrag.cli.options import OBSERVER, AsJson, WorkFolder
from uhhrag.system.terminal import wrapped
from uhhrag.views import answer
from uhhrag.workflows import search as searching


def search(
    query: Annotated[
        str, typer.Argument(metavar="WORDS", help='Words, a question, or a "phrase".')
    ],
    docs: Annotated[
        Path, typer.Option(metavar="DOCS", help="A folder of documents or an archive.")
    ],
    exact: bool = typer.Option(
        False, "--exact", help="Only sentences that have every word as it is written."
    ),
    top_n: int = typer.Option(10, help="Sentences to show."),
    work: WorkFolder = None,
    as_json: AsJson = False,
) -> None:
    """Find sentences in your own documents by words and meaning, without deciding anything."""
    found = searching.search(docs, query, top_n, work, OBSERVER, exact=exact)
    typer.echo(json.dumps(found, ensure_ascii=False) if as_json else _shown(found))
    if exact and not found["found"] and not as_json:
        typer.echo("Leave --exact out to find what is near in meaning, too.")


def _shown(found: dict[str, Any]) -> str:
    lines = []
    for number, one in enumerate(found["found"], start=1):
        near = "" if one["similarity"] is None else f"similarity {one['similarity']:.2f} · "
        about = near + answer.source_line(one["source"])
        lines += [wrapped(one["sentence"], f"{number:>3}. ", 5), wrapped(about, "     ", 3), ""]
    return "\n".join([*lines, searching.found_line(found)]).rstrip()
