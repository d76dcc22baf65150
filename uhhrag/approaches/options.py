"""The options of an approach: `name=value` words on the command line → its frozen dataclass."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, fields
from enum import Enum
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from uhhrag.errors import UsageError


class WriterFolder(str):
    """An option that names a folder with a sequence-to-sequence model; "" for none."""

    __slots__ = ()


class ClassifierFolder(str):
    """An option that names a folder with a sequence classification model; "" for none."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Within:
    """The least and the greatest value of an option that is a number, both allowed."""

    least: float
    greatest: float = math.inf

    def __str__(self) -> str:
        """
        >>> str(Within(1)), str(Within(0, 1))
        ('1 or more', '0 to 1')
        """
        return f"{self.least} " + (
            "or more" if self.greatest == math.inf else f"to {self.greatest}"
        )


Count = Annotated[int, Within(1)]
CountOrNone = Annotated[int, Within(0)]
Share = Annotated[float, Within(0, 1)]
Temperature = Annotated[float, Within(0, 100)]

NO_WRITER = WriterFolder("")
NO_CLASSIFIER = ClassifierFolder("")

_YES_OR_NO = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
_KINDS: Mapping[type, str] = {int: "a whole number", float: "a number"}


def read_options(kind: type, words: Sequence[str], owner: str) -> Any:
    """A record of `kind` with the named fields set: texts, numbers, yes or no, or one of a closed
    set, as the field's type asks. Raises UsageError, naming what can be set, for anything else."""
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


def as_words(options: Any, named: Mapping[str, str] | None = None) -> str:
    """The options that are not the paper's, with their values or what `named` says of them, for
    a signature.

    >>> from uhhrag.approaches import Plain
    >>> as_words(Plain())
    ''
    """
    words = {
        field.name: _told(value)
        for field in fields(options)
        if (value := getattr(options, field.name)) != field.default
    }
    return ",".join(f"{name}={value}" for name, value in (words | dict(named or {})).items())


def folders(options: Any) -> dict[str, WriterFolder | ClassifierFolder]:
    """The options that name a model folder and are set, by name."""
    values = {field.name: getattr(options, field.name) for field in fields(options)}
    kinds = WriterFolder | ClassifierFolder
    return {name: value for name, value in values.items() if value and isinstance(value, kinds)}


def _settable(kind: type) -> str:
    if not fields(kind):
        return "has no options of its own"
    defaults = ", ".join(f"{field.name}={_told(field.default)}" for field in fields(kind))
    return f"can have NAME=VALUE of: {defaults}"


def _told(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _value(kind: Any, text: str, word: str) -> Any:
    if get_origin(kind) is Annotated:
        number, within = get_args(kind)
        value = _value(number, text, word)
        if not within.least <= value <= within.greatest:  # nor is NaN
            raise UsageError(f"--set {word}: give {within}")
        return value
    if kind is bool:
        if text.lower() not in _YES_OR_NO:
            raise UsageError(f"--set {word}: give yes or no")
        return _YES_OR_NO[text.lower()]
    try:
        return kind(text)
    except ValueError:
        wanted = f"one of: {', '.join(kind)}" if issubclass(kind, Enum) else _KINDS[kind]
        raise UsageError(f"--set {word}: {text!r} is not {wanted}") from None
