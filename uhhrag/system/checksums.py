"""SHA-256 in hexadecimal digits."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

_SHORT = 40
"""Characters."""


def sha256(content: bytes | str) -> str:
    """Texts are hashed as UTF-8, with lone surrogates."""
    raw = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    return hashlib.sha256(raw).hexdigest()


def sha256_of_file(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def short(fingerprint: str) -> str:
    """For signatures: itself if short and plain, else eight digits of a SHA-256, its own or of it.

    >>> short("fake model 1"), short("0" * 56 + "89abcdef"), short("x" * 41)
    ('fake model 1', '00000000', '3164596d')
    """
    if re.fullmatch(r"[0-9a-f]{64}", fingerprint):
        return fingerprint[:8]
    plain = fingerprint.isprintable() and not set(fingerprint) & set("|,;")
    return fingerprint if plain and len(fingerprint) <= _SHORT else sha256(fingerprint)[:8]
