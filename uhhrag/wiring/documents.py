"""A user's documents: searched by sentence if few, else by an archive's passages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from uhhrag import defaults, models
from uhhrag.archive.filters import ArchiveLimits
from uhhrag.archive.manifest import Vectors
from uhhrag.archive.search import ArchiveSearch, Ranking, engines_of, excerpts
from uhhrag.archive.snapshot import Snapshot
from uhhrag.archive.text_index import ANALYSIS
from uhhrag.config.settings import Settings
from uhhrag.errors import IndexFault
from uhhrag.indexing import index_folder
from uhhrag.indexing.claim_index import ClaimIndex, limited
from uhhrag.indexing.document_index import DocumentIndex
from uhhrag.indexing.fused_search import MOST_ROWS, RANKINGS, Views, fused_search, views_of
from uhhrag.indexing.index_folder import IndexSettings
from uhhrag.indexing.vectors import EmbedderId
from uhhrag.models import local
from uhhrag.models.local import ModelState
from uhhrag.pipeline import Method
from uhhrag.protocols import Embedder, EvidenceSource, Search
from uhhrag.records import Claim, Hit, Passage
from uhhrag.rules.learned import DOCUMENTS
from uhhrag.store.passages import is_filled, may_decide
from uhhrag.system.checksums import sha256
from uhhrag.wiring import embedders, rerankers
from uhhrag.wiring.machine import Machine
from uhhrag.wiring.pipeline import VECTORS, ClaimTarget, Wired, assemble, corpora_of


def wire_documents(
    settings: Settings,
    machine: Machine,
    documents: DocumentIndex,
    claims: Sequence[Claim],
    pool: int,
    work: Path | None,
) -> tuple[Wired, list[str]]:
    """The method, and the texts to embed; `work` keeps vectors and replies."""
    embed, embedder = embedders.store_embedder(machine, work / VECTORS if work else None)
    cheap = embedders.beside(machine) or embed
    recipe = IndexSettings(embedder, pool, prefilter=RANKINGS)
    hits = _deciding(settings, documents)
    corpus_for = _over_documents(settings, documents, hits, embed, cheap)
    target = _target(corpus_for, recipe, hashes_of(documents.sha256, claims), embed, work)
    texts = (documents.embedded(hit.passage) for hit in hits)
    return assemble(settings, machine, target), list(dict.fromkeys(texts))


def wire_sentence_search(documents: DocumentIndex, machine: Machine, work: Path | None) -> Search:
    embed, _ = embedders.store_embedder(machine, work / VECTORS if work else None)
    return _in_memory(documents, embed, embedders.beside(machine) or embed)


def wire_quick_search(documents: DocumentIndex, machine: Machine) -> Search | None:
    """Thread-safe, without a model; None without static vectors."""
    static = embedders.beside(machine)
    return _in_memory(documents, static, static) if static else None


def _in_memory(documents: DocumentIndex, embed: Embedder, cheap: Embedder) -> Search:
    texts = list(map(documents.embedded, documents.passages))
    views = views_of(documents.passages, texts, documents.document, embed, cheap)
    return fused_search(documents.passages, views, embed, cheap)


def over_other_documents(
    method: Method, settings: Settings, documents: DocumentIndex, machine: Machine
) -> Callable[[Claim], EvidenceSource]:
    """With the method's loaded models."""
    embed, hits = method.tools.embed, _deciding(settings, documents)
    cheap = embedders.beside(machine) or embed
    return _over_documents(settings, documents, hits, embed, cheap)


def _over_documents(
    settings: Settings,
    documents: DocumentIndex,
    hits: tuple[Hit, ...],
    embed: Embedder,
    cheap: Embedder,
) -> Callable[[Claim], EvidenceSource]:
    @lru_cache(maxsize=1)  # tens of megabytes
    def views_for(passages: tuple[Passage, ...]) -> Views:
        texts = list(map(documents.embedded, passages))
        return views_of(passages, texts, documents.document, embed, cheap)

    def search(index: ClaimIndex) -> Search:
        passages = tuple(hit.passage for hit in index.hits)
        return fused_search(passages, views_for(passages), embed, cheap, MOST_ROWS)

    def load(claim: Claim) -> ClaimIndex:
        index = ClaimIndex(claim, hits, documents.document, documents.sources)
        return limited(index, settings.limits)

    return corpora_of(load, search)


def _deciding(settings: Settings, documents: DocumentIndex) -> tuple[Hit, ...]:
    """Passages that may be evidence, in order, with score 0."""

    def decides(passage: Passage) -> bool:
        places = ((documents.documents[one.document], one.line) for one in passage.places)
        return not passage.places or any(may_decide(*place) for place in places)

    everything = not settings.parts.voter.leads
    return tuple(Hit(one, 0.0) for one in documents.passages if everything or decides(one))


@dataclass(frozen=True, slots=True)
class WiredSearch:
    ranking: Ranking
    embedder: EmbedderId
    recipe: str
    """How it searches, for the signature."""


def wire_archive(
    snapshot: Snapshot,
    claims: Sequence[Claim],
    settings: Settings,
    machine: Machine,
    rerank: int,
    work: Path | None,
) -> Wired:
    search = wire_search(snapshot, machine, rerank, work)
    limits = ArchiveLimits(snapshot, settings.limits)
    keeps = may_decide if settings.parts.voter.leads else is_filled

    def corpus_for(claim: Claim) -> EvidenceSource:
        leaving_out = limits.for_claim(claim)
        return ArchiveSearch(snapshot, search.ranking, leaving_out, keeps).corpus()

    recipe = IndexSettings(search.embedder, 0, prefilter=search.recipe)
    passages = hashes_of(snapshot.made_of, claims)
    target = _target(corpus_for, recipe, passages, search.ranking.embed, work)
    return assemble(settings, machine, target)


def hashes_of(documents: str, claims: Sequence[Claim]) -> dict[str, str]:
    """What each claim id is checked against; `documents` is a hash."""
    return {str(claim.id): sha256(repr((documents, claim))) for claim in claims}


def _target(
    corpus_for: Callable[[Claim], EvidenceSource],
    recipe: IndexSettings,
    passages: Mapping[str, str],
    embed: Embedder,
    work: Path | None,
) -> ClaimTarget:
    replies = work / index_folder.REPLIES if work else None
    return ClaimTarget(corpus_for, recipe, passages, embed, replies, DOCUMENTS)


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
    if reranker and embedders.trained_table(identity):
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


def reranked_here(rerank: int | None, warn: Callable[[str], None]) -> int:
    """The default is 0 without the model."""
    if rerank is not None:
        return rerank
    if local.state(models.MODELS[defaults.RERANKER]) is ModelState.PRESENT:
        return defaults.RERANK
    warn(
        "the passages of the archive are not read by a cross-encoder, which finds better ones; "
        f"run: uhhrag models pull {defaults.RERANKER}"
    )
    return 0
