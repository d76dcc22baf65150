"""States of prompt heads (instructions, examples) on disk."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import llama_cpp as ll

from uhhrag.backends.cpu_features import processor
from uhhrag.backends.llamacpp.sequences import Tokens
from uhhrag.backends.self_tests import key_of
from uhhrag.system import machine_cache, places
from uhhrag.system.atomic import write_file
from uhhrag.system.checksums import sha256

_MAX_BYTES = 2**29
"""Bytes kept, least recently used out first; 350 tokens take 10 MB (1.5B)."""
_SUM = 64


class KeptHeads:
    """By tokens. `made_by` is what else states depend on; "" keeps nothing."""

    def __init__(self, made_by: str) -> None:
        self._made_by = made_by

    def get(self, head: Tokens) -> bytes | None:
        with suppress(OSError):
            content = self._file(head).read_bytes() if self._made_by else b""
            state = content[_SUM:]
            if state and sha256(state).encode() == content[:_SUM]:
                self._file(head).touch()
                return state
        return None

    def put(self, head: Tokens, state: bytes) -> None:
        if not self._made_by:
            return
        with suppress(OSError):
            folder().mkdir(parents=True, exist_ok=True)
            write_file(self._file(head), sha256(state).encode() + state)
            _make_room()

    def _file(self, head: Tokens) -> Path:
        return folder() / f"{sha256(f'{self._made_by} {head}')}.state"


def folder() -> Path:
    return places.cache() / "heads"


def made_by(files: Sequence[Path], gpu_layers: int) -> str:
    """Gives "" if a file just changed."""
    library = key_of([Path(ll.__file__).parent / "lib"], ["llama-cpp-python"])
    try:
        states = [library, *map(machine_cache.state_of, files)]
    except OSError:
        return ""
    return f"{states} {processor()} {gpu_layers}" if all(states) else ""


def _make_room() -> None:
    files = sorted(folder().glob("*.state"), key=lambda file: -file.stat().st_mtime_ns)
    size = 0
    for file in files:
        size += file.stat().st_size
        if size > _MAX_BYTES:
            file.unlink(missing_ok=True)
