from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from uhhrag import folders
from uhhrag.cli.options import warn
from uhhrag.system.terminal import printable


def merge(
    out: Annotated[Path, typer.Argument(help="The joined index or run; may exist already.")],
    parts: Annotated[
        list[Path], typer.Argument(metavar="PART...", help="The folders of the parts.")
    ],
) -> None:
    """Join the indexes, or the runs, of `--shard 1/3`, 2/3 and 3/3, and check that they match."""
    places = [part.resolve() for part in parts]
    for part in (part for at, part in enumerate(parts) if places[at] in places[:at]):
        warn(f"{printable(str(part))} is given twice, and joined once")
    merged = folders.merge(parts, out)
    typer.echo(f"claims: {len(merged.there)} of {len(merged.wanted)} → {printable(str(out))}")
    if merged.lacking:
        warn(f"{printable(str(out))}: {merged.lacking}")
    folders.require_all(merged, out)
