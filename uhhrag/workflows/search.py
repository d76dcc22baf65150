"""Finds sentences in documents (`uhhrag search`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uhhrag import defaults
from uhhrag.archive.filters import NO_FILTER
from uhhrag.archive.search import CorpusSearch, indexed_archive
from uhhrag.archive.snapshot import Snapshot
from uhhrag.archive.words import find_words, phrases_of
from uhhrag.errors import InputError, UsageError
from uhhrag.protocols import Search
from uhhrag.records import Place, source_of
from uhhrag.store import claim_files
from uhhrag.system.terminal import quantity
from uhhrag.views.answer import source_fields
from uhhrag.wiring import archives, sentence_search
from uhhrag.wiring.loaded import Given
from uhhrag.wiring.machine import Machine
from uhhrag.workflows import corpus as corpora
from uhhrag.workflows import documents
from uhhrag.workflows.observer import Observer
from uhhrag.workflows.opened import open_archive

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsTask:
    docs: Path
    query: str
    top: int
    exact: bool
    """Find sentences with every word, not rank by meaning."""
    work: Path | None


def search(task: WordsTask, observer: Observer) -> Json:
    """Sentences, best first or, if exact, in order, and their number. Raises UhhragError."""
    if not phrases_of(task.query):
        raise UsageError(f"{task.query!r} has no word to search for")
    if claim_files.serves_all(task.docs):
        raise InputError(f"{task.docs}: is a store; search a folder of documents or an archive")
    work = documents.work_folder(task.docs, task.work)
    snapshot, _ = open_archive(task.docs, work, observer)
    if task.exact:
        return found_by_words(snapshot, task.query, task.top)
    hits = _ranked(snapshot, work, observer)(task.query, task.top)
    placed = [(hit.passage.places[0], hit.score) for hit in hits if hit.passage.places]
    return found_in(snapshot, task.query, placed)


def found_by_words(snapshot: Snapshot, query: str, most: int) -> Json:
    words = find_words(snapshot, query, most)
    return found_in(snapshot, query, [(place, None) for place in words.places]) | {
        "sentences": words.sentences,
        "documents": words.documents,
        "whole": words.whole,
    }


def found_line(found: Json) -> str:
    """For the user; "" for a ranking that found any."""
    part = "" if found["whole"] else ", of the passages that full text ranks best"
    if not found["found"]:
        return f"Nothing is found{part}."
    if found["sentences"] is None:
        return ""
    there = quantity(found["sentences"], "sentence")
    return f"{there} of {quantity(found['documents'], 'document')} with every word{part}."


def found_in(snapshot: Snapshot, query: str, placed: Sequence[tuple[Place, float | None]]) -> Json:
    return {
        "query": query,
        "sentences": None,
        "documents": None,
        "whole": True,
        "found": [_shown(snapshot, place, score) for place, score in placed],
    }


def _ranked(snapshot: Snapshot, work: Path, observer: Observer) -> Search:
    documents.make_work_folder(work)
    if snapshot.manifest.counts.lines <= defaults.POOL:
        return sentence_search.wire_search(indexed_archive(snapshot), Machine(), Given(), work)
    rerank = archives.reranked_here(None, observer.warn)
    corpora.warn_of_vectors(snapshot, observer)
    ranking = archives.wire_search(snapshot, Machine(), Given(), rerank, work).ranking
    return CorpusSearch(snapshot, ranking, NO_FILTER, lambda line: bool(line.strip())).search


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
