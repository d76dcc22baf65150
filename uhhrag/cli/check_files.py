"""`uhhrag check-files`: whether an index or run folder is intact."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from uhhrag import folders
from uhhrag.system.checks import FileCheck
from uhhrag.system.terminal import printable
from uhhrag.wiring import llms


def check_files(
    folder: Annotated[Path, typer.Argument(help="What `uhhrag index` or `predict` wrote.")],
) -> None:
    """Check every file of an index or a run and name each that is damaged."""
    kind = folders.kind_of(folder)
    damaged, files = name_damaged(folders.verify(folder, llms.memory_fault))
    if damaged:
        raise kind.error(f"{folder}: {damaged} of {files} files damaged; run: {kind.repair}")
    typer.echo(f"{printable(str(folder))}: {files} files checked, the {kind.name} is sound")


def name_damaged(checks: Iterable[FileCheck]) -> tuple[int, int]:
    """Print each damaged file; how many there are, and files in all."""
    damaged = files = 0
    for checked in checks:
        files += 1
        if checked.fault:
            damaged += 1
            typer.echo(printable(f"{checked.file}: {checked.fault}"))
    return damaged, files
