from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from uhhrag import folders
from uhhrag.errors import RunError
from uhhrag.serve import desk_file
from uhhrag.system.checks import FileCheck
from uhhrag.system.terminal import printable
from uhhrag.wiring import llms


def check_files(
    folder: Annotated[
        Path, typer.Argument(help="What `uhhrag index`, `predict` or `serve` wrote.")
    ],
) -> None:
    """Check every file of an index, run or desk and name each that is damaged."""
    desk = folder if folder.is_file() else folder / desk_file.FILE
    if desk.exists():
        damaged, entries = name_damaged(desk_file.check_desk(desk))
        if damaged:
            said = f"{damaged} of {entries} entries damaged; put a copy of the file in its place"
            raise RunError(f"{desk}: {said}")
        typer.echo(f"{printable(str(desk))}: {entries} entries checked, the desk is sound")
        if not folders.find_kind(folder):
            return
    kind = folders.kind_of(folder)
    damaged, files = name_damaged(folders.verify(folder, llms.memory_fault))
    if damaged:
        raise kind.error(f"{folder}: {damaged} of {files} files damaged; run: {kind.repair}")
    typer.echo(f"{printable(str(folder))}: {files} files checked, the {kind.name} is sound")


def name_damaged(checks: Iterable[FileCheck]) -> tuple[int, int]:
    """The numbers of damaged and of all files."""
    damaged = files = 0
    for checked in checks:
        files += 1
        if checked.fault:
            damaged += 1
            typer.echo(printable(f"{checked.file}: {checked.fault}"))
    return damaged, files
