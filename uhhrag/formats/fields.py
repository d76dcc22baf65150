"""Fields of AVeriTeC's JSON, checked as they are read: a fault is one InputError that names the
claim and the field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from uhhrag.errors import InputError
from uhhrag.records import Label
from uhhrag.system.text_files import read_json


def records_of(path: Path, what: str) -> list[Any]:
    """The items of a file's JSON list, at least one. `what` names them in errors: "claims"."""
    value = read_json(path)
    if not isinstance(value, list):
        raise InputError(f"{path}: holds {_kind(value)}; a {what} file is a JSON list")
    if not value:
        raise InputError(f"{path}: holds no {what}; give the file that has them")
    return value


def label_of(raw_label: str) -> Label | None:
    """The label of this spelling, None where it is not one of the four."""
    return Label(raw_label) if raw_label in set(Label) else None


def claim_id(value: Any, where: str) -> int | None:
    """A claim's number, written as a number or as its digits; None where there is none.

    >>> claim_id("12", "run.json, claim 0"), claim_id(None, ""), claim_id(" ", "")
    (12, None, None)
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    digits = value.strip() if isinstance(value, str) else ""
    if digits.isascii() and digits.removeprefix("-").isdigit() and len(digits) < 19:
        return int(digits)
    raise InputError(
        f"{where}: {_shown(value)} is not a claim number; "
        "it must be the claim's position in the claims file"
    )


def mapping_of(value: Any, where: str) -> Mapping[str, Any]:
    """A JSON object. `where` begins the InputError that anything else raises."""
    if not isinstance(value, dict):
        raise InputError(f"{where}: is {_kind(value)}; it must be an object")
    return value


def items_of(value: Any, where: str) -> Sequence[Any]:
    """The items of a JSON list. `where` begins the InputError that anything else raises."""
    if not isinstance(value, list):
        raise InputError(f"{where}: is {_kind(value)}; it must be a list")
    return value


def text_of(value: Any, where: str) -> str:
    """A JSON string. `where` begins the InputError that anything else raises."""
    if not isinstance(value, str):
        raise InputError(f"{where}: is {_kind(value)}; it must be a text")
    return value


def text_or_none(value: Any, where: str) -> str | None:
    """A JSON string, None for null and for a field that is missing; else an InputError."""
    return None if value is None else text_of(value, where)


def _kind(value: Any) -> str:
    if value is None:
        return "null or missing"
    names = {bool: "true or false", int: "a number", float: "a number", str: "a text"}
    return names.get(type(value), "a list" if isinstance(value, list) else "an object")


def _shown(value: Any) -> str:
    return repr(value)[:40] if isinstance(value, (str, int, float)) else _kind(value)
