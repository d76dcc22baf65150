"""AVeriTeC claims files."""

from __future__ import annotations

from pathlib import Path

import orjson

from uhhrag.errors import InputError
from uhhrag.records import Claim


def read_claims(path: Path) -> tuple[Claim, ...]:
    """The claims of a claims file, in order; `id` is the position."""
    try:
        rows = orjson.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from error
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError(f"{path}: is not a list of claims")
    return tuple(
        Claim(position, row["claim"], row.get("claim_date"), row.get("speaker"))
        for position, row in enumerate(rows)
    )
