"""SHA-256 of files, cached by their state."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from uhhrag.system.checksums import sha256_of_file
from uhhrag.system.machine_cache import recall, remember, state_of

_KIND = "hashes"
_LARGE = 1_000_000
"""Least bytes to cache."""


def sha256_of_files(files: Iterable[Path], *, again: bool = False) -> list[str]:
    """Cached while length, times and inode stay; `again` reads every byte. Raises OSError if
    unreadable."""
    known, new = recall(_KIND), {}
    hashes = []
    for file in files:
        key = str(file.absolute())
        state = state_of(file) if file.stat().st_size >= _LARGE else ""
        digest = None if again else _known(known.get(key), state)
        if digest is None:
            digest = sha256_of_file(file)
            if state and state == state_of(file):
                new[key] = [state, digest]
        hashes.append(digest)
    if new:
        remember(_KIND, new)
    return hashes


def _known(fact: object, state: str) -> str | None:
    if state and isinstance(fact, list) and len(fact) == 2 and fact[0] == state:
        return str(fact[1])
    return None
