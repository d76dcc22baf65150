"""One claim's index in memory: what an approach searches, and what limits take away from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from uhhrag.indexing import vectors
from uhhrag.protocols import Corpus, Embedder, NumberedDocuments, Search
from uhhrag.records import Claim, Hit, Source
from uhhrag.store.filters import Limits, allowed, removes


@dataclass(frozen=True, slots=True)
class ClaimIndex:
    """One claim's index in memory. `hits` are its passages with their BM25 scores, best first;
    `rows` are their rows in `vectors`. `sources` are what the pages say of themselves; `removed`
    counts the passages that limits took away."""

    claim: Claim
    hits: tuple[Hit, ...]
    rows: tuple[int, ...]
    vectors: vectors.FlatIndex
    document: NumberedDocuments
    sources: tuple[Source, ...]
    removed: Mapping[str, int] = field(default_factory=dict)


def corpus_of(claim_index: ClaimIndex, embed: Embedder) -> Corpus:
    """The claim's search and pages, as an approach gets them."""
    return Corpus(search_in(claim_index, embed), claim_index.document, claim_index.removed)


def search_in(claim_index: ClaimIndex, embed: Embedder) -> Search:
    """The search of one claim. A query that is repeated is embedded once."""
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
    """The claim's index without the pages and passages that the limits take away."""
    if not limits:
        return claim_index
    reason = removes(limits, claim_index.claim)
    left, removed, gone = allowed(claim_index.hits, claim_index.sources, reason)
    return replace(
        claim_index,
        hits=tuple(left.values()),
        rows=tuple(left),
        sources=tuple(s for s in claim_index.sources if s.url not in gone),
        removed=removed,
    )
