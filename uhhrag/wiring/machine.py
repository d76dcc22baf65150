"""The machine that models run on, and where its results may differ from another's."""

from __future__ import annotations

import os
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Machine:
    """What depends on the machine and must not change a result. `embedder` is where the index's
    embedder is found when not under the name it was indexed with; `servers` are further ones with
    the same model, which take claims in turn with the first."""

    threads: int | None = None
    gpu_layers: int = 0
    device: str = "cpu"
    embedder: str | None = None
    servers: tuple[str, ...] = ()
    allow_remote: bool = False

    @property
    def cores(self) -> int:
        """Threads of a model."""
        return self.threads or os.cpu_count() or 1


def accelerators(machine: Machine) -> dict[str, str]:
    """Where results may differ from those of the CPU, and from one run to the next."""
    layers = {"llm-on": f"gpu ({machine.gpu_layers} layers)"} if machine.gpu_layers else {}
    return layers | ({"embedder-on": machine.device} if machine.device != "cpu" else {})
