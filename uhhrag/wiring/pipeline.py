from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from uhhrag import defaults
from uhhrag.backends import sqlite_cache
from uhhrag.backends.lazy import Lazy
from uhhrag.backends.sqlite_cache import SqliteCache
from uhhrag.config.choices import Questions
from uhhrag.config.settings import Settings
from uhhrag.indexing import claim_index, index_folder, vectors
from uhhrag.indexing.claim_index import ClaimIndex, search_in
from uhhrag.indexing.index_folder import Index, IndexSettings
from uhhrag.models import MODELS, Model, local
from uhhrag.pipeline import Decider, Method
from uhhrag.protocols import LLM, Embedder, EvidenceSource, Search, VotingModels
from uhhrag.records import Claim, Hit
from uhhrag.rules.learned import NEWS
from uhhrag.wiring import embedders, llms, rerankers, verifiers
from uhhrag.wiring.machine import Machine
from uhhrag.wiring.run_header import RunParts, header_of
from uhhrag.wiring.voters import open_voter

VECTORS = "vectors.sqlite"


@dataclass(frozen=True, slots=True)
class Wired:
    deciders: tuple[Decider, ...]
    """One per server."""
    header: dict[str, Any]
    index: Index | None = None
    """If each claim has its own."""
    prefiltered: Callable[[Claim], Sequence[Hit]] = lambda claim: ()
    """What BM25 kept, best first."""
    uncalibrated: bool = False
    """Probabilities without a fitted calibration."""

    @property
    def method(self) -> Method:
        return self.deciders[0].method

    @property
    def corpus_for(self) -> Callable[[Claim], EvidenceSource]:
        return self.deciders[0].corpus_for

    def load(self) -> None:
        """Raises ModelError if a model cannot run here."""
        for model in (self.method.tools.embed, self.method.models.llm):
            if isinstance(model, Lazy):
                _ = model.ready


@dataclass(frozen=True, slots=True)
class ClaimTarget:
    """What claims are checked against, within limits."""

    corpus_for: Callable[[Claim], EvidenceSource]
    recipe: IndexSettings
    passages: Mapping[str, str]
    embed: Embedder
    memory: Path | None
    field: str
    """NEWS or DOCUMENTS."""


def wire(
    settings: Settings,
    machine: Machine,
    built: Index,
    load: Callable[[Claim], ClaimIndex] | None = None,
) -> Wired:
    """Models load on first use; `load` gives a claim's index."""
    known = built.header.recipe.embedder
    embed, embedder = embedders.embedder_of(known, machine)
    vectors.same_embedder(known, embedder, str(built.folder))
    passages = {str(e.claim.id): e.sha256[index_folder.PASSAGES] for e in built.manifests}
    given = load or (lambda claim: index_folder.load_claim(built, claim.id))

    def limited(claim: Claim) -> ClaimIndex:
        return claim_index.limited(given(claim), settings.limits)

    target = ClaimTarget(
        corpus_for=corpora_of(limited, lambda index: search_in(index, embed)),
        recipe=built.header.recipe,
        passages=passages,
        embed=embed,
        memory=built.folder / index_folder.REPLIES if machine.cache else None,
        field=NEWS,
    )
    wired = assemble(settings, machine, target)
    return replace(wired, index=built, prefiltered=lambda claim: limited(claim).hits)


def corpora_of(
    load: Callable[[Claim], ClaimIndex], search: Callable[[ClaimIndex], Search]
) -> Callable[[Claim], EvidenceSource]:
    def corpus_for(claim: Claim) -> EvidenceSource:
        index = load(claim)
        return EvidenceSource(search(index), index.document, index.removed, index.kept)

    return corpus_for


def needed_models(settings: Settings, machine: Machine) -> tuple[Model, ...]:
    """For a user's documents, except given models and folders."""
    names = [*_beside_llm(settings, machine)]
    if settings.needs_llm and not machine.own_llm:
        names.append(settings.llm)
    return tuple(MODELS[name] for name in dict.fromkeys(names) if name in MODELS)


def require_here(settings: Settings, machine: Machine) -> None:
    """Raises ModelError for a missing model, folder or GPU, before documents are read."""
    for name in _beside_llm(settings, machine):
        local.path(name)
    rerankers.require_device(machine.device)


def _beside_llm(settings: Settings, machine: Machine) -> Iterator[str]:
    yield "nltk-data"
    if not machine.own_embedder:
        yield machine.embedder or defaults.EMBEDDER
    if settings.parts.voter.verifier:
        name = settings.verifier or verifiers.SHIPPED
        if not llms.is_address(str(name)):
            yield verifiers.base_name(name) or str(name)
    if settings.parts.approach.reranker:
        yield settings.reranker
    yield from map(str, filter(None, (settings.nli, *settings.folders.values())))


def forget(home: Path) -> None:
    """Delete the vectors and replies that checks have kept."""
    kept = {VECTORS: sqlite_cache.VECTORS, index_folder.REPLIES: sqlite_cache.REPLIES}
    for name, table in kept.items():
        if (home / name).exists():
            SqliteCache(home / name, table).forget()


def assemble(settings: Settings, machine: Machine, target: ClaimTarget) -> Wired:
    models, llm = llms.open_llms(settings, machine, target.memory)
    rule, voter = settings.parts.rule, settings.parts.voter
    verifier = None
    if voter.verifier:
        name = settings.verifier or verifiers.shipped_for(target.field)
        together = settings.granularity.together
        verifier = verifiers.load_verifier(name, machine, passages=together)
    readers = rerankers.readers_of(settings, machine, target.embed)
    opened = open_voter(settings, target.field, llm, verifier)

    def decider(llm: LLM | None) -> Decider:
        asker = None if settings.questions is Questions.TEMPLATE else llm
        method = Method(
            approach=settings.parts.approach.run,
            top=settings.top,
            options=settings.options,
            tools=replace(readers.tools, llm=asker),
            voter=opened.voter,
            models=VotingModels(llm, verifier.entailment if verifier else None),
            join=(opened.learned or rule).join,
            own=rule.own,
            granularity=settings.granularity,
            nearest=settings.nearest,
            abstain_below=settings.abstain_below,
            limits=settings.limits,
        )
        return Decider(target.corpus_for, method)

    parts = RunParts(
        recipe=target.recipe,
        passages=target.passages,
        llm=llm,
        verifier=verifier,
        readers=readers,
        opened=opened,
    )
    asks = voter.llm or voter.verifier
    fitted = opened.learned or opened.calibration.source != "none"
    return Wired(
        tuple(map(decider, models or (None,))),
        header_of(settings, machine, parts),
        uncalibrated=asks and rule.constrained(settings.decoding) and not fitted,
    )
