"""JSON objects that carry their own hash."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from uhhrag.system.checksums import sha256


def to_bytes(body: Mapping[str, Any]) -> bytes:
    """In ASCII, so that any text fits.

    >>> from_bytes(to_bytes({"a": 1}))
    {'a': 1}
    """
    return (json.dumps({**body, "seal": digest(body)}, indent=1) + "\n").encode()


def from_bytes(content: bytes) -> dict[str, Any]:
    """The object of `to_bytes`. Raises ValueError unless every byte is as written."""
    try:
        body = dict(json.loads(content))
        body.pop("seal")
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError("not a JSON object with a checksum") from error
    if to_bytes(body) != content:
        raise ValueError("the checksum does not match")
    return body


_SEAL = ', "seal": "'


def sealed(text: str) -> str:
    """The text of a JSON object that has fields, with its hash as the last one.

    >>> unsealed(sealed('{"a": 1}')), unsealed('{"of": "before"}')
    ('{"a": 1}', '{"of": "before"}')
    """
    return f'{text[:-1]}{_SEAL}{sha256(text)}"}}'


def unsealed(text: str) -> str:
    """The text that was sealed, or one without a seal. Raises ValueError if it has changed."""
    start, there, seal = text.rpartition(_SEAL)
    if not there:
        return text
    if sha256(f"{start}}}") != seal.removesuffix('"}'):
        raise ValueError("the checksum does not match")
    return f"{start}}}"


def digest(value: object) -> str:
    """The SHA-256 of a JSON value."""
    return sha256(json.dumps(value, sort_keys=True))
