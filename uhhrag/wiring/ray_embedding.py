"""Embeds archives on a Ray cluster; the driver writes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from uhhrag.archive.embedding import EmbedAll
from uhhrag.errors import RunError
from uhhrag.indexing.vectors import EmbedderId
from uhhrag.protocols import Embedder
from uhhrag.system.ray_cluster import ClusterAddress, WorkerResources
from uhhrag.system.ray_workers import RayWork, spread_on_ray
from uhhrag.wiring.loaded import Loaded
from uhhrag.wiring.ray_tasks import require_kind, same_embedder
from uhhrag.wiring.run_header import kind_of_machine

Texts = tuple[str, ...]
Rows = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class EmbeddingWorkers:
    embedder: str | Loaded[Embedder]
    device: str
    identity: EmbedderId
    """The driver's."""
    kind: str
    """The driver's."""

    def __call__(self, number: int, cores: int) -> Callable[[Texts], Rows]:
        require_kind(self.kind)
        return same_embedder(self.embedder, self.device, self.identity)


def embed_on_ray(
    where: ClusterAddress, embedder: str | Loaded[Embedder], device: str, identity: EmbedderId
) -> EmbedAll:
    """In order. Raises RunError if a batch ends every worker."""

    def give_up(batch: Texts, reason: str) -> Rows:
        raise RunError(f"{reason}; what is embedded is kept; run the same command again")

    work: RayWork[Texts, Rows] = RayWork(
        prepare=EmbeddingWorkers(embedder, device, identity, kind_of_machine()),
        send=lambda batch: batch,
        give_up=give_up,
    )

    def embed_all(batches: Iterable[Texts]) -> Generator[Rows, None, None]:
        return spread_on_ray(where, WorkerResources(gpu=device != "cpu"), work, batches)

    return embed_all
