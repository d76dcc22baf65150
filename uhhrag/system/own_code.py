"""Hashes a program's own function with all it uses; installed packages by name and version."""

from __future__ import annotations

import dis
import inspect
import os
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
_LIBRARY = sysconfig.get_path("stdlib")
_PACKAGE = str(Path(__file__).parents[1])
_INSTALLED = tuple(f"{folder}{os.sep}" for folder in (_LIBRARY, _PACKAGE))
_PACKAGES = {"site-packages", "dist-packages"}
_HELD: Mapping[type, tuple[str, ...]] = {
    partial: ("func", "args", "keywords"),
    MethodType: ("__func__", "__self__"),
    type(cache(len)): ("__wrapped__",),
}
"""What counts of a callable that holds others."""
_BY_NAME = {"import_module", "__import__"}
_Seen = set[int | str]
"""Ids of values and names of modules."""


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


def _of_function(function: FunctionType, seen: _Seen) -> Iterator[str]:
    code, known = function.__code__, function.__globals__
    yield _source(function)
    yield from _of_code(code)
    yield from _captured(function, seen)
    used = sorted(_names(code) & known.keys())
    for name in used:
        yield name
        yield from _of(known[name], name, seen)
    values = chain((known[name] for name in used), _cells(function).values())
    modules = [value.__name__ for value in values if isinstance(value, ModuleType)]
    yield from _of_imports(code, known.get("__package__") or "", modules, seen)


def _captured(function: FunctionType, seen: _Seen) -> Iterator[str]:
    for value in (function.__defaults__, function.__kwdefaults__):
        yield from _of(value, "a default", seen)
    for name, value in _cells(function).items():
        yield from _of(value, name, seen)


def _cells(function: FunctionType) -> dict[str, Any]:
    """Without what is not yet there, as a function within itself."""
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):
            found[name] = cell.cell_contents
    return found


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


def _of(value: Any, name: str, seen: _Seen) -> Iterator[str]:
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


def _of_definition(value: Any, name: str, seen: _Seen) -> Iterator[str]:
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
    elif isinstance(value, ModuleType):
        yield from _of_module(module, seen)
    else:
        raise Untold(f"the source of {name} cannot be read")


def _of_class(own: type, name: str, seen: _Seen) -> Iterator[str]:
    yield _source(own)
    for base in own.__bases__:
        yield from _of(base, name, seen)
    for one in vars(own).values():
        method = getattr(one, "__func__", getattr(one, "fget", one))
        # What a dataclass writes itself has no source, and follows from the class's.
        if isinstance(method, FunctionType) and not _is_made(method.__code__.co_filename):
            yield from _of_function(method, seen)


def _of_module(module: str, seen: _Seen) -> Iterator[str]:
    """Of its file and its packages', with all that they import of the program's own."""
    if module in seen:
        return
    seen.add(module)
    if parent := module.rpartition(".")[0]:
        yield from _of_module(parent, seen)
    file, folders = _place(module)
    if not file and folders is not None:
        return  # a folder without __init__.py
    try:
        content = Path(file).read_bytes()
        code = compile(content, file, "exec", dont_inherit=True)
    except (OSError, ValueError, SyntaxError):
        raise Untold(f"the source of {module} cannot be read") from None
    yield content.decode("utf-8", "replace")
    yield from _of_imports(code, module if folders is not None else parent, (), seen)


def _of_imports(code: CodeType, package: str, known: Iterable[str], seen: _Seen) -> Iterator[str]:
    """Of own modules that `code` imports, now or later, or that it names within these or `known`.
    `package` is the one that `code` is in."""
    names = _names(code)
    if names & _BY_NAME:
        raise Untold(f"only a run tells which module {Path(code.co_filename).name} imports")
    found = sorted({*known, *_imported(code, package)})
    for module in found:
        file, folders = _place(module)
        if (file or folders is not None) and not _is_installed(module):
            yield from _of_module(module, seen)
            found += [f"{module}.{name}" for name in sorted(names) if folders is not None]


def _imported(code: CodeType, package: str) -> Iterator[str]:
    """Absolute names; among them are those of what is taken from a module."""
    steps = [step for step in dis.get_instructions(code) if step.opname != "EXTENDED_ARG"]
    for level, wanted, step in zip(steps, steps[1:], steps[2:], strict=False):
        if step.opname == "IMPORT_NAME":
            with suppress(ImportError):  # beyond the package, as its run will tell
                module = resolve_name("." * level.argval + step.argval, package)
                yield from (module, *(f"{module}.{name}" for name in wanted.argval or ()))
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _imported(one, package)


def _place(module: str) -> tuple[str, Sequence[str] | None]:
    """File and, of a package, folders, or "" and None. Runs neither it nor its packages."""
    if loaded := sys.modules.get(module):
        return getattr(loaded, "__file__", None) or "", getattr(loaded, "__path__", None)
    parent, folders = module.rpartition(".")[0], None
    if parent and (folders := _place(parent)[1]) is None:
        return "", None
    for finder in sys.meta_path:
        if spec := finder.find_spec(module, folders):
            return spec.origin or "", spec.submodule_search_locations
    return "", None


def _is_installed(module: str) -> bool:
    top = module.split(".")[0]
    return (top in sys.stdlib_module_names and top != "__main__") or _is_made(_place(module)[0])


def _is_made(file: str) -> bool:
    """By others than the program's author."""
    return (
        file == "<string>"
        or file.startswith(_INSTALLED)
        or not _PACKAGES.isdisjoint(Path(file).parts)
    )


def name_of(source: Any) -> str:
    """
    >>> name_of(lambda claim: [])
    'lambda'
    """
    return str(getattr(source, "__name__", type(source).__name__)).strip("<>")
