from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from uhhrag.backends import kernels
from uhhrag.config.option import MACHINE, MODELS, Checked, option
from uhhrag.protocols import LLM, Embedder
from uhhrag.system.checksums import short
from uhhrag.system.hardware import KernelChoice

M = TypeVar("M")
CALLABLE = "callable"
"""Names an own model in settings and signatures."""


@dataclass(frozen=True, slots=True)
class Loaded(Generic[M]):
    model: M
    fingerprint: str
    """Models that answer differently need different ones."""

    @property
    def name(self) -> str:
        return f"{CALLABLE}@{short(self.fingerprint)}"


@dataclass(frozen=True, slots=True)
class Machine(Checked):
    """Options that must not change a result, and a program's own models."""

    threads: int | None = option(
        None, "Threads of the model. Default: the free cores.", MACHINE, least=1
    )
    gpu_layers: int = option(0, "Layers of the model to run on a GPU.", MACHINE)
    device: str = option("cpu", "Where the embedder runs: cpu or cuda.", MACHINE)
    embedder: str | None = option(
        None, "Folder of the index's embedder, if not found by its name.", MODELS
    )
    servers: tuple[str, ...] = ()
    """More servers with the same model; they take claims in turn."""
    allow_remote: bool = option(False, "Servers may be on other machines.", MODELS)
    cache: bool = option(True, "Keep replies and vectors on disk.", MACHINE)
    own_llm: Loaded[LLM] | None = None
    own_embedder: Loaded[Embedder] | None = None
    reached: Mapping[str, Loaded[LLM]] = field(default_factory=dict)
    """Servers that were asked who they are, by address."""

    @property
    def cores(self) -> int:
        return self.threads or os.cpu_count() or 1

    @property
    def accelerators(self) -> dict[str, str]:
        """Results there may differ from the CPU's, also between runs."""
        layers = {"llm-on": f"gpu ({self.gpu_layers} layers)"} if self.gpu_layers else {}
        return layers | ({"embedder-on": self.device} if self.device != "cpu" else {})


def kernel_choice() -> KernelChoice:
    """Cached; the first probe takes seconds."""
    seconds = kernels.speeds()
    return KernelChoice(kernels.chosen(seconds), seconds)
