"""The machine that models run on, and where its results may differ from another's."""

from __future__ import annotations

import os
from dataclasses import dataclass

from uhhrag.backends import kernels
from uhhrag.config.option import MACHINE, MODELS, option


@dataclass(frozen=True, slots=True)
class Machine:
    """What depends on the machine and must not change a result."""

    threads: int | None = option(
        None, MACHINE, "Threads of the model. Default: the free cores.", least=1
    )
    gpu_layers: int = option(0, MACHINE, "Layers of the model to run on a GPU.")
    device: str = option("cpu", MACHINE, "Where the embedder runs: cpu or cuda.")
    embedder: str | None = option(
        None, MODELS, "Folder of the index's embedder, if not found by its name.", default=False
    )
    servers: tuple[str, ...] = ()
    """Further servers with the same model, which take claims in turn with the first."""
    allow_remote: bool = option(False, MODELS, "Servers of --llm may be on other machines.")
    cache: bool = option(True, MACHINE, "Keep replies and vectors on disk.")

    @property
    def cores(self) -> int:
        return self.threads or os.cpu_count() or 1

    @property
    def accelerators(self) -> dict[str, str]:
        """Where results may differ from those of the CPU, and from one run to the next."""
        layers = {"llm-on": f"gpu ({self.gpu_layers} layers)"} if self.gpu_layers else {}
        return layers | ({"embedder-on": self.device} if self.device != "cpu" else {})


@dataclass(frozen=True, slots=True)
class KernelChoice:
    """The fastest numbers for a plain BERT here; seconds per batch, empty without a choice."""

    fastest: str
    seconds: dict[str, float]


def kernel_choice() -> KernelChoice:
    """What the probe of this processor found; the first time it is made, which takes seconds."""
    seconds = kernels.speeds()
    return KernelChoice(kernels.chosen(seconds), seconds)
