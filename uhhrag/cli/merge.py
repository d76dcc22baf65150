from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from uhhrag import folders
from uhhrag.system.terminal import printable


def merge(
    out: Annotated[Path, typer.Argument(help="The joined index or run; may exist already.")],
    parts: Annotated[
        list[Path], typer.Argument(metavar="PART...", help="The folders of the parts.")
    ],
) -> None:
    """Join the indexes, or the runs, of `--shard 1/3`, 2/3 and 3/3, and check that they match."""
    merged = folders.merge(parts, out)
    typer.echo(f"{len(merged.there)} of {len(merged.wanted)} claims → {printable(str(out))}")
    folders.require_all(merged, out)
