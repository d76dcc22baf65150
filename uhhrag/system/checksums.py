"""SHA-256 in hexadecimal digits."""

from __future__ import annotations

import hashlib
from pathlib import Path


def sha256(content: bytes | str) -> str:
    """Texts are hashed as UTF-8, with lone surrogates.

    >>> sha256("uhhrag")[:8]
    'bd604719'
    """
    raw = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    return hashlib.sha256(raw).hexdigest()


def sha256_of_file(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
