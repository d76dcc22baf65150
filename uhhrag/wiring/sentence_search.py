from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from pathlib import Path

from uhhrag.config.settings import Settings
from uhhrag.indexing import document_index, index_folder
from uhhrag.indexing.claim_index import ClaimIndex, limited
from uhhrag.indexing.document_index import DocumentIndex
from uhhrag.indexing.fused_search import MOST_ROWS, RANKINGS, Views, fused_search, views_of
from uhhrag.indexing.index_folder import IndexSettings
from uhhrag.pipeline import Method
from uhhrag.protocols import Embedder, EvidenceSource, Search
from uhhrag.records import Claim, Hit, Passage
from uhhrag.rules.learned import DOCUMENTS
from uhhrag.store.passages import may_decide
from uhhrag.wiring import embedders
from uhhrag.wiring.machine import Machine
from uhhrag.wiring.pipeline import VECTORS, ClaimTarget, Wired, assemble, corpora_of, hashes_of


def wire_documents(
    settings: Settings,
    machine: Machine,
    documents: DocumentIndex,
    claims: Sequence[Claim],
    pool: int,
    work: Path | None,
) -> tuple[Wired, Callable[[Sequence[Claim]], list[str]]]:
    """The method, and what gives claims' texts to embed; `work` keeps vectors and replies."""
    embed, embedder = embedders.store_embedder(machine, work / VECTORS if work else None)
    cheap = embedders.beside(machine) or embed
    corpus_for, texts = _over_documents(settings, documents, pool, embed, cheap)
    target = ClaimTarget(
        corpus_for=corpus_for,
        recipe=IndexSettings(embedder, pool, prefilter=RANKINGS),
        passages=hashes_of(documents.sha256, claims),
        embed=embed,
        memory=work / index_folder.REPLIES if work else None,
        field=DOCUMENTS,
    )
    return assemble(settings, machine, target), texts


def wire_search(documents: DocumentIndex, machine: Machine, work: Path | None) -> Search:
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
    method: Method, settings: Settings, documents: DocumentIndex, pool: int, machine: Machine
) -> Callable[[Claim], EvidenceSource]:
    """The search of `documents`, with the method's loaded models."""
    embed = method.tools.embed
    cheap = embedders.beside(machine) or embed
    return _over_documents(settings, documents, pool, embed, cheap)[0]


def _over_documents(
    settings: Settings, documents: DocumentIndex, pool: int, embed: Embedder, cheap: Embedder
) -> tuple[Callable[[Claim], EvidenceSource], Callable[[Sequence[Claim]], list[str]]]:
    whole = len(documents.passages) <= pool  # every claim has the same sentences

    @cache  # asked of the same sentences for every claim
    def decides(passage: Passage) -> bool:
        places = ((documents.documents[one.document], one.line) for one in passage.places)
        return not passage.places or any(may_decide(*place) for place in places)

    @lru_cache(maxsize=1)  # of a pool: tens of megabytes
    def views_for(passages: tuple[Passage, ...]) -> Views:
        texts = list(map(documents.embedded, passages))
        return views_of(passages, texts, documents.document, embed, cheap)

    def search(index: ClaimIndex) -> Search:
        passages = tuple(hit.passage for hit in index.hits)
        return fused_search(passages, views_for(passages), embed, cheap, MOST_ROWS)

    @lru_cache(maxsize=1)
    def pool_of(claim: Claim | None) -> tuple[Hit, ...]:
        hits = document_index.pool_of(documents, claim, pool)
        if settings.parts.voter.leads:
            hits = tuple(hit for hit in hits if decides(hit.passage))
        return hits

    def pool_for(claim: Claim) -> tuple[Hit, ...]:
        return pool_of(None if whole else claim)

    def load(claim: Claim) -> ClaimIndex:
        index = ClaimIndex(claim, pool_for(claim), documents.document, documents.sources)
        return limited(index, settings.limits)

    def texts(wanted: Sequence[Claim]) -> list[str]:
        hits = (hit for claim in wanted for hit in pool_for(claim))
        return list(dict.fromkeys(documents.embedded(hit.passage) for hit in hits))

    return corpora_of(load, search), texts
