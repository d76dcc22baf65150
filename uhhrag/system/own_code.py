"""Hashes a program's own function with all it uses; installed packages by name and version."""

from __future__ import annotations

import inspect
import re
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from enum import Enum
from functools import cache, partial
from logging import Logger
from pathlib import Path, PurePath
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from uhhrag.system.checksums import sha256

_PLAIN = (type(None), type(...), bool, int, float, complex, str, bytes, Enum, PurePath, date, range)
_INSTALLED = tuple(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))
_HELD: Mapping[type, tuple[str, ...]] = {
    partial: ("func", "args", "keywords"),
    MethodType: ("__func__", "__self__"),
    type(cache(len)): ("__wrapped__",),
}
"""What counts of a callable that holds others."""
_MADE = ("<string>", *_INSTALLED)
_PACKAGE = str(Path(__file__).parents[1])


class Untold(Exception):
    """Names what cannot be hashed."""


def code_hash(function: object) -> str:
    """Eight hexadecimal digits. Raises Untold."""
    if isinstance(function, FunctionType):
        parts = _of_function(function, {id(function)})
    elif type(function) in _HELD or is_dataclass(function):
        parts = _of(function, name_of(function), set())
    else:
        raise Untold("it is no function with a source")
    return sha256("\0".join(parts))[:8]


def _of_function(function: FunctionType, seen: set[int]) -> Iterator[str]:
    yield _source(function)
    yield from _of_code(function.__code__)
    yield from _captured(function, seen)
    for name in sorted(_names(function.__code__) & function.__globals__.keys()):
        yield name
        yield from _of(function.__globals__[name], name, seen)


def _captured(function: FunctionType, seen: set[int]) -> Iterator[str]:
    for value in (function.__defaults__, function.__kwdefaults__):
        yield from _of(value, "a default", seen)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            value = cell.cell_contents
        except ValueError:
            continue  # not yet there, as a function within itself
        yield from _of(value, name, seen)


def _source(thing: Any) -> str:
    try:
        return inspect.getsource(thing)
    except (OSError, TypeError):
        raise Untold(f"the source of {thing.__name__} cannot be read") from None


def _of_code(code: CodeType) -> Iterator[str]:
    yield code.co_code.hex()
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _of_code(constant)
        else:
            yield _ordered(constant)


def _ordered(constant: Any) -> str:
    return repr(sorted(map(repr, constant)) if isinstance(constant, frozenset) else constant)


def _names(code: CodeType) -> set[str]:
    inner = [_names(one) for one in code.co_consts if isinstance(one, CodeType)]
    return set(code.co_names).union(*inner)


def _of(value: Any, name: str, seen: set[int]) -> Iterator[str]:
    if isinstance(value, _PLAIN):
        yield repr(value)
        return
    if id(value) in seen:
        yield "again"
        return
    seen.add(id(value))
    if isinstance(value, FunctionType | BuiltinFunctionType | type | ModuleType):
        yield from _of_definition(value, name, seen)
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _of(one, name, seen)
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _of(key, name, seen)
            yield from _of(one, name, seen)
    elif isinstance(value, set | frozenset):
        yield from sorted("\0".join(_of(one, name, seen)) for one in value)
    elif isinstance(value, re.Pattern):
        yield repr((value.pattern, value.flags))
    elif held := _HELD.get(type(value)):
        for part in held:
            yield from _of(getattr(value, part), name, seen)
    elif _is_numpy(value) and not value.dtype.hasobject:
        yield f"{value.dtype} {value.shape} {sha256(value.tobytes())}"
    elif is_dataclass(value):
        yield from _of(type(value), name, seen)
        for field in fields(value):
            yield from _of(getattr(value, field.name), name, seen)
    elif not isinstance(value, Logger):
        raise Untold(f"nobody can tell whether {name}, a {type(value).__name__}, is the same")


def _is_numpy(value: Any) -> bool:
    return type(value).__module__ == "numpy" and hasattr(value, "tobytes")


def _of_definition(value: Any, name: str, seen: set[int]) -> Iterator[str]:
    module = value.__name__ if isinstance(value, ModuleType) else value.__module__ or "builtins"
    if _is_installed(module):
        package = sys.modules.get(module.split(".")[0])
        version = getattr(package, "__version__", "")
        yield f"{module}.{getattr(value, '__qualname__', '')} {version}"
        if isinstance(value, FunctionType) and "<locals>" in value.__qualname__:
            yield from _captured(value, seen)
    elif isinstance(value, FunctionType):
        yield from _of_function(value, seen)
    elif isinstance(value, type):
        yield from _of_class(value, name, seen)
    elif isinstance(value, ModuleType) and value.__file__:
        yield Path(value.__file__).read_text(encoding="utf-8", errors="replace")
    else:
        raise Untold(f"the source of {name} cannot be read")


def _of_class(own: type, name: str, seen: set[int]) -> Iterator[str]:
    yield _source(own)
    for base in own.__bases__:
        yield from _of(base, name, seen)
    for one in vars(own).values():
        method = getattr(one, "__func__", getattr(one, "fget", one))
        # What a dataclass writes itself has no source, and follows from the class's.
        if isinstance(method, FunctionType) and not method.__code__.co_filename.startswith(_MADE):
            yield from _of_function(method, seen)


def _is_installed(module: str) -> bool:
    top = module.split(".")[0]
    if top in sys.stdlib_module_names and top != "__main__":
        return True
    file = getattr(sys.modules.get(module), "__file__", None)
    return bool(file) and str(file).startswith((*_INSTALLED, _PACKAGE))


def name_of(source: Any) -> str:
    """
    >>> name_of(lambda claim: [])
    'lambda'
    """
    return str(getattr(source, "__name__", type(source).__name__)).strip("<>")
