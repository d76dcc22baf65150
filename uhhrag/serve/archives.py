"""A target's archive, for search and for opening documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from uhhrag.corpus.snapshot import Snapshot
from uhhrag.indexing.document_index import DocumentIndex
from uhhrag.protocols import Search
from uhhrag.records import Page

SMALL = 50_000
"""Most sentences of an archive searched by meaning: all are held in memory."""
QuickSearch = Callable[[DocumentIndex], Search | None]
"""Makes a search by words and meaning, or None if that is impossible."""


@dataclass(frozen=True, slots=True)
class Searchable:
    """A target's archive."""

    snapshot: Snapshot
    ranked: Callable[[], Search | None]
    """Search by words and meaning, or None. The first call reads all sentences."""

    def page(self, number: int) -> Page | None:
        """A document by number, or None. Raises IndexFault for damaged bytes."""
        there = 0 <= number < len(self.snapshot.live) and self.snapshot.live[number]
        return self.snapshot.page(number) if there else None


def searchable(
    snapshot: Snapshot, index: Callable[[], DocumentIndex], search: QuickSearch
) -> Searchable:
    """An archive with its search; `index` loads its documents."""

    @cache
    def ranked() -> Search | None:
        small = snapshot.manifest.counts.lines <= SMALL
        return search(index()) if small else None

    return Searchable(snapshot, ranked)
