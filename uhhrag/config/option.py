"""An option of command line and library, declared with its field."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any, get_type_hints

EVIDENCE = "How evidence is found"
VERDICT = "How the verdict is decided"
MODELS = "Models and prompts"
MACHINE = "This machine"
_KEY = "option"


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
    """how help shows it; False hides it"""
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
    """`kind` and `value` are its field's type and default."""

    name: str
    field: str
    kind: Any
    value: Any
    option: OptionHelp


def option(value: Any, help: str, panel: str = "", **more: Any) -> Any:
    """A dataclass field; `more` are fields of `OptionHelp`; panel "" is that of `cli.panels`."""
    return field(default=value, metadata={_KEY: OptionHelp(help=help, panel=panel, **more)})


def declared(record: type) -> Iterator[Declared]:
    kinds = get_type_hints(record)
    for one in fields(record):
        if found := one.metadata.get(_KEY):
            name = found.name or one.name
            yield Declared(name, one.name, found.kind or kinds[one.name], one.default, found)
