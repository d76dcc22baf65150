"""The machine that models run on."""

from __future__ import annotations

import os
from dataclasses import dataclass

from uhhrag.backends import kernels


@dataclass(frozen=True, slots=True)
class Machine:
    """What depends on the machine; it must not change a result."""

    threads: int | None = None
    gpu_layers: int = 0
    device: str = "cpu"
    embedder: str | None = None
    """Where the index's embedder is, if not under its name."""
    servers: tuple[str, ...] = ()
    """Further ones with the same model, used in turn."""
    allow_remote: bool = False

    @property
    def cores(self) -> int:
        """Threads of a model."""
        return self.threads or os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class KernelChoice:
    """The fastest precision for a plain BERT."""

    fastest: str
    seconds: dict[str, float]
    """Per batch, by precision; may be empty."""


def kernel_choice() -> KernelChoice:
    """Takes seconds the first time."""
    seconds = kernels.speeds()
    return KernelChoice(kernels.chosen(seconds), seconds)


def accelerators(machine: Machine) -> dict[str, str]:
    """Where results may differ from the CPU's."""
    layers = {"llm-on": f"gpu ({machine.gpu_layers} layers)"} if machine.gpu_layers else {}
    return layers | ({"embedder-on": machine.device} if machine.device != "cpu" else {})
