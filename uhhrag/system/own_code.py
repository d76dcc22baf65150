"""Hashes a program's own function with all it uses; packages by name and version."""

from __future__ import annotations

import dis
import inspect
import os
import re
import sys
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass
from datetime import date
from enum import Enum
from functools import cache, partial
from importlib.util import resolve_name
from itertools import chain
from logging import Logger
from pathlib import Path, PurePath
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from uhhrag.system.checksums import sha256

_PLAIN = (type(None), type(...), bool, int, float, complex, str, bytes, Enum, PurePath, date, range)
_MADE = (
    "<string>",
    *(f"{folder}{os.sep}" for folder in (sysconfig.get_path("stdlib"), Path(__file__).parents[1])),
)
_INSTALLED = {"site-packages", "dist-packages"}
_HELD: Mapping[type, tuple[str, ...]] = {
    partial: ("func", "args", "keywords"),
    MethodType: ("__func__", "__self__"),
    type(cache(len)): ("__wrapped__",),
}
"""What counts of a callable that holds others."""


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


def _of_function(function: FunctionType, seen: set[Any]) -> Iterator[str]:
    code, known = function.__code__, function.__globals__
    yield _source(function)
    yield from _of_code(code)
    used = [*_captured(function), *((n, known[n]) for n in sorted(_names(code) & known.keys()))]
    for name, value in used:
        yield name
        yield from _of(value, name, seen)
    modules = [value.__name__ for _, value in used if isinstance(value, ModuleType)]
    imported = _imported(code, known.get("__package__") or "")
    yield from _of_modules([*modules, *imported], _names(code), seen)


def _captured(function: FunctionType) -> Iterator[tuple[str, Any]]:
    yield from (("a default", one) for one in (function.__defaults__, function.__kwdefaults__))
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):  # not yet there, as a function within itself
            yield name, cell.cell_contents


def _source(thing: Any) -> str:
    try:
        return inspect.getsource(thing)
    except (OSError, TypeError):
        raise Untold(f"the source of {thing.__name__} cannot be read") from None


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _of_code(code: CodeType) -> Iterator[str]:
    for one in _codes(code):
        yield one.co_code.hex()
        plain = (held for held in one.co_consts if not isinstance(held, CodeType))
        yield from (repr(sorted(map(repr, h)) if isinstance(h, frozenset) else h) for h in plain)


def _names(code: CodeType) -> set[str]:
    return {name for one in _codes(code) for name in one.co_names}


def _of(value: Any, name: str, seen: set[Any]) -> Iterator[str]:
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


def _of_definition(value: Any, name: str, seen: set[Any]) -> Iterator[str]:
    module = value.__name__ if isinstance(value, ModuleType) else value.__module__ or "builtins"
    if _is_installed(module):
        package = sys.modules.get(module.split(".")[0])
        version = getattr(package, "__version__", "")
        yield f"{module}.{getattr(value, '__qualname__', '')} {version}"
        if isinstance(value, FunctionType) and "<locals>" in value.__qualname__:
            for inner, held in _captured(value):
                yield from _of(held, inner, seen)
    elif isinstance(value, FunctionType):
        yield from _of_function(value, seen)
    elif isinstance(value, type):
        yield from _of_class(value, name, seen)
    elif isinstance(value, ModuleType) and any(_place(module)):
        yield from _of_modules([module], set(), seen)
    else:
        raise Untold(f"the source of {name} cannot be read")


def _of_class(own: type, name: str, seen: set[Any]) -> Iterator[str]:
    yield _source(own)
    for base in own.__bases__:
        yield from _of(base, name, seen)
    for one in vars(own).values():
        method = getattr(one, "__func__", getattr(one, "fget", one))
        # What a dataclass writes itself has no source, and follows from the class's.
        if isinstance(method, FunctionType) and not _is_made(method.__code__.co_filename):
            yield from _of_function(method, seen)


def _of_modules(modules: list[str], names: set[str], seen: set[Any]) -> Iterator[str]:
    """Own ones and all their imports, now or later; also seeks `names` in packages."""
    for module in modules:
        file, folders = _place(module)
        if _is_installed(module):
            continue
        modules += [f"{module}.{name}" for name in sorted(names) if folders]
        if file and module not in seen:
            seen.add(module)
            try:
                content = Path(file).read_bytes()
                code = compile(content, file, "exec", dont_inherit=True)
            except (OSError, ValueError, SyntaxError):
                raise Untold(f"the source of {module} cannot be read") from None
            yield sha256(content)
            parent = module.rpartition(".")[0]
            imported = _imported(code, module if folders else parent)
            yield from _of_modules([parent or module, *imported], _names(code), seen)


def _imported(code: CodeType, package: str) -> Iterator[str]:
    """Absolute names, also of what is taken from a module."""
    if not _names(code).isdisjoint({"import_module", "__import__"}):
        raise Untold(f"only a run tells which module {Path(code.co_filename).name} imports")
    steps = chain.from_iterable(map(dis.get_instructions, _codes(code)))
    plain = [step for step in steps if step.opname != "EXTENDED_ARG"]
    for level, wanted, step in zip(plain, plain[1:], plain[2:], strict=False):
        if step.opname == "IMPORT_NAME":
            with suppress(ImportError):  # beyond the package, as its run will tell
                module = resolve_name("." * level.argval + step.argval, package)
                yield from (module, *(f"{module}.{name}" for name in wanted.argval or ()))


def _place(module: str) -> tuple[str, Sequence[str] | None]:
    """File and, of a package, folders, else "" and None. Runs no code of it."""
    if loaded := sys.modules.get(module):
        return getattr(loaded, "__file__", None) or "", getattr(loaded, "__path__", None)
    parent = module.rpartition(".")[0]
    folders = _place(parent)[1] if parent else None
    specs = (one.find_spec(module, folders) for one in sys.meta_path if folders or not parent)
    spec = next(filter(None, specs), None)
    return (spec.origin or "", spec.submodule_search_locations) if spec else ("", None)


def _is_installed(module: str) -> bool:
    top = module.split(".")[0]
    return (top in sys.stdlib_module_names and top != "__main__") or _is_made(_place(module)[0])


def _is_made(file: str) -> bool:
    """Not by the program's author."""
    return file.startswith(_MADE) or not _INSTALLED.isdisjoint(Path(file).parts)


def name_of(source: Any) -> str:
    """
    >>> name_of(lambda claim: [])
    'lambda'
    """
    return str(getattr(source, "__name__", type(source).__name__)).strip("<>")
