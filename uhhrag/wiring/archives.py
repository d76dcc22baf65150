from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from uhhrag import defaults, models
from uhhrag.archive.filters import CorpusLimits
from uhhrag.archive.manifest import Vectors
from uhhrag.archive.search import CorpusSearch, Ranking, engines_of, excerpts
from uhhrag.archive.snapshot import Snapshot
from uhhrag.archive.text_index import ANALYSIS
from uhhrag.config.settings import Settings
from uhhrag.errors import IndexFault
from uhhrag.indexing import index_folder
from uhhrag.indexing.index_folder import IndexSettings
from uhhrag.indexing.vectors import EmbedderId
from uhhrag.models import local
from uhhrag.models.local import ModelState
from uhhrag.protocols import Embedder, EvidenceSource
from uhhrag.records import Claim
from uhhrag.rules.learned import DOCUMENTS
from uhhrag.store.passages import is_filled, may_decide
from uhhrag.wiring import embedders, rerankers
from uhhrag.wiring.machine import Machine
from uhhrag.wiring.pipeline import VECTORS, ClaimTarget, Wired, assemble, hashes_of


@dataclass(frozen=True, slots=True)
class WiredSearch:
    ranking: Ranking
    embedder: EmbedderId
    recipe: str
    """How it searches, for the signature."""


def wire_corpus(
    snapshot: Snapshot,
    claims: Sequence[Claim],
    settings: Settings,
    machine: Machine,
    rerank: int,
    work: Path | None,
) -> Wired:
    search = wire_search(snapshot, machine, rerank, work)
    limits = CorpusLimits(snapshot, settings.limits)
    keeps = may_decide if settings.parts.voter.leads else is_filled

    def corpus_for(claim: Claim) -> EvidenceSource:
        leaving_out = limits.for_claim(claim)
        return CorpusSearch(snapshot, search.ranking, leaving_out, keeps).corpus()

    target = ClaimTarget(
        corpus_for=corpus_for,
        recipe=IndexSettings(search.embedder, 0, prefilter=search.recipe),
        passages=hashes_of(snapshot.digest, claims),
        embed=search.ranking.embed,
        memory=work / index_folder.REPLIES if work else None,
        field=DOCUMENTS,
    )
    return assemble(settings, machine, target)


def wire_search(
    snapshot: Snapshot, machine: Machine, rerank: int, work: Path | None = None
) -> WiredSearch:
    """By vectors too, if the archive has some. Raises IndexFault if another embedder made them."""
    vectors = snapshot.manifest.vectors
    memory = work / VECTORS if work else None
    load_reranker = partial(rerankers.load_reranker, defaults.RERANKER, machine)
    with ThreadPoolExecutor(1, "uhhrag-load") as beside:  # while the embedder imports torch
        loading = beside.submit(load_reranker) if rerank else None
        if vectors is None:
            embed, identity = embedders.store_embedder(machine, memory)
        else:
            embed, identity = _embedder_of(snapshot, vectors, machine, memory)
    reranker = loading.result() if loading else None
    static = None
    if reranker and embedders.has_trained_static(identity):
        static = embedders.load_static(machine.embedder or identity.name, identity)
    ranking = Ranking(
        embed,
        *engines_of(snapshot),
        reranker.model.relevance if reranker else None,
        rerank,
        partial(excerpts, static=static.model, longest=defaults.EXCERPT) if static else None,
    )
    by_vectors = " and vectors" if ranking.nearest else ""
    part = f", {defaults.EXCERPT} characters of each by {static.fingerprint}" if static else ""
    counted = f"counting {defaults.RERANK_SHARE:g}"
    read = f", {rerank} read by {reranker.fingerprint} {counted}{part}" if reranker else ""
    return WiredSearch(ranking, identity, f"corpus, text {ANALYSIS}{by_vectors}{read}")


def wire_text_search(snapshot: Snapshot, machine: Machine, rerank: int) -> Ranking:
    """Needs no embedder."""

    def embed(texts: Sequence[str], /) -> NDArray[np.float32]:
        raise IndexFault("a search by text alone has no vectors")

    reranker = rerankers.load_reranker(defaults.RERANKER, machine) if rerank else None
    relevance = reranker.model.relevance if reranker else None
    return Ranking(embed, *engines_of(snapshot, by_vectors=False), relevance, rerank)


def _embedder_of(
    snapshot: Snapshot, vectors: Vectors, machine: Machine, memory: Path | None
) -> tuple[Embedder, EmbedderId]:
    known = vectors.embedder
    embed, identity = embedders.load_known(known, machine, memory)
    if identity.vectors != known.vectors:
        raise IndexFault(
            f"{snapshot.folder}: has vectors of {known} but {identity} was asked for; leave out "
            f"--embedder, or run: uhhrag archive embed {snapshot.folder} --embedder {identity.name}"
        )
    return embed, identity


def reranked_here(wanted: int | None, warn: Callable[[str], None]) -> int:
    """`wanted`, else the default, or 0 without the model."""
    if wanted is not None:
        return wanted
    if local.state(models.MODELS[defaults.RERANKER]) is ModelState.PRESENT:
        return defaults.RERANK
    warn(
        "the passages of the archive are not read by a cross-encoder, which finds better ones; "
        f"run: uhhrag models pull {defaults.RERANKER}"
    )
    return 0
