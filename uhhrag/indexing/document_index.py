"""One store for all claims, in memory: what a user's own documents are checked against.

An index folder holds what one claim needs of a store of its own. Here the store is the same for
every claim, so nothing is written a claim: the pages are read once, and a claim's index is its pool
of passages with their vectors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from uhhrag.errors import InputError
from uhhrag.indexing import vectors
from uhhrag.indexing.bm25 import bm25
from uhhrag.indexing.claim_index import ClaimIndex
from uhhrag.protocols import Embedder
from uhhrag.records import Claim, Hit, Page, Passage, Source, source_of
from uhhrag.store import knowledge_store
from uhhrag.store.leads import lead_at
from uhhrag.store.passages import distinct_sentences
from uhhrag.system.checksums import sha256_of_file
from uhhrag.text.claim_words import plain_claim
from uhhrag.text.pronouns import joined


@dataclass(frozen=True, slots=True)
class DocumentIndex:
    """Documents in memory."""

    passages: tuple[Passage, ...]
    """its lines, those one that are read in the same way: same title, section, words"""
    documents: Mapping[int, Page]
    """by their numbers"""
    sha256: str
    """the hash of the file that they were read from"""
    skipped: int = 0
    """how many of its records could not be read"""

    @property
    def sources(self) -> tuple[Source, ...]:
        """What each document says of itself."""
        return tuple(map(source_of, self.documents.values()))

    @property
    def pages(self) -> Mapping[str, tuple[Page, ...]]:
        """The documents by their addresses."""
        by_url: dict[str, list[Page]] = {}
        for page in self.documents.values():
            by_url.setdefault(page.url, []).append(page)
        return {url: tuple(pages) for url, pages in by_url.items()}

    def document(self, number: int, /) -> Page | None:
        """The document of a number."""
        return self.documents.get(number)

    def embedded(self, passage: Passage) -> str:
        """The text of which a passage has its vector: it stands after its lead."""
        if not passage.places:
            return passage.text
        place = passage.places[0]
        return joined(lead_at(self.documents[place.document], place.line), passage.text)


def open_document_index(store: Path) -> DocumentIndex:
    """The whole store. Raises InputError where it cannot be read or has no page."""
    try:
        sha256 = sha256_of_file(store)
    except OSError as error:
        raise InputError(f"{store}: cannot be read: {error.strerror}") from error
    read = list(knowledge_store.pages(store, 0))
    pages = dict(enumerate(page for page in read if isinstance(page, Page)))
    return index_documents(pages, sha256, len(read) - len(pages))


def index_documents(documents: Mapping[int, Page], sha256: str, skipped: int = 0) -> DocumentIndex:
    """Documents, given by their numbers, in memory."""
    return DocumentIndex(distinct_sentences(documents), documents, sha256, skipped)


def pool_of(documents: DocumentIndex, claim: Claim | None, size: int) -> tuple[Hit, ...]:
    """The passages a claim is checked against: all, in their order, where they are at most `size`
    (with a score of 0) or there is no claim, else the best by BM25."""
    if claim is None or len(documents.passages) <= size:
        return tuple(Hit(passage, 0.0) for passage in documents.passages)
    return tuple(bm25(plain_claim(claim.text), documents.passages, size))


def index_of(
    documents: DocumentIndex, claim: Claim, pool: tuple[Hit, ...], embed: Embedder
) -> ClaimIndex:
    """The claim's index over its pool."""
    texts = [documents.embedded(hit.passage) for hit in pool]
    rows = embed(texts) if texts else np.empty((0, embed([claim.text]).shape[1]), np.float32)
    flat = vectors.build(rows)
    return ClaimIndex(
        claim, pool, tuple(range(len(pool))), flat, documents.document, documents.sources
    )
