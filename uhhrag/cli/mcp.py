from __future__ import annotations

import os
import sys
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from uhhrag.assistants import server
from uhhrag.cli.options import WorkFolder, decides_claims, warn
from uhhrag.errors import UsageError
from uhhrag.serve import access as accesses
from uhhrag.serve import server as serving
from uhhrag.system.extras import require_extra
from uhhrag.workflows import answering
from uhhrag.workflows.method import Chosen
from uhhrag.workflows.observer import Observer

_HOST = "127.0.0.1"


@decides_claims
def mcp(
    chosen: Chosen,
    docs: Annotated[
        list[Path],
        typer.Option(metavar="DOCS", help="A folder of documents or an archive; repeatable."),
    ],
    work: WorkFolder = None,
    port: int | None = typer.Option(
        None,
        min=0,
        max=65535,
        help="Answer over HTTP on this port of this machine, at /mcp; 0 takes a free one.",
        show_default="standard input and output",
    ),
    token: str = typer.Option(
        "", envvar="UHHRAG_TOKEN", help="Password for --port; at least 16 characters."
    ),
) -> None:
    """Let an assistant search your documents and check claims (Model Context Protocol)."""
    require_extra("mcp", ("jsonschema", "mcp"), "assistants")
    if port is None and token != os.environ.get("UHHRAG_TOKEN", ""):
        raise UsageError("--token is for --port; add it, or leave --token out")
    archives = answering.named_archives(docs, work, chosen, Observer(warn=warn))
    if port is None:
        if sys.stdin.isatty():
            warn("Waiting for an assistant on standard input; Ctrl-D ends it.")
        server.serve_stdio(archives)
        return
    accesses.check_access(_HOST, token)
    with closing(serving.listen(_HOST, port)) as listening:
        access = accesses.Access(_HOST, listening.getsockname()[1], token)
        address = f"{access.address}mcp (stop it by Ctrl-C)"
        server.serve_http(archives, access, listening, lambda: typer.echo(address))
