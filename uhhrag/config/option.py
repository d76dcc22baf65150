"""An option of command line and library, declared with its field."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, get_args, get_type_hints

from uhhrag.errors import UsageError
from uhhrag.system.decode import shaped
from uhhrag.system.terminal import meant

EVIDENCE = "How evidence is found"
VERDICT = "How the verdict is decided"
MODELS = "Models and prompts"
MACHINE = "This machine"
_KEY = "option"
_PLAIN = {bool, int, float, type(None), ...}
"""Types of options that are checked; `...` is that of a tuple."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionHelp:
    help: str
    panel: str
    name: str = ""
    """library name; "" for the field's"""
    flag: str | None = None
    """None derives it from the name"""
    metavar: str | None = None
    default: str | bool = True
    """how help shows it"""
    words: Callable[[], tuple[str, ...]] | None = None
    """values, if the type does not say; rows may join a table"""
    many: bool = False
    """repeatable"""
    least: float | None = None
    most: float | None = None
    kind: Any = None
    """the command's, where the library takes more"""
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Declared:
    name: str
    field: str
    kind: Any
    """The field's type."""
    value: Any
    """The field's default."""
    option: OptionHelp


def option(value: Any, help: str, panel: str = "", **more: Any) -> Any:
    """A dataclass field; `more` are fields of `OptionHelp`; panel "" is that of `cli.panels`."""
    return field(default=value, metadata={_KEY: OptionHelp(help=help, panel=panel, **more)})


@cache
def declared(record: type) -> tuple[Declared, ...]:
    kinds = get_type_hints(record)
    every = ((one, one.metadata[_KEY]) for one in fields(record) if _KEY in one.metadata)
    return tuple(
        Declared(own.name or one.name, one.name, own.kind or kinds[one.name], one.default, own)
        for one, own in every
    )


class Checked:
    """Raises UsageError for numbers of another type or out of bounds."""

    __slots__ = ()

    def __post_init__(self) -> None:
        kind: type = type(self)
        for one in declared(kind):
            if {*(get_args(one.kind) or [one.kind])} <= _PLAIN:
                value, bounds = getattr(self, one.field), (one.option.least, one.option.most)
                require_number(one.name, value, *bounds, kind=one.kind)


def unknown_option(name: str, known: Iterable[str], commands: str) -> TypeError:
    said = f"{name!r} is not an option; {meant(name, known)}"
    return TypeError(f"{said}docs/cli.md lists the options of {commands}")


def require_number(
    name: str, value: Any, least: float | None, most: float | None = None, kind: Any = int
) -> None:
    flag = f"--{name.replace('_', '-')}"
    try:
        shaped(kind, value, flag)
    except TypeError as error:
        raise UsageError(str(error)) from None
    numbers = value if isinstance(value, tuple) else (value,)
    low, high = -math.inf if least is None else least, math.inf if most is None else most
    for number in numbers:
        if number is not None and not low <= number <= high:
            raise UsageError(f"{flag} {number}: give {bounds(least, most)}")


def bounds(least: float | None, most: float | None) -> str:
    if least is None:
        return ""
    return f"{least:,} or more" if most is None else f"{least:,} to {most:,}"
