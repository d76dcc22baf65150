"""An option of the command line and the library, declared with the field that holds its value."""

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
    """What the help of a command says of an option, and how it is written."""

    help: str
    panel: str
    name: str = ""
    """The name in the library, where not that of the field."""
    flag: str | None = None
    """The flag, where not made from the name."""
    metavar: str | None = None
    default: str | bool = True
    """How the help shows the default; False shows none."""
    words: Callable[[], tuple[str, ...]] | None = None
    """The values that it takes, where its type does not say them: rows may join a table."""
    many: bool = False
    """The option is repeatable."""
    least: int | None = None
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Declared:
    """An option with the type and default of its field."""

    name: str
    field: str
    kind: Any
    value: Any
    option: OptionHelp


def option(value: Any, panel: str, help: str, **more: Any) -> Any:
    """A field of a dataclass that is an option. `more` are other fields of `OptionHelp`."""
    return field(default=value, metadata={_KEY: OptionHelp(help=help, panel=panel, **more)})


def declared(record: type) -> Iterator[Declared]:
    """The options among the fields of a dataclass, in their order."""
    kinds = get_type_hints(record)
    for one in fields(record):
        if found := one.metadata.get(_KEY):
            name = found.name or one.name
            yield Declared(name, one.name, kinds[one.name], one.default, found)
