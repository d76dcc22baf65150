from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

from uhhrag.backends.cpu_features import described
from uhhrag.system.checksums import sha256
from uhhrag.system.machine_cache import recall, remember, state_of
from uhhrag.version import __version__

_BATCHES = "batches"
_LIBRARIES = ("MKL_", "ONEDNN_", "DNNL_", "ATEN_", "TORCH_")
"""Prefixes of variables that choose kernels."""

Alike = dict[tuple[int, int], bool]
"""(tokens, texts) → has the promised bits."""


@dataclass(slots=True)
class BatchShapes:
    """A model's batch trials, kept under `key`."""

    key: str = ""
    filled: bool | None = None
    """Whether batches are filled up; None if unknown."""
    alike: Alike = field(default_factory=dict)

    @classmethod
    def recalled(cls, model: str, numbers: str) -> BatchShapes:
        processor = described()
        if not (model and processor):
            return cls()
        chosen = [f"{k}={v}" for k, v in sorted(os.environ.items()) if k.startswith(_LIBRARIES)]
        key = sha256("\n".join([model, numbers, processor, *chosen]))
        known = recall(_BATCHES).get(key, {"filled": None, "same": ()})
        alike = {(length, texts): same for length, texts, same in known["same"]}
        return cls(key, known["filled"], alike)

    def remember(self) -> None:
        if self.key:
            same = [[*batch, alike] for batch, alike in sorted(self.alike.items())]
            remember(_BATCHES, {self.key: {"filled": self.filled, "same": same}})


def key_of(folders: Sequence[Path], packages: Sequence[str]) -> str:
    """Gives "" if a file just changed."""
    try:
        files = sorted(file for folder in folders for file in folder.rglob("*") if file.is_file())
        states = [state_of(file) for file in files]
    except OSError:
        return ""
    versions = [f"{name} {metadata.version(name)}" for name in packages]
    lines = [f"uhhrag {__version__}", *versions, *(f"{file.absolute()}" for file in files), *states]
    return sha256("\n".join(lines)) if all(states) else ""
