"""A whole method over an index, or over what else claims are checked against."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from uhhrag.backends.lazy import Lazy
from uhhrag.config.choices import Questions
from uhhrag.config.settings import Settings
from uhhrag.indexing import claim_index, index_folder, vectors
from uhhrag.indexing.claim_index import ClaimIndex, search_in
from uhhrag.indexing.index_folder import Index, IndexSettings
from uhhrag.pipeline import Method
from uhhrag.prompts import few_shot
from uhhrag.prompts.templates import Prompts, load_prompts
from uhhrag.protocols import LLM, Embedder, EvidenceSource, Search, VotingModels
from uhhrag.records import Claim, Hit
from uhhrag.rules.learned import NEWS, joining
from uhhrag.store.filters import Limits
from uhhrag.wiring import embedders, llms, rerankers, verifiers
from uhhrag.wiring.loaded import NOTHING_GIVEN, Given
from uhhrag.wiring.machine import Machine
from uhhrag.wiring.run_header import RunParts, header_of
from uhhrag.wiring.verifiers import LoadedVerifier, shipped_for
from uhhrag.wiring.voters import is_uncalibrated, open_voter

VECTORS = "vectors.sqlite"
"""In a work folder."""


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
    """Open the index and find its models, which load on first use. Raises UhhragError for what is
    missing or does not fit."""
    built = index_folder.open_index(folder)
    memory = folder / index_folder.REPLIES if machine.cache else None

    def load(claim: Claim) -> ClaimIndex:
        return index_folder.load_claim(built, claim.id)

    return wire_index(settings, machine, built, load, memory, given)


def wire_index(
    settings: Settings,
    machine: Machine,
    built: Index,
    load: Callable[[Claim], ClaimIndex],
    memory: Path | None,
    given: Given,
) -> Wired:
    """`wire` for an open index; `load` gives a claim's part, `memory` keeps replies."""
    if given.embedder:
        embed, embedder = embedders.use_embedder(given.embedder)
    else:
        embed, embedder = embedders.embedder_of(built, machine)
    vectors.same_embedder(built.header.recipe.embedder, embedder, str(built.folder))
    passages = {str(e.claim.id): e.sha256[index_folder.PASSAGES] for e in built.manifests}
    limited = Limited(load, settings.limits, lambda index: search_in(index, embed))
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
    return replace(assemble(settings, machine, target, given), index=built)


def hashes_of(documents: str, claims: Sequence[Claim]) -> dict[str, str]:
    """What each claim is checked against, by the documents' hash."""
    texts = {str(claim.id): repr((documents, claim)) for claim in claims}
    return {
        name: hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        for name, text in texts.items()
    }


def assemble(settings: Settings, machine: Machine, target: ClaimTarget, given: Given) -> Wired:
    prompts, memory = _prompts(settings), target.memory
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
    parts = RunParts(
        recipe=target.recipe,
        passages=target.passages,
        prompts=prompts,
        llm=model,
        verifier=verifier,
        readers=readers,
        opened=opened,
    )
    return Wired(
        target.claims,
        target.corpus_for,
        target.prefiltered,
        method,
        header_of(settings, machine, parts),
        tuple(_with_llm(method, other) for other in more),
        uncalibrated=is_uncalibrated(settings, opened),
    )


@dataclass(frozen=True, slots=True)
class Limited:
    """Claims' indexes without what the limits exclude."""

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


def _prompts(settings: Settings) -> Prompts:
    prompts = load_prompts(settings.prompts)
    if settings.examples:
        return prompts.with_examples(few_shot.draw(settings.examples, settings.seed))
    return prompts


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
