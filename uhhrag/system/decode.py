"""Checks JSON and TOML values: a matching hash does not imply the shape."""

from __future__ import annotations

import json
import re
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

_WORDS = {
    "array": "a list",
    "bool": "true or false",
    "float": "a number",
    "int": "a whole number",
    "null": "null",
    "object": "an object",
    "str": "a text",
}
_FAULT = re.compile(r"(?P<fault>.*?)(?: - at (?:`key` in )?`\$(?P<path>.*)`)?", re.DOTALL)
_EXPECTED = re.compile(r"Expected `(?P<wanted>.*?)`(?:, got `(?P<got>.*)`)?(?P<bound>.*)")
_MISSING = re.compile(r"Object missing required field `(?P<field>.*)`")


def shaped(kind: type[T], value: Any, location: str = "") -> T:
    """Ignores unknown keys. Raises TypeError, naming the place after `location`.

    >>> shaped(int, "1", "size")
    Traceback (most recent call last):
    TypeError: size: is a text; it must be a whole number
    """
    try:
        return msgspec.convert(value, kind, dec_hook=_text)
    except msgspec.ValidationError as error:
        raise TypeError(_fault(str(error), location)) from error
    except UnicodeEncodeError as error:  # half of a surrogate pair, as a key or in a closed set
        raise TypeError(f"{location}: holds a character that is not whole") from error


def json_object(text: str | bytes) -> dict[str, Any] | None:
    """None for anything else."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _text(kind: type[T], value: Any) -> T:
    """msgspec does not support subclasses of str."""
    if issubclass(kind, str) and isinstance(value, str):
        return kind(value)
    raise TypeError(f"Expected `str`, got `{type(value).__name__}`")


def _fault(text: str, location: str) -> str:
    """As "FILE[3].size: is a text; it must be a whole number"."""
    parts = _FAULT.fullmatch(text)
    fault, path = parts.group("fault", "path") if parts else (text, None)
    path = path or ""
    if missing := _MISSING.fullmatch(fault):
        fault, path = "is missing; add it", f"{path}.{missing['field']}"
    elif expected := _EXPECTED.fullmatch(fault):
        got = f"is {_plain(expected['got'])}; " if expected["got"] else ""
        fault = f"{got}it must be {_plain(expected['wanted'])}{expected['bound']}"
    else:
        fault = fault.replace("Invalid enum value", "has the unknown value")
    place = path.removeprefix(".") if not location else location + re.sub(r"^\.", ", ", path)
    return f"{place}: {fault}" if place else fault


def _plain(kinds: str) -> str:
    return " or ".join(_WORDS.get(kind, kind) for kind in kinds.split(" | "))
