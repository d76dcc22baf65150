"""Which models were tried: that our own computation of a model's files gives what the library gives
is found out once for each state of the files, and remembered. So is what batches do to the bits of
a text on this processor."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

from uhhrag.backends.cpu_features import described
from uhhrag.system.checksums import sha256
from uhhrag.system.remembered import recall, remember, state_of
from uhhrag.version import __version__

_BATCHES = "batches"
_LIBRARIES = ("MKL_", "ONEDNN_", "DNNL_", "ATEN_", "TORCH_")
"""How variables of the environment begin by which libraries choose their kernels."""

Alike = dict[tuple[int, int], bool]
"""By the length of a text and the texts of a batch whether it has the bits that are promised."""


@dataclass(slots=True)
class Batches:
    """What trials of a model's batches showed: whether they are `filled` up, None while that is not
    known, and which are `alike`. With a `key` it is remembered."""

    key: str = ""
    filled: bool | None = None
    alike: Alike = field(default_factory=dict)

    @classmethod
    def recalled(cls, model: str, numbers: str) -> Batches:
        """Those of a model, told by its `key_of`, and its numbers on this processor."""
        processor = described()
        if not (model and processor):
            return cls()
        chosen = [f"{k}={v}" for k, v in sorted(os.environ.items()) if k.startswith(_LIBRARIES)]
        key = sha256("\n".join([model, numbers, processor, *chosen]))
        with suppress(KeyError, TypeError, ValueError, AttributeError):
            known = recall(_BATCHES)[key]
            alike = {(int(length), int(texts)): bool(s) for length, texts, s in known["same"]}
            return cls(key, bool(known["filled"]), alike)
        return cls(key)

    def remember(self) -> None:
        """Keep what is known for later processes."""
        if self.key:
            same = [[*batch, alike] for batch, alike in sorted(self.alike.items())]
            remember(_BATCHES, {self.key: {"filled": self.filled, "same": same}})


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
