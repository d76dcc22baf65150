from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, fields
from enum import Enum
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from msgspec import Meta

from uhhrag.errors import UsageError
from uhhrag.system.decode import shaped


class WriterFolder(str):
    """A sequence-to-sequence model."""

    __slots__ = ()


class ClassifierFolder(str):
    """A sequence classifier."""

    __slots__ = ()


Count = Annotated[int, Meta(ge=1, description="a whole number, 1 or more")]
CountOrNone = Annotated[int, Meta(ge=0, description="a whole number, 0 or more")]
Share = Annotated[float, Meta(ge=0, le=1, description="a number, 0 to 1")]
Temperature = Annotated[float, Meta(ge=0, le=100, description="a number, 0 to 100")]

NO_WRITER = WriterFolder("")
NO_CLASSIFIER = ClassifierFolder("")

_YES_OR_NO = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
_PARSERS: Mapping[type, Callable[[str], object]] = {
    bool: lambda text: _YES_OR_NO[text.lower()],
    int: int,
    float: float,
}
_WANTED: Mapping[type, str] = {bool: "yes or no", int: "a whole number", float: "a number"}


def read_options(kind: type, words: Sequence[str], owner: str) -> Any:
    """Raises UsageError, naming what can be set."""
    types = get_type_hints(kind, include_extras=True)
    known: dict[str, Field[Any]] = {field.name: field for field in fields(kind)}
    values = {}
    for word in words:
        name, equals, text = word.partition("=")
        name = name.strip().replace("-", "_")
        if not equals or name not in known:
            raise UsageError(f"--set {word}: {owner} {_settable(kind)}")
        values[name] = _value(types[name], text.strip(), word)
    return kind(**values)


def as_words(options: Any) -> dict[str, str]:
    """Those that differ from the paper's, for a signature."""
    values = ((field, getattr(options, field.name)) for field in fields(options))
    return {field.name: as_word(value) for field, value in values if value != field.default}


def folders(options: Any) -> dict[str, WriterFolder | ClassifierFolder]:
    values = {field.name: getattr(options, field.name) for field in fields(options)}
    kinds = WriterFolder | ClassifierFolder
    return {name: value for name, value in values.items() if value and isinstance(value, kinds)}


def _settable(kind: type) -> str:
    if not fields(kind):
        return "has no options of its own; leave it out"
    defaults = ", ".join(f"{field.name}={as_word(field.default)}" for field in fields(kind))
    return f"can have NAME=VALUE of: {defaults}"


def as_word(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _value(kind: Any, text: str, word: str) -> Any:
    base, bounds = get_args(kind) if get_origin(kind) is Annotated else (kind, None)
    try:
        return shaped(kind, _PARSERS.get(base, str)(text))
    except (KeyError, TypeError, ValueError):
        closed = ", ".join(base) if issubclass(base, Enum) else ""
        wanted = bounds.description if bounds else _WANTED.get(base) or f"one of: {closed}"
        raise UsageError(f"--set {word}: give {wanted}") from None
