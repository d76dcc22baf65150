"""Which models were tried: that our own computation of a model's files gives what the library gives
is found out once for each state of the files, and remembered."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from uhhrag import __version__
from uhhrag.system.checksums import sha256
from uhhrag.system.remembered import state_of


def key_of(folders: Sequence[Path], packages: Sequence[str]) -> str:
    """What tells a model that was tried from any other: its files, their states, and the versions
    of the packages that take part. "" where a file changed just now or cannot be read."""
    try:
        files = sorted(file for folder in folders for file in folder.rglob("*") if file.is_file())
        states = [state_of(file) for file in files]
    except OSError:
        return ""
    versions = [f"{name} {metadata.version(name)}" for name in packages]
    lines = [f"uhhrag {__version__}", *versions, *(f"{file.absolute()}" for file in files), *states]
    return sha256("\n".join(lines)) if all(states) else ""
