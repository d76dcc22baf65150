from __future__ import annotations

import os
from dataclasses import dataclass

from uhhrag.backends import kernels
from uhhrag.config.option import MACHINE, MODELS, option
from uhhrag.protocols import LLM, Embedder
from uhhrag.system.hardware import KernelChoice
from uhhrag.wiring.loaded import Loaded


@dataclass(frozen=True, slots=True)
class Machine:
    """Options that must not change a result, and a program's own models."""

    threads: int | None = option(
        None, MACHINE, "Threads of the model. Default: the free cores.", least=1
    )
    gpu_layers: int = option(0, MACHINE, "Layers of the model to run on a GPU.")
    device: str = option("cpu", MACHINE, "Where the embedder runs: cpu or cuda.")
    embedder: str | None = option(
        None, MODELS, "Folder of the index's embedder, if not found by its name.", default=False
    )
    servers: tuple[str, ...] = ()
    """More servers with the same model; they take claims in turn."""
    allow_remote: bool = option(False, MODELS, "Servers of --llm may be on other machines.")
    cache: bool = option(True, MACHINE, "Keep replies and vectors on disk.")
    own_llm: Loaded[LLM] | None = None
    own_embedder: Loaded[Embedder] | None = None

    @property
    def cores(self) -> int:
        return self.threads or os.cpu_count() or 1

    @property
    def accelerators(self) -> dict[str, str]:
        """Where results may differ from the CPU's, also between runs."""
        layers = {"llm-on": f"gpu ({self.gpu_layers} layers)"} if self.gpu_layers else {}
        return layers | ({"embedder-on": self.device} if self.device != "cpu" else {})


def kernel_choice() -> KernelChoice:
    """Cached; the first probe takes seconds."""
    seconds = kernels.speeds()
    return KernelChoice(kernels.chosen(seconds), seconds)
