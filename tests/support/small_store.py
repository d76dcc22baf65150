"""A small store in memory for tests of approaches: a search by shared words, and its pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from uhhrag.backends.fakes import hashing_embedder
from uhhrag.indexing.page_table import placed
from uhhrag.protocols import EvidenceSource, no_documents
from uhhrag.records import Hit, Page, Passage

EMBED = hashing_embedder(1024)


def unique(passages: Iterable[Passage]) -> tuple[Passage, ...]:
    """One passage for each text, in order of first sight, with all URLs."""
    urls: dict[str, dict[str, None]] = {}
    for passage in passages:
        urls.setdefault(passage.text, {}).update(dict.fromkeys(passage.urls))
    return tuple(Passage(text, tuple(on)) for text, on in urls.items())


def corpus_of(*pages: Page, unfound: Sequence[str] = (), kept: bool = True) -> EvidenceSource:
    """All lines of the pages as passages. A query that holds one of `unfound` finds nothing; with
    `kept` off the index has no pages."""
    lines = (
        Passage(line, (page.url,) if page.url else ()) for page in pages for line in page.lines
    )
    passages = placed(unique(lines), pages)

    def search(query: str, top: int, /) -> list[Hit]:
        if not passages or any(text in query for text in unfound):
            return []
        scores = EMBED([p.text for p in passages]) @ EMBED([query])[0]
        hits = [Hit(p, float(s)) for p, s in zip(passages, scores, strict=True)]
        return sorted(hits, key=lambda hit: -hit.score)[:top]

    return EvidenceSource(search, pages.__getitem__ if kept else no_documents)
