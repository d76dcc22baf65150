from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from uhhrag import defaults
from uhhrag.archive.filters import NO_FILTER, DocumentFilter
from uhhrag.archive.segments import text_of
from uhhrag.archive.snapshot import Snapshot
from uhhrag.archive.vector_index import ArchiveVectors
from uhhrag.evidence.fusion import fused
from uhhrag.indexing.candidates import static_cosines
from uhhrag.indexing.document_index import DocumentIndex, index_documents
from uhhrag.protocols import Embedder, EvidenceSource, Relevance
from uhhrag.records import Hit, Page, Place
from uhhrag.store.passages import lead_at, sentence_at
from uhhrag.text.pronouns import joined

DEPTH = 100
"""Fewest passages per engine."""
STORE_PASSAGES = 1000
"""Passages whose documents are a claim's store."""
Matching = Callable[[str, int, DocumentFilter], NDArray[np.int64]]
"""(query, depth, filter) → best passages."""
Nearest = Callable[[NDArray[np.float32], int, DocumentFilter], NDArray[np.int64]]
Excerpts = Callable[[str, Sequence[Sequence[str]]], Sequence[Sequence[str]]]


def excerpts(
    query: str, passages: Sequence[Sequence[str]], static: Embedder, longest: int
) -> list[list[str]]:
    """Lines of each passage nearest to `query`, in page order: at least one, at most `longest`
    characters."""
    if not passages:
        return []
    cosines = static_cosines(query, [line for lines in passages for line in lines], static)
    ends = np.cumsum([len(lines) for lines in passages])[:-1]
    return [
        _nearest(lines, np.argsort(-near, kind="stable").tolist(), longest)
        for lines, near in zip(passages, np.split(cosines, ends), strict=True)
    ]


def _nearest(lines: Sequence[str], best_first: Sequence[int], longest: int) -> list[str]:
    """
    >>> _nearest(["Rain.", "It rained all night.", "Snow."], [1, 2, 0], 26)
    ['It rained all night.', 'Snow.']
    """
    ends = accumulate(len(lines[place]) + 1 for place in best_first)
    taken = [place for place, end in zip(best_first, ends, strict=True) if end <= longest + 1]
    return [lines[place] for place in sorted(taken or best_first[:1])]


@dataclass(frozen=True, slots=True)
class Ranking:
    embed: Embedder
    matching: Matching | None
    nearest: Nearest | None = None
    relevance: Relevance | None = None
    reranked: int = defaults.RERANK
    excerpts: Excerpts | None = None
    """None to read whole passages."""
    share: float = defaults.RERANK_SHARE


def engines_of(
    snapshot: Snapshot, *, by_vectors: bool = True
) -> tuple[Matching | None, Nearest | None]:
    """None if the archive lacks it. Raises as `ArchiveVectors`."""
    vectors = snapshot.manifest.vectors
    has_vectors = bool(vectors and vectors.parts and by_vectors)
    nearest = ArchiveVectors(snapshot, vectors).nearest if vectors and has_vectors else None
    text = snapshot.text
    if text is None:
        return None, nearest
    return (lambda query, depth, out: text.search(query, depth, out.text)), nearest


@dataclass(frozen=True, slots=True)
class RankedPassage:
    number: int
    score: float
    """Comparable only within a search."""
    document: int
    page: Page
    place: range

    @property
    def lines(self) -> tuple[str, ...]:
        return self.page.part(self.place)


def rank(
    snapshot: Snapshot, query: str, top: int, ranking: Ranking, leaving_out: DocumentFilter
) -> list[RankedPassage]:
    """At most `top`, best first, ties by number."""
    wanted = max(top, ranking.reranked if ranking.relevance else 0)
    depth = max(DEPTH, wanted)
    rankings: list[Sequence[int]] = []
    if ranking.matching:
        rankings.append(ranking.matching(query, depth, leaving_out).tolist())
    if ranking.nearest:
        vector = ranking.embed([query])[0]
        rankings.append(ranking.nearest(vector, depth, leaving_out).tolist())
    scores = fused(rankings)
    best = sorted(scores, key=lambda number: (-scores[number], number))[:wanted]
    passages = [
        RankedPassage(n, scores[n], int(snapshot.document[n]), *snapshot.passage(n)) for n in best
    ]
    return _reranked(query, passages, ranking)[:top]


def best_pages(snapshot: Snapshot, query: str, ranking: Ranking) -> Iterator[Page]:
    """Of the `STORE_PASSAGES` best passages, best first."""
    passages = rank(snapshot, query, STORE_PASSAGES, ranking, NO_FILTER)
    documents = dict.fromkeys(passage.document for passage in passages)
    return (snapshot.page(document) for document in documents)


def indexed_archive(snapshot: Snapshot) -> DocumentIndex:
    """In memory, searched exactly. Raises IndexFault for damaged bytes."""
    return index_documents(snapshot.pages(), snapshot.made_of)


def _reranked(
    query: str, passages: Sequence[RankedPassage], ranking: Ranking
) -> list[RankedPassage]:
    if ranking.relevance is None:
        return list(passages)
    read, rest = passages[: ranking.reranked], passages[ranking.reranked :]
    parts: Sequence[Sequence[str]] = [passage.lines for passage in read]
    if ranking.excerpts:
        parts = ranking.excerpts(query, parts)
    texts = [text_of(p.page.title, part) for p, part in zip(read, parts, strict=True)]
    relevance = spread(ranking.relevance(query, texts))
    before = spread(np.array([passage.score for passage in read]))
    scores = ranking.share * relevance + (1 - ranking.share) * before
    order = np.argsort(-scores, kind="stable")
    below = [replace(p, score=float(-place)) for place, p in enumerate(rest, start=1)]
    return [replace(read[at], score=float(scores[at])) for at in order.tolist()] + below


def spread(values: NDArray[np.floating]) -> NDArray[np.float64]:
    """Scaled to 0–1; 0 if all are equal.

    >>> spread(np.array([-2.0, 0.0, 2.0])).tolist()
    [0.0, 0.5, 1.0]
    """
    if not len(values):
        return np.empty(0)
    wide = np.asarray(values, np.float64)
    over = wide - wide.min()
    return np.asarray(over / max(1e-9, float(over.max())), np.float64)


@dataclass(frozen=True, slots=True)
class ArchiveSearch:
    snapshot: Snapshot
    ranking: Ranking
    leaving_out: DocumentFilter
    keeps: Callable[[Page, int], bool]
    """Whether a line may be evidence."""

    def corpus(self) -> EvidenceSource:
        removed, kept = self.leaving_out.removed, self.leaving_out.kept
        return EvidenceSource(cache(self.search), cache(self.snapshot.page), removed, kept)

    def search(self, query: str, top: int, /) -> list[Hit]:
        """The nearest sentence of each best passage, then second ones and so on, by cosine.
        Sentences read alike come once, with all places."""
        passages = rank(self.snapshot, query, top, self.ranking, self.leaving_out)
        return _sentences(query, passages, self.ranking.embed, self.keeps)[:top]


def _sentences(
    query: str,
    passages: Sequence[RankedPassage],
    embed: Embedder,
    keeps: Callable[[Page, int], bool],
) -> list[Hit]:
    held = [_read_in(passage, keeps) for passage in passages]
    places: dict[_Read, dict[str, Place]] = {}
    for passage, lines in zip(passages, held, strict=True):
        for read, place in lines:
            places.setdefault(read, {}).setdefault(passage.page.url, place)
    if not places:
        return []
    vectors = embed([query, *(joined(read.lead, read.text) for read in places)])
    cosines = dict(zip(places, (vectors[1:] @ vectors[0]).tolist(), strict=True))
    turns: dict[_Read, tuple[int, int]] = {}
    for number, lines in enumerate(held):
        best = sorted(dict(lines), key=lambda read: -cosines[read])
        for turn, read in enumerate(best):
            turns[read] = min((turn, number), turns.get(read, (turn, number)))
    ordered = sorted(turns, key=lambda read: turns[read])
    return [Hit(sentence_at(read.text, places[read]), cosines[read]) for read in ordered]


class _Read(NamedTuple):
    title: str
    lead: str
    text: str


def _read_in(
    passage: RankedPassage, keeps: Callable[[Page, int], bool]
) -> list[tuple[_Read, Place]]:
    page = passage.page
    return [
        (_Read(page.title, lead_at(page, line), page.lines[line]), Place(passage.document, line))
        for line in passage.place
        if keeps(page, line)
    ]
