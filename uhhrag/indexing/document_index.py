from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from uhhrag.records import Page, Passage, Source, source_of
from uhhrag.store.passages import distinct_sentences, lead_at
from uhhrag.text.pronouns import joined


@dataclass(frozen=True, slots=True)
class DocumentIndex:
    passages: tuple[Passage, ...]
    """Lines; those with the same title, section and words are one."""
    documents: Mapping[int, Page]
    """By number."""
    sha256: str
    """Of the archive's state."""

    @property
    def sources(self) -> tuple[Source, ...]:
        return tuple(map(source_of, self.documents.values()))

    def document(self, number: int, /) -> Page | None:
        return self.documents.get(number)

    def embedded(self, passage: Passage) -> str:
        if not passage.places:
            return passage.text
        place = passage.places[0]
        return joined(lead_at(self.documents[place.document], place.line), passage.text)


def index_documents(documents: Mapping[int, Page], sha256: str) -> DocumentIndex:
    return DocumentIndex(distinct_sentences(documents), documents, sha256)
