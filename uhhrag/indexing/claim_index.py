from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from uhhrag.indexing import vectors
from uhhrag.protocols import Embedder, NumberedDocuments, Search
from uhhrag.records import Claim, Hit, Source
from uhhrag.store.filters import Limits, allowed, kept_by, last_day, removes, undated_among


@dataclass(frozen=True, slots=True)
class ClaimIndex:
    claim: Claim
    hits: tuple[Hit, ...]
    """With BM25 scores, best first."""
    document: NumberedDocuments
    sources: tuple[Source, ...]
    rows: tuple[int, ...] = ()
    """Of the hits in `vectors`."""
    vectors: vectors.FlatIndex = None
    """None if claims share documents (`fused_search`)."""
    removed: Mapping[str, int] = field(default_factory=dict)
    """Passages removed, by reason."""
    kept: Mapping[str, int] = field(default_factory=dict)
    """As in `EvidenceSource`."""


def search_in(claim_index: ClaimIndex, embed: Embedder) -> Search:
    rows = zip(claim_index.rows, claim_index.hits, strict=True)
    passages = {row: hit.passage for row, hit in rows}

    @cache
    def vector(query: str) -> NDArray[np.float32]:
        row: NDArray[np.float32] = embed([query])[0]
        return row

    def search(query: str, top: int, /) -> list[Hit]:
        return vectors.search(claim_index.vectors, passages, vector(query), top)

    return search


def limited(claim_index: ClaimIndex, limits: Limits) -> ClaimIndex:
    if not limits:
        return claim_index
    reason = removes(limits, claim_index.claim)
    document = claim_index.document if claim_index.vectors is None else None
    left, removed, gone = allowed(claim_index.hits, claim_index.sources, reason, document)
    hits, rows = tuple(left.values()), tuple(left)
    dates = limits.undated and last_day(limits, claim_index.claim) is not None
    kept = kept_by(undated_among(hits if dates else (), claim_index.sources, limits, document))
    sources = tuple(source for source in claim_index.sources if source.url not in gone)
    return replace(claim_index, hits=hits, rows=rows, sources=sources, removed=removed, kept=kept)
