"""A whole method over an index, or over claims checked against one store."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from uhhrag.backends.lazy import Lazy
from uhhrag.config.choices import Questions
from uhhrag.config.settings import Settings
from uhhrag.indexing import claim_index, document_index, index_folder, vectors
from uhhrag.indexing.claim_index import ClaimIndex, search_in
from uhhrag.indexing.document_index import DocumentIndex
from uhhrag.indexing.fused_search import RANKINGS, Views, fused_search, views_of
from uhhrag.indexing.index_folder import Index, IndexSettings
from uhhrag.pipeline import Method
from uhhrag.prompts import few_shot
from uhhrag.prompts.templates import Prompts, load_prompts
from uhhrag.protocols import LLM, Embedder, EvidenceSource, Search, VotingModels
from uhhrag.records import Claim, Hit, Passage
from uhhrag.rules.learned import DOCUMENTS, NEWS, joining
from uhhrag.store.filters import Limits
from uhhrag.text.fragments import is_fragment
from uhhrag.wiring import embedders, llms, rerankers, verifiers
from uhhrag.wiring.loaded import Given
from uhhrag.wiring.machine import Machine
from uhhrag.wiring.run_header import RunModels, header_of
from uhhrag.wiring.verifiers import LoadedVerifier, shipped_for
from uhhrag.wiring.voters import is_uncalibrated, open_voter

VECTORS = "vectors.sqlite"
"""In a work folder."""


NOTHING_GIVEN = Given()


@dataclass(frozen=True, slots=True)
class Wired:
    """What `predict` needs, and the header of its run folder."""

    claims: Sequence[Claim]
    corpus_for: Callable[[Claim], EvidenceSource]
    prefiltered: Callable[[Claim], Sequence[Hit]]
    method: Method
    header: dict[str, Any]
    others: tuple[Method, ...] = ()
    """The method on further servers."""
    index: Index | None = None
    """If each claim has its own."""
    uncalibrated: bool = False
    """Votes have probabilities without a fitted calibration."""

    def load(self) -> None:
        """Raises ModelError if a model cannot run here."""
        for model in (self.method.tools.embed, self.method.models.llm):
            if isinstance(model, Lazy):
                _ = model.ready


@dataclass(frozen=True, slots=True)
class ClaimTarget:
    """What claims are checked against, limits applied."""

    claims: Sequence[Claim]
    corpus_for: Callable[[Claim], EvidenceSource]
    prefiltered: Callable[[Claim], Sequence[Hit]]
    recipe: IndexSettings
    passages: Mapping[str, str]
    """A hash of each claim's passages."""
    embed: Embedder
    memory: Path | None
    field: str
    """Names the fitting learned verdict."""


def wire(settings: Settings, machine: Machine, folder: Path, given: Given = NOTHING_GIVEN) -> Wired:
    """Open the index and find its models, which load on first use.

    Raises UhhragError for what is missing or does not fit."""
    prompts = prompts_of(settings)
    built = index_folder.open_index(folder)
    memory = folder / index_folder.REPLIES if machine.cache else None
    return wire_index(
        settings,
        machine,
        prompts,
        built,
        lambda claim: index_folder.load_claim(built, claim.id),
        memory,
        given,
    )


def wire_index(
    settings: Settings,
    machine: Machine,
    prompts: Prompts,
    built: Index,
    load: Callable[[Claim], ClaimIndex],
    memory: Path | None,
    given: Given,
) -> Wired:
    """`wire` for an open index; `load` gives a claim's part, `memory` keeps replies."""
    embed, embedder = (
        embedders.use_embedder(given.embedder)
        if given.embedder
        else embedders.embedder_of(built, machine)
    )
    vectors.same_embedder(built.header.recipe.embedder, embedder, str(built.folder))
    passages = {str(e.claim.id): e.sha256[index_folder.PASSAGES] for e in built.manifests}
    limited = _Limited(load, settings.limits, lambda index: search_in(index, embed))
    target = ClaimTarget(
        claims=built.claims,
        corpus_for=limited.corpus_for,
        prefiltered=limited.prefiltered,
        recipe=built.header.recipe,
        passages=passages,
        embed=embed,
        memory=memory,
        field=NEWS,
    )
    return replace(assemble(settings, machine, prompts, target, given), index=built)


def wire_documents(
    settings: Settings,
    machine: Machine,
    documents: DocumentIndex,
    claims: Sequence[Claim],
    pool: int,
    work: Path | None,
    given: Given = NOTHING_GIVEN,
) -> tuple[Wired, Callable[[Sequence[Claim]], list[str]]]:
    """Claims against one store, and their texts to embed; `work` keeps vectors and replies."""
    prompts = prompts_of(settings)
    embed, embedder = embedders.store_embedder(machine, given, work / VECTORS if work else None)
    cheap = embedders.beside(machine, given) or embed
    limited, texts = _over_documents(settings, documents, pool, embed, cheap)
    target = ClaimTarget(
        claims=claims,
        corpus_for=limited.corpus_for,
        prefiltered=limited.prefiltered,
        recipe=IndexSettings(embedder, pool, prefilter=RANKINGS),
        passages={str(claim.id): hash_of(documents.sha256, claim) for claim in claims},
        embed=embed,
        memory=work / index_folder.REPLIES if work else None,
        field=DOCUMENTS,
    )
    return assemble(settings, machine, prompts, target, given), texts


def wire_search(
    documents: DocumentIndex, machine: Machine, given: Given, work: Path | None
) -> Search:
    """The search of documents in memory; `work` keeps vectors."""
    embed, _ = embedders.store_embedder(machine, given, work / VECTORS if work else None)
    return _in_memory(documents, embed, embedders.beside(machine, given) or embed)


def wire_quick_search(documents: DocumentIndex, machine: Machine) -> Search | None:
    """A thread-safe search without a model; None without static vectors."""
    static = embedders.beside(machine, Given())
    return _in_memory(documents, static, static) if static else None


def _in_memory(documents: DocumentIndex, embed: Embedder, cheap: Embedder) -> Search:
    texts = list(map(documents.embedded, documents.passages))
    views = views_of(documents.passages, texts, documents.document, embed, cheap)
    return fused_search(documents.passages, views, embed, cheap)


def over_other_documents(
    method: Method,
    settings: Settings,
    documents: DocumentIndex,
    pool: int,
    machine: Machine,
    given: Given,
) -> Callable[[Claim], EvidenceSource]:
    """The search of other documents with a method's loaded models."""
    embed = method.tools.embed
    cheap = embedders.beside(machine, given) or embed
    return _over_documents(settings, documents, pool, embed, cheap)[0].corpus_for


def _over_documents(
    settings: Settings,
    documents: DocumentIndex,
    pool: int,
    embed: Embedder,
    cheap: Embedder,
) -> tuple[_Limited, Callable[[Sequence[Claim]], list[str]]]:
    takes_no_side = cache(is_fragment)  # asked of the same sentences for every claim

    whole = len(documents.passages) <= pool  # every claim has the same sentences

    @lru_cache(maxsize=1)  # of a pool: tens of megabytes
    def views_for(passages: tuple[Passage, ...]) -> Views:
        texts = list(map(documents.embedded, passages))
        return views_of(passages, texts, documents.document, embed, cheap)

    def search(index: ClaimIndex) -> Search:
        passages = tuple(hit.passage for hit in index.hits)
        return fused_search(passages, views_for(passages), embed, cheap)

    @lru_cache(maxsize=1)
    def pool_of(claim: Claim | None) -> tuple[Hit, ...]:
        hits = document_index.pool_of(documents, claim, pool)
        if settings.parts.voter.leads:  # a heading near the claim takes no side
            hits = tuple(hit for hit in hits if not takes_no_side(hit.passage.text))
        return hits

    def pool_for(claim: Claim) -> tuple[Hit, ...]:
        return pool_of(None if whole else claim)

    def load(claim: Claim) -> ClaimIndex:
        return document_index.index_of(documents, claim, pool_for(claim))

    def texts(wanted: Sequence[Claim]) -> list[str]:
        pools = (pool_for(claim) for claim in wanted)
        hits = (hit for pool in pools for hit in pool)
        return list(dict.fromkeys(documents.embedded(hit.passage) for hit in hits))

    return _Limited(load, settings.limits, search), texts


def hash_of(store: str, claim: Claim) -> str:
    return hashlib.sha256(repr((store, claim)).encode("utf-8", "surrogatepass")).hexdigest()


def prompts_of(settings: Settings) -> Prompts:
    prompts = load_prompts(settings.prompts)
    if settings.examples:
        return prompts.with_examples(few_shot.draw(settings.examples, settings.seed))
    return prompts


def assemble(
    settings: Settings, machine: Machine, prompts: Prompts, target: ClaimTarget, given: Given
) -> Wired:
    memory = target.memory
    llm, model = _llm(settings, machine, memory, given)
    more = [llms.same_llm(name, settings.llm, model, machine, memory) for name in machine.servers]
    verifier = _verifier(settings, machine, target.field)
    readers = rerankers.readers_of(settings, machine)
    opened = open_voter(settings, prompts, target.field, model, verifier)
    asker = None if settings.questions is Questions.TEMPLATE else llm
    mixed = settings.questions is Questions.MIXED
    tools = readers.tools(target.embed, asker, prompts, mixed=mixed)
    method = Method(
        approach=settings.parts.approach.run,
        top=settings.top,
        options=settings.options,
        tools=tools,
        voter=opened.voter,
        models=VotingModels(llm, verifier.entailment if verifier else None),
        join=joining(settings.parts.rule, opened.learned),
        own=settings.parts.rule.own,
        granularity=settings.granularity,
        nearest=settings.nearest,
        abstain_below=settings.abstain_below,
    )
    used = RunModels(llm=model, verifier=verifier, readers=readers, opened=opened)
    header = header_of(settings, machine, prompts, target.recipe, used)
    header["passages"] = dict(target.passages)
    others = tuple(_with_llm(method, other) for other in more)
    return Wired(
        target.claims,
        target.corpus_for,
        target.prefiltered,
        method,
        header,
        others,
        uncalibrated=is_uncalibrated(settings, opened),
    )


@dataclass(frozen=True, slots=True)
class _Limited:
    load: Callable[[Claim], ClaimIndex]
    limits: Limits
    search: Callable[[ClaimIndex], Search]

    def corpus_for(self, claim: Claim) -> EvidenceSource:
        index = self._load(claim)
        return EvidenceSource(self.search(index), index.document, index.removed)

    def prefiltered(self, claim: Claim) -> Sequence[Hit]:
        """What BM25 kept, best first."""
        return self._load(claim).hits

    def _load(self, claim: Claim) -> ClaimIndex:
        return claim_index.limited(self.load(claim), self.limits)


def _with_llm(method: Method, llm: LLM) -> Method:
    tools = replace(method.tools, llm=llm) if method.tools.llm else method.tools
    return replace(method, tools=tools, models=replace(method.models, llm=llm))


def _llm(
    settings: Settings, machine: Machine, memory: Path | None, given: Given
) -> tuple[LLM | None, str]:
    """None if no step asks a model."""
    if not settings.needs_llm:
        return None, ""
    if given.llm:
        return given.llm.model, given.llm.fingerprint
    return llms.load_llm(settings.llm, machine, memory, settings.lora)


def _verifier(settings: Settings, machine: Machine, field: str) -> LoadedVerifier | None:
    if not settings.parts.voter.verifier:
        return None
    folder = settings.verifier or shipped_for(field)
    together = settings.granularity.together
    return verifiers.load_verifier(folder, machine.device, passages=together)
