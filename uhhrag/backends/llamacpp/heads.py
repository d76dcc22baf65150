"""What a model made of the heads of prompts (instructions and examples), kept in the user's cache
folder: the next process reads it back bit for bit, in hundredths of the time it takes to compute.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import llama_cpp as ll

from uhhrag.backends.cpu_features import processor
from uhhrag.backends.llamacpp.sequences import Tokens
from uhhrag.backends.trials import key_of
from uhhrag.system import remembered
from uhhrag.system.atomic import write_file
from uhhrag.system.checksums import sha256

_MOST = 2**29
"""Bytes of the kept heads together; those not used for longest go first. A head of 350 tokens has
10 MB with the 1.5B model."""
_SUM = 64


class KeptHeads:
    """States of a cache by the tokens that they are of. `made_by` is "" where nothing is kept, else
    all that they depend on beside the tokens. What is missing, damaged or cannot be written is
    computed again."""

    def __init__(self, made_by: str) -> None:
        self._made_by = made_by

    def get(self, head: Tokens) -> bytes | None:
        """The state of a head, None where it is not kept whole."""
        with suppress(OSError):
            content = self._file(head).read_bytes() if self._made_by else b""
            state = content[_SUM:]
            if state and sha256(state).encode() == content[:_SUM]:
                self._file(head).touch()
                return state
        return None

    def put(self, head: Tokens, state: bytes) -> None:
        """Keep a state, and no more than `_MOST` bytes of all."""
        if not self._made_by:
            return
        with suppress(OSError):
            folder().mkdir(parents=True, exist_ok=True)
            write_file(self._file(head), sha256(state).encode() + state)
            _make_room()

    def _file(self, head: Tokens) -> Path:
        return folder() / f"{sha256(f'{self._made_by} {head}')}.state"


def folder() -> Path:
    """Where heads are kept."""
    return remembered.folder() / "heads"


def made_by(files: Sequence[Path], *settings: float) -> str:
    """All that the state of a head depends on: the model's files and the library by their states,
    the processor, and settings such as the layers on a GPU. "" where a file has changed just
    now."""
    library = key_of([Path(ll.__file__).parent / "lib"], ["llama-cpp-python"])
    try:
        states = [library, *map(remembered.state_of, files)]
    except OSError:
        return ""
    return f"{states} {processor()} {settings}" if all(states) else ""


def _make_room() -> None:
    files = sorted(folder().glob("*.state"), key=lambda file: -file.stat().st_mtime_ns)
    size = 0
    for file in files:
        size += file.stat().st_size
        if size > _MOST:
            file.unlink(missing_ok=True)
