"""AVeriTeC's JSON; faults are InputErrors that name claim and field."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from uhhrag.errors import InputError
from uhhrag.records import Label
from uhhrag.system.decode import shaped
from uhhrag.system.text_files import read_json

T = TypeVar("T")


def records_of(path: Path, noun: str, remedy: str = "") -> tuple[Any, ...]:
    """At least one; `noun` names them in errors."""
    records = record_of(tuple[Any, ...], read_json(path), str(path))
    if not records:
        raise InputError(f"{path}: holds no {noun}; {remedy or 'give the file that has them'}")
    return records


def record_of(kind: type[T], value: Any, location: str) -> T:
    """Raises InputError."""
    try:
        return shaped(kind, value, location)
    except TypeError as error:
        raise InputError(str(error)) from error


def label_of(raw_label: str) -> Label | None:
    return Label(raw_label) if raw_label in set(Label) else None


def claim_id(value: Any, location: str) -> int | None:
    """From 3, 3.0, "3" or "003"; None if empty.

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
    shown = repr(value)[:40] if isinstance(value, str | int | float) else "a list or an object"
    raise InputError(
        f"{location}: {shown} is not a claim number; "
        "it must be the claim's position in the claims file"
    )
