"""One store for all claims, in memory: what a user's own documents are checked against.

An index folder holds what one claim needs of a store of its own. Here the store is the same for
every claim, so nothing is written a claim: the pages are read once, and a claim's index is its pool
of passages with their vectors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from uhhrag.errors import InputError
from uhhrag.indexing import vectors
from uhhrag.indexing.bm25 import bm25
from uhhrag.indexing.claim_index import ClaimIndex
from uhhrag.protocols import Embedder
from uhhrag.records import Claim, Hit, Page, Passage, Source, source_of
from uhhrag.store import knowledge_store
from uhhrag.store.leads import leads_of
from uhhrag.store.passages import passages_of, unique
from uhhrag.system.checksums import sha256_of_file
from uhhrag.text.claim_words import plain_claim
from uhhrag.text.pronouns import joined


@dataclass(frozen=True, slots=True)
class DocumentIndex:
    """A store: its pages by their URLs, and its distinct passages. `sha256` is that of the file;
    `skipped` counts the records that could not be read. `leads` has what stands before a
    passage, by its text (`store.leads`)."""

    passages: tuple[Passage, ...]
    pages: Mapping[str, tuple[Page, ...]]
    sha256: str
    skipped: int = 0
    leads: Mapping[str, str] = field(default_factory=dict)

    @property
    def sources(self) -> tuple[Source, ...]:
        """What each page says of itself."""
        return tuple(source_of(page) for pages in self.pages.values() for page in pages)

    def embedded(self, passage: Passage) -> str:
        """The text of which a passage has its vector: it stands after its lead."""
        return joined(self.leads.get(passage.text, ""), passage.text)


def open_document_index(store: Path) -> DocumentIndex:
    """The whole store. Raises InputError where it cannot be read or has no page."""
    try:
        sha256 = sha256_of_file(store)
    except OSError as error:
        raise InputError(f"{store}: cannot be read: {error.strerror}") from error
    read = list(knowledge_store.pages(store, 0))
    pages = [page for page in read if isinstance(page, Page)]
    passages = unique(passage for page in pages for passage in passages_of(page))
    by_url: dict[str, list[Page]] = {}
    leads: dict[str, str] = {}
    for page in pages:
        by_url.setdefault(page.url, []).append(page)
    for page in reversed(pages):  # of several pages with a line the first counts
        leads |= leads_of(page, range(len(page.lines)))
    return DocumentIndex(
        passages,
        {url: tuple(pages_of_url) for url, pages_of_url in by_url.items()},
        sha256,
        len(read) - len(pages),
        {line: text for line, text in leads.items() if text},
    )


def pool_of(documents: DocumentIndex, claim: Claim, size: int) -> tuple[Hit, ...]:
    """The passages a claim is checked against: all, in their order, where they are at most `size`
    (with a score of 0), else the best by BM25."""
    if len(documents.passages) <= size:
        return tuple(Hit(passage, 0.0) for passage in documents.passages)
    return tuple(bm25(plain_claim(claim.text), documents.passages, size))


def index_of(
    documents: DocumentIndex, claim: Claim, pool: tuple[Hit, ...], embed: Embedder
) -> ClaimIndex:
    """The claim's index over its pool."""
    texts = [documents.embedded(hit.passage) for hit in pool]
    rows = embed(texts) if texts else np.empty((0, embed([claim.text]).shape[1]), np.float32)

    def pages(url: str, /) -> tuple[Page, ...]:
        return documents.pages.get(url, ())

    flat = vectors.build(rows)
    return ClaimIndex(claim, pool, tuple(range(len(pool))), flat, pages, documents.sources)
