"""`uhhrag check-files`: whether an index or run folder is intact."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from uhhrag import folders
from uhhrag.system.terminal import printable
from uhhrag.wiring import llms


def check_files(
    folder: Annotated[Path, typer.Argument(help="What `uhhrag index` or `predict` wrote.")],
) -> None:
    """Check every file of an index or a run and name each that is damaged."""
    kind = folders.kind_of(folder)
    files = damaged = 0
    for checked in folders.verify(folder, llms.memory_fault):
        files += 1
        if checked.fault:
            damaged += 1
            typer.echo(printable(f"{checked.file}: {checked.fault}"))
    if damaged:
        raise kind.error(f"{folder}: {damaged} of {files} files damaged; run: {kind.repair}")
    typer.echo(f"{printable(str(folder))}: {files} files checked, the {kind.name} is sound")
