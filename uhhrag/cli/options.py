from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, cast, get_args

import typer

from uhhrag.config.choices import Beside, Choices
from uhhrag.config.option import Declared, OptionHelp, bounds, declared
from uhhrag.scores.choices import Measure
from uhhrag.system.terminal import progress, show_stage
from uhhrag.views import counted
from uhhrag.wiring.machine import Machine
from uhhrag.workflows.method import MethodOptions, choose
from uhhrag.workflows.observer import Observer
from uhhrag.workflows.tasks import ClaimsTask, DocumentsTask, JudgeOptions, Judging, choose_judge

Command = Callable[..., None]
_DECLARING = (Choices, Machine, ClaimsTask, DocumentsTask)
HELP = {one.name: one.option.help for kind in _DECLARING for one in declared(kind)}
OnRay = Annotated[str | None, typer.Option("--ray", metavar="WHERE", help=HELP["ray"])]
GoldFile = Annotated[
    Path, typer.Option("--gold", metavar="CLAIMS", help="Claims file with labels and questions.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
ClaimsFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="One claim per line, CSV, TSV, XLSX, JSON lines, or - for standard input.",
    ),
]
ExcludeSites = Annotated[Path | None, typer.Option(help=HELP["exclude_sites"])]
Threads = Annotated[int | None, typer.Option(min=1, help=HELP["threads"])]
GpuLayers = Annotated[int, typer.Option(help=HELP["gpu_layers"])]
Device = Annotated[str, typer.Option(help=HELP["device"])]
Templates = Annotated[Path | None, typer.Option(help=HELP["prompts"])]
REMOTE = "The server of --llm may be another machine."
AllowRemote = Annotated[bool, typer.Option("--allow-remote", help=REMOTE)]
Again = Annotated[bool, typer.Option("--again", help="Also read unchanged files again.")]
WorkFolder = Annotated[
    Path | None,
    typer.Option(
        help="The folder that keeps what is made of the documents.", show_default="DOCS.uhhrag"
    ),
]
Rerank = Annotated[int | None, typer.Option(min=0, help=HELP["rerank"])]


_CONTEXT = inspect.Parameter(
    "context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context
)


def warn(line: str) -> None:
    typer.echo(line, err=True)


OBSERVER = Observer(
    track=progress, warn=warn, stage=lambda name: show_stage(counted.STAGE_WORDS.get(name, name))
)


def parameter(declared: Declared) -> inspect.Parameter:
    kind, value, said = declared.kind, declared.value, declared.option
    if said.many:
        (item, *_) = get_args(kind) or (str,)
        kind = cast(Any, list)[item] if value else cast(Any, list)[item] | None
        value = [value] if value else None
    if said.words:
        kind = cast(Any, StrEnum)(declared.name, {word: word for word in said.words()})
        value = kind(value)
    flags = [said.flag] if said.flag else []
    if declared.kind is bool and not flags:
        flag = f"--{declared.name.replace('_', '-')}"
        flags = [f"{flag}/--no{flag[1:]}" if declared.value else flag]
    allowed = bounds(said.least, said.most)
    shown = typer.Option(
        *flags,
        help=f"{said.help} {allowed}." if allowed else said.help,
        metavar=said.metavar,
        show_default=said.default,
        hidden=said.hidden,
        rich_help_panel=said.panel,
    )
    return inspect.Parameter(
        declared.name,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        default=value,
        annotation=Annotated[kind, shown],
    )


def takes(task: type) -> Callable[[Command], Command]:
    """Adds the options that `task` declares; the argument `given` has their values."""
    own_first = sorted(declared(task), key=lambda one: one.field not in task.__annotations__)
    theirs = [parameter(one) for one in own_first]
    many = {one.name for one in own_first if one.option.many}

    def added(command: Command) -> Command:
        own = inspect.signature(command, eval_str=True).parameters.values()

        @functools.wraps(command)
        def called(**values: Any) -> None:
            given = {one.name: values.pop(one.name) for one in theirs}
            given |= {name: tuple(given[name] or ()) for name in many}
            command(given=given, **values)

        return signed(called, [*theirs, *(one for one in own if one.name != "given")])

    return added


def with_options(
    options: Sequence[inspect.Parameter], name: str, read: Callable[[dict[str, Any]], Any]
) -> Callable[[Command], Command]:
    """Adds `options`; the argument `name` is `read` of those given."""

    def added(command: Command) -> Command:
        own = inspect.signature(command, eval_str=True).parameters.values()

        @functools.wraps(command)
        def called(context: typer.Context, **values: Any) -> None:
            theirs = {one.name: values.pop(one.name) for one in options}
            given = {one: value for one, value in theirs.items() if was_given(context, one)}
            command(**{name: read(given)}, **values)

        return signed(called, [_CONTEXT, *(one for one in own if one.name != name), *options])

    return added


def signed(called: Command, parameters: Sequence[inspect.Parameter]) -> Command:
    # What has no default goes first.
    parameters = sorted(parameters, key=lambda p: p.default is not inspect.Parameter.empty)
    called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    called.__annotations__ = {p.name: p.annotation for p in parameters}
    return called


def was_given(context: typer.Context, name: str) -> bool:
    """Only then does it override a recipe."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


METHOD = [parameter(one) for kind in (Beside, Choices, Machine) for one in declared(kind)]
decides_claims = with_options(METHOD, "chosen", lambda given: choose(cast(MethodOptions, given)))
"""Adds what decides how claims are decided, read as the argument `chosen`."""


_MEASURE = OptionHelp(
    help="meteor: the scores of the 2024 task. ev2r: that of 2025, by a judge.", panel=""
)
_JUDGING = {one.name: one for kind in (Choices, Machine, Judging) for one in declared(kind)}
_JUDGING["measure"] = Declared("measure", "measure", Measure, Measure.METEOR, _MEASURE)
JUDGING = [parameter(_JUDGING[name]) for name in ("measure", *JudgeOptions.__annotations__)]


judges_evidence = with_options(
    JUDGING,
    "judging",
    lambda given: choose_judge(given.pop("measure", Measure.METEOR), cast(JudgeOptions, given)),
)
"""Adds these options; the argument `judging` is None if no judge is needed."""
