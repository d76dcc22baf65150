"""The archive behind a target, as its pages search and open it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from uhhrag.corpus.snapshot import Snapshot
from uhhrag.indexing.document_index import DocumentIndex
from uhhrag.protocols import Search
from uhhrag.records import Page

SMALL = 50_000
"""Sentences of an archive that is searched by meaning here: all of them are held in memory."""
QuickSearch = Callable[[DocumentIndex], Search | None]
"""Documents in memory → their search by words and meaning, None where it cannot be had."""


@dataclass(frozen=True, slots=True)
class Searchable:
    """The archive of a target. `ranked` gives its search by words and meaning, None where that
    cannot be had; the first call takes as long as all sentences take to be read."""

    snapshot: Snapshot
    ranked: Callable[[], Search | None]

    def page(self, number: int) -> Page | None:
        """A document by its number; None where there is none. Raises IndexFault where its bytes
        have changed."""
        there = 0 <= number < len(self.snapshot.live) and self.snapshot.live[number]
        return self.snapshot.page(number) if there else None


def searchable(
    snapshot: Snapshot, index: Callable[[], DocumentIndex], search: QuickSearch
) -> Searchable:
    """An archive as pages search it; `index` gives its documents in memory."""

    @cache
    def ranked() -> Search | None:
        small = snapshot.manifest.counts.lines <= SMALL
        return search(index()) if small else None

    return Searchable(snapshot, ranked)
