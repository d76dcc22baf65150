from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from uhhrag import defaults
from uhhrag.config.choices import Choices
from uhhrag.config.option import declared
from uhhrag.system.terminal import progress, show_stage
from uhhrag.views import counted
from uhhrag.wiring.machine import Machine
from uhhrag.workflows.observer import Observer

_HELP = {one.name: one.option.help for one in (*declared(Choices), *declared(Machine))}
Share = Annotated[
    str | None,
    typer.Option(
        "--shard", metavar="I/N", help="Only this part of the claims, such as 1/3; see merge."
    ),
]
OnRay = Annotated[
    str | None,
    typer.Option(
        "--ray",
        metavar="WHERE",
        help="Spread the work over workers: so many on this machine, the Ray cluster at "
        "HOST:PORT, or auto for the one this machine is part of.",
        show_default=False,
    ),
]
GoldFile = Annotated[
    Path, typer.Option("--gold", metavar="CLAIMS", help="Claims file with labels and questions.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Workers = Annotated[
    int | None,
    typer.Option(min=1, help="Processes. Default: one per hundred claims, at most one per core."),
]
Seed = Annotated[int, typer.Option(min=0, help="Seed of the bootstrap.")]
Resamples = Annotated[int, typer.Option(min=1, max=10_000, help="Resamples of the bootstrap.")]
ClaimsFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="One claim per line, CSV, TSV, XLSX, JSON lines, or - for standard input.",
    ),
]
ExcludeSites = Annotated[
    Path | None,
    typer.Option(help=_HELP["exclude_sites"], show_default=False),
]
VerifierFolder = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help=_HELP["verifier"], show_default=False),
]
Threads = Annotated[int | None, typer.Option(min=1, help=_HELP["threads"])]
GpuLayers = Annotated[int, typer.Option(help=_HELP["gpu_layers"])]
Device = Annotated[str, typer.Option(help=_HELP["device"])]
Templates = Annotated[Path | None, typer.Option(help=_HELP["prompts"])]
AllowRemote = Annotated[
    bool, typer.Option("--allow-remote", help="The server of --llm may be another machine.")
]
Again = Annotated[bool, typer.Option("--again", help="Also read unchanged files again.")]
WorkFolder = Annotated[
    Path | None,
    typer.Option(
        help="The folder that keeps what is made of the documents.", show_default="DOCS.uhhrag"
    ),
]
Rerank = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="Passages of an archive that a cross-encoder reads; 0 for none. Default: "
        f"{defaults.RERANK}, if its model is here.",
        show_default=False,
    ),
]


_CONTEXT = inspect.Parameter(
    "context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context
)


def warn(line: str) -> None:
    typer.echo(line, err=True)


OBSERVER = Observer(
    track=progress,
    warn=warn,
    stage=lambda name: show_stage(counted.STAGE_WORDS.get(name, name)),
)


def with_options(
    command: Callable[..., None],
    options: Sequence[inspect.Parameter],
    name: str,
    read: Callable[[dict[str, Any]], Any],
) -> Callable[..., None]:
    """Adds `options`; the argument `name` is `read` of those given."""
    own = inspect.signature(command, eval_str=True).parameters.values()
    every = [_CONTEXT, *(one for one in own if one.name != name), *options]

    @functools.wraps(command)
    def called(context: typer.Context, **values: Any) -> None:
        theirs = {one.name: values.pop(one.name) for one in options}
        given = {one: value for one, value in theirs.items() if was_given(context, one)}
        command(**{name: read(given)}, **values)

    # What has no default goes first.
    return signed(called, sorted(every, key=lambda p: p.default is not inspect.Parameter.empty))


def signed(
    called: Callable[..., None], parameters: Sequence[inspect.Parameter]
) -> Callable[..., None]:
    called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    called.__annotations__ = {p.name: p.annotation for p in parameters}
    return called


def was_given(context: typer.Context, name: str) -> bool:
    """Only then does it override a recipe."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"
