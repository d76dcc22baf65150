from __future__ import annotations

import inspect
from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, Any, cast

import typer

from uhhrag.cli.options import with_options
from uhhrag.config.choices import Beside, Choices
from uhhrag.config.option import Declared, declared
from uhhrag.wiring.machine import Machine
from uhhrag.workflows.method import MethodOptions, choose


def _parameter(one: Declared) -> inspect.Parameter:
    kind, value, said = one.kind, one.value, one.option
    if said.many:
        kind = list[str] if value else list[str] | None
        value = [value] if value else None
    if said.words:
        kind = cast(Any, StrEnum)(one.name, {word: word for word in said.words()})
        value = kind(value)
    flags = [said.flag] if said.flag else _switch(one)
    shown = typer.Option(
        *flags,
        help=said.help,
        metavar=said.metavar,
        show_default=said.default,
        min=said.least,
        hidden=said.hidden,
        rich_help_panel=said.panel,
    )
    return inspect.Parameter(
        one.name,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        default=value,
        annotation=Annotated[kind, shown],
    )


def _switch(one: Declared) -> list[str]:
    flag = f"--{one.name.replace('_', '-')}"
    if one.kind is not bool:
        return []
    return [f"{flag}/--no{flag[1:]}" if one.value else flag]


OPTIONS = [_parameter(one) for kind in (Beside, Choices, Machine) for one in declared(kind)]


def decides_claims(command: Callable[..., None]) -> Callable[..., None]:
    """Adds these options, read as the argument `chosen`."""
    return with_options(
        command, OPTIONS, "chosen", lambda given: choose(cast(MethodOptions, given))
    )
