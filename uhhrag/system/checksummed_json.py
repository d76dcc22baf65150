from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from uhhrag.system.checksums import sha256


def to_bytes(body: Mapping[str, Any]) -> bytes:
    """ASCII, so that any text fits."""
    return (json.dumps({**body, "seal": digest(body)}, indent=1) + "\n").encode()


def from_bytes(content: bytes) -> dict[str, Any]:
    """Raises ValueError unless every byte is as written."""
    try:
        body = dict(json.loads(content))
        body.pop("seal")
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError("not a JSON object with a checksum") from error
    if to_bytes(body) != content:
        raise ValueError("the checksum does not match")
    return body


def digest(value: object) -> str:
    return sha256(json.dumps(value, sort_keys=True))
