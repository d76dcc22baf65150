from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from uhhrag import defaults
from uhhrag.archive.filters import NO_FILTER, ArchiveLimits
from uhhrag.archive.search import ArchiveSearch, RankedPassage, Ranking, indexed_archive, rank
from uhhrag.archive.snapshot import Snapshot, opened_with
from uhhrag.archive.words import find_near, find_words, has_all, phrases_of
from uhhrag.config.option import require_number
from uhhrag.errors import UsageError
from uhhrag.indexing.choices import Engine
from uhhrag.protocols import Search
from uhhrag.records import Claim, Place, source_of
from uhhrag.store.filters import Limits
from uhhrag.store.passages import is_filled
from uhhrag.system.terminal import quantity
from uhhrag.views.answer import source_fields
from uhhrag.wiring import documents as wiring
from uhhrag.wiring.machine import Machine
from uhhrag.workflows import archives, documents
from uhhrag.workflows.method import require_dates
from uhhrag.workflows.observer import Observer
from uhhrag.workflows.opened import open_archive

Json = dict[str, Any]
_DEEP = 200
"""Ranked sentences, of which those with every word come first."""


def search(
    docs: Path, query: str, top: int, work: Path | None, observer: Observer, *, exact: bool
) -> Json:
    """Sentences, best first or, if exact, in order, and their number."""
    require_number("top_n", top, 1)
    require_words(query)
    work = documents.work_folder(docs, work)
    snapshot, _ = open_archive(docs, work, observer)
    return found_in(snapshot, query, top, None if exact else _ranked(snapshot, work, observer))


def require_words(query: str) -> None:
    if not phrases_of(query):
        raise UsageError(f"{query!r} has no word to search for; give one")


def found_in(snapshot: Snapshot, query: str, most: int, ranked: Search | None) -> Json:
    """With every word; then, if `ranked`, the nearest with the query's quotations. Only the former
    are counted."""
    words, phrases = find_words(snapshot, query, most), phrases_of(query)
    counts = {name: getattr(words, name) for name in ("sentences", "documents", "whole")}
    near = dict(find_near(snapshot, query, max(most, _DEEP), ranked)) if ranked else {}
    lines = ((at, snapshot.page(at.document).lines[at.line]) for at in near)
    first = [at for at, line in lines if has_all(line, phrases)]
    shown = [*dict.fromkeys([*first, *words.places, *near])][:most]
    found = [_shown(snapshot, place, near.get(place)) for place in shown]
    return {"query": query} | counts | {"found": found}


def found_line(found: Json) -> str:
    part = "" if found["whole"] else ", of the passages that full text ranks best"
    if not found["found"]:
        return f"Nothing is found{part}."
    there = quantity(found["sentences"], "sentence")
    return f"{there} of {quantity(found['documents'], 'document')} with every word{part}."


def _ranked(snapshot: Snapshot, work: Path, observer: Observer) -> Search:
    documents.make_work_folder(work)
    if snapshot.manifest.counts.lines <= defaults.POOL:
        return wiring.wire_sentence_search(indexed_archive(snapshot), Machine(), work)
    rerank = wiring.reranked_here(None, observer.warn)
    archives.warn_of_vectors(snapshot, observer)
    ranking = wiring.wire_search(snapshot, Machine(), rerank, work).ranking
    return ArchiveSearch(snapshot, ranking, NO_FILTER, is_filled).search


def _shown(snapshot: Snapshot, place: Place, score: float | None) -> Json:
    page = snapshot.page(place.document)
    return {
        "sentence": page.lines[place.line],
        "before": page.lines[place.line - 1] if place.line else "",
        "after": page.lines[place.line + 1] if place.line + 1 < len(page.lines) else "",
        "document": place.document,
        "line": place.line,
        "similarity": score,
        "source": source_fields(source_of(page, place.line)),
    }


def search_passages(
    archive: Path,
    claims: Sequence[Claim],
    top: int,
    rerank: int | None,
    engine: Engine,
    limits: Limits,
    files: Sequence[str] | None,
    observer: Observer,
) -> Iterator[dict[str, Any]]:
    """Per claim, seconds and passages, best first."""
    require_dates(limits, claims, "give --before YYYY-MM-DD")

    @cache  # an archive that changes meanwhile is opened again, and warned of once
    def reranked() -> int:
        return wiring.reranked_here(rerank, observer.warn)

    snapshot, ranking = opened_with(archive, lambda state: _ranking(state, engine, reranked()))
    within = ArchiveLimits(snapshot, limits, files)
    for claim in claims:
        begun = time.perf_counter()
        passages = rank(snapshot, claim.text, top, ranking, within.for_claim(claim))
        seconds = time.perf_counter() - begun
        yield {
            "claim_id": claim.id,
            "claim": claim.text,
            "seconds": round(seconds, 4),
            "passages": [_passage(passage) for passage in passages],
        }


def _ranking(snapshot: Snapshot, engine: Engine, rerank: int) -> tuple[Snapshot, Ranking]:
    if engine is Engine.VECTORS and snapshot.manifest.vectors is None:
        archive = snapshot.folder
        raise UsageError(f"--by vectors: {archive} has none; run: uhhrag archive embed {archive}")
    if engine is Engine.TEXT or snapshot.manifest.vectors is None:
        return snapshot, wiring.wire_text_search(snapshot, Machine(), rerank)
    ranking = wiring.wire_search(snapshot, Machine(), rerank).ranking
    return snapshot, replace(ranking, matching=None) if engine is Engine.VECTORS else ranking


def _passage(passage: RankedPassage) -> dict[str, Any]:
    source = source_fields(source_of(passage.page))
    return {
        **{name: source[name] for name in ("url", "title", "date", "file")},
        "source": source,
        "score": round(passage.score, 6),
        "text": " ".join(passage.lines),
    }
