from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from uhhrag import folders
from uhhrag.errors import RunError, UhhragError
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
        remedy = "put a copy of the file in its place"
        tell_sound(desk, "desk", desk_file.check_desk(desk), RunError, remedy, "entries")
        if not folders.find_kind(folder):
            return
    kind = folders.kind_of(folder)
    checks = folders.verify(folder, llms.memory_fault)
    tell_sound(folder, kind.name, checks, kind.error, f"run: {kind.repair}")


def tell_sound(
    place: Path,
    kind: str,
    checks: Iterable[FileCheck],
    error: type[UhhragError],
    remedy: str,
    parts: str = "files",
) -> None:
    """Names each damaged one. Raises `error` for any."""
    damaged = count = 0
    for checked in checks:
        count += 1
        if checked.fault:
            damaged += 1
            typer.echo(printable(f"{checked.file}: {checked.fault}"))
    if damaged:
        raise error(f"{place}: {damaged} of {count} {parts} damaged; {remedy}")
    typer.echo(f"{printable(str(place))}: {count} {parts} checked, the {kind} is sound")
