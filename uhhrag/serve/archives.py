"""A target's archive, for search pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from uhhrag.archive.snapshot import Snapshot
from uhhrag.indexing.document_index import DocumentIndex
from uhhrag.protocols import Search
from uhhrag.records import Page

SMALL = 50_000
"""Most sentences searched by meaning, in memory."""
QuickSearch = Callable[[DocumentIndex], Search | None]


@dataclass(frozen=True, slots=True)
class Searchable:
    snapshot: Snapshot
    ranked: Callable[[], Search | None]
    """By words and meaning; the first call reads all sentences."""

    def page(self, number: int) -> Page | None:
        """None if absent. Raises IndexFault if damaged."""
        there = 0 <= number < len(self.snapshot.live) and self.snapshot.live[number]
        return self.snapshot.page(number) if there else None


def searchable(
    snapshot: Snapshot, index: Callable[[], DocumentIndex], search: QuickSearch
) -> Searchable:
    @cache
    def ranked() -> Search | None:
        small = snapshot.manifest.counts.lines <= SMALL
        return search(index()) if small else None

    return Searchable(snapshot, ranked)
