"""JSON values as frozen records: what has another shape is refused before it is used.

A hash says that bytes are those that were written, not that they are what the program expects;
files can come from another version, or from somebody who knows how to hash.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from functools import cache
from types import UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")


def shaped(kind: type[T], value: Any, where: str = "it") -> T:
    """A value that a JSON parser gave, as a `kind`: a dataclass (fields without a default are
    required, unknown keys are passed over), `tuple[X, ...]`, a StrEnum, str, int, float or bool; in
    fields also `Mapping[str, X]` and unions. Raises TypeError, naming the place from `where` on.

    >>> shaped(tuple[int, ...], [1, 2])
    (1, 2)
    >>> shaped(int, "1", "size")
    Traceback (most recent call last):
    TypeError: size is '1'
    """
    return cast(T, _value(kind, value, where))


def _value(kind: Any, value: Any, where: str) -> Any:
    """`shaped` for any type that an annotation can name, unions too."""
    if is_dataclass(kind) and isinstance(value, dict):
        return _record(kind, value, where)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is tuple and isinstance(value, list):
        return tuple(_value(inner[0], v, f"{where}[{i}]") for i, v in enumerate(value))
    if origin is Mapping and isinstance(value, dict):
        return {key: _value(inner[1], v, f"{where}.{key}") for key, v in value.items()}
    if origin in (Union, UnionType):
        return _one_of(inner, value, where)
    if isinstance(kind, type) and issubclass(kind, StrEnum) and value in set(kind):
        return kind(value)
    if kind is float and type(value) is int:
        return value
    if type(value) is kind:
        return value
    raise TypeError(f"{where} is {value!r:.40}")


def _record(kind: Any, value: dict[str, Any], where: str) -> Any:
    types = _types(kind)
    values = {}
    for field in fields(kind):
        place = f"{where}.{field.name}"
        if field.name in value:
            values[field.name] = _value(types[field.name], value[field.name], place)
        elif field.default is MISSING and field.default_factory is MISSING:
            raise TypeError(f"{place} is missing")
    return kind(**values)


@cache
def _types(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _one_of(kinds: tuple[Any, ...], value: Any, where: str) -> Any:
    for kind in kinds:
        try:
            return _value(kind, value, where)
        except TypeError:
            continue
    raise TypeError(f"{where} is {value!r:.40}")
