from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from uhhrag.errors import InputError
from uhhrag.indexing.bm25 import bm25
from uhhrag.records import Claim, Hit, Page, Passage, Source, source_of
from uhhrag.store import knowledge_store
from uhhrag.store.passages import distinct_sentences, lead_at
from uhhrag.system.checksums import sha256_of_file
from uhhrag.system.terminal import quantity
from uhhrag.text.claim_words import plain_claim
from uhhrag.text.pronouns import joined


@dataclass(frozen=True, slots=True)
class DocumentIndex:
    passages: tuple[Passage, ...]
    """Lines; those with the same title, section and words are one."""
    documents: Mapping[int, Page]
    """By number."""
    sha256: str
    """Of the store file."""
    partly: str = ""
    """What was not read, or ""."""

    @property
    def sources(self) -> tuple[Source, ...]:
        return tuple(map(source_of, self.documents.values()))

    @property
    def pages(self) -> Mapping[str, tuple[Page, ...]]:
        by_url: dict[str, list[Page]] = {}
        for page in self.documents.values():
            by_url.setdefault(page.url, []).append(page)
        return {url: tuple(pages) for url, pages in by_url.items()}

    def document(self, number: int, /) -> Page | None:
        return self.documents.get(number)

    def embedded(self, passage: Passage) -> str:
        if not passage.places:
            return passage.text
        place = passage.places[0]
        return joined(lead_at(self.documents[place.document], place.line), passage.text)


def open_document_index(store: Path) -> DocumentIndex:
    """Raises InputError if unreadable or empty."""
    try:
        sha256 = sha256_of_file(store)
    except OSError as error:
        raise InputError(f"{store}: cannot be read: {error.strerror}") from error
    read = list(knowledge_store.pages(store, 0))
    pages = dict(enumerate(page for page in read if isinstance(page, Page)))
    skipped = [one for one in read if not isinstance(one, Page)]
    partly = ""
    if skipped:
        first = f"the first at {skipped[0].place}: {skipped[0].why}"
        partly = f"{quantity(len(skipped), 'record')} left out; {first}"
    return index_documents(pages, sha256, partly)


def index_documents(documents: Mapping[int, Page], sha256: str, partly: str = "") -> DocumentIndex:
    return DocumentIndex(distinct_sentences(documents), documents, sha256, partly)


def pool_of(documents: DocumentIndex, claim: Claim | None, size: int) -> tuple[Hit, ...]:
    """All in order, with score 0; of more than `size`, the claim's best by BM25."""
    if claim is None or len(documents.passages) <= size:
        return tuple(Hit(passage, 0.0) for passage in documents.passages)
    return tuple(bm25(plain_claim(claim.text), documents.passages, size))
