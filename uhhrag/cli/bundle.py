from __future__ import annotations

from pathlib import Path

import typer

from uhhrag.cli.options import warn
from uhhrag.models import bundle as bundling
from uhhrag.models import local
from uhhrag.models.catalogue import expand
from uhhrag.system.terminal import printable


def bundle(
    out: Path = typer.Option(
        Path("uhhrag-linux.tar"), metavar="FILE", help="The .tar file to write."
    ),
    models: list[str] | None = typer.Option(
        None,
        metavar="NAME",
        help="A model or profile of `models list` to put in; repeatable.",
        show_default="check",
    ),
    extra: list[str] | None = typer.Option(
        None,
        help="An extra of the package: desk, llm, ray and others; repeatable.",
        show_default="desk",
    ),
) -> None:
    """Put this program and its models into one file, which installs them without a network."""
    wanted = expand(models or ["check"])
    warn("Fetching and building the wheels of this installation takes some minutes.")
    made = bundling.make_bundle(out, extra or ["desk"], wanted)
    size, name = local.size_in_words(made.size), printable(made.file.name)
    typer.echo(f"{printable(str(made.file))}: {made.wheels} wheels and models, {size}")
    typer.echo(f"On the other machine: tar -xf {name} && sh {bundling.NAME}/install.sh")
