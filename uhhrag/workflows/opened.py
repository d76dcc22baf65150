"""Opens documents, searched by sentence if few, else by passages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from uhhrag.archive.manifest import is_corpus
from uhhrag.archive.search import indexed_archive
from uhhrag.archive.snapshot import CorpusPages, Snapshot, open_corpus
from uhhrag.errors import InputError, ModelError
from uhhrag.indexing.document_index import DocumentIndex, open_document_index
from uhhrag.models.local import require_present
from uhhrag.records import Claim, Page
from uhhrag.store import claim_files
from uhhrag.system.terminal import printable
from uhhrag.views.searched import Documents, documents_in, documents_of, hashes_of
from uhhrag.wiring import nltk_data, sentence_search
from uhhrag.wiring.pipeline import Wired, needed_models
from uhhrag.workflows import corpus as corpora
from uhhrag.workflows import documents
from uhhrag.workflows.method import Chosen
from uhhrag.workflows.observer import Observer


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentsTask:
    docs: Path
    work: Path
    pool: int
    """Most sentences searched exactly."""
    claims: Sequence[Claim] = ()
    rerank: int | None = None
    """Passages reranked; None: the default."""
    own: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class OpenedDocuments:
    wired: Wired
    about: Documents
    pages: Mapping[str, tuple[Page, ...]]
    """By address."""
    folder_of: Callable[[Page], Path | None]
    files: Mapping[str, str]
    """SHA-256 by name."""
    texts_for: Callable[[Sequence[Claim]], list[str]] | None = None
    """What to embed before the first claim, if known."""
    archive: Snapshot | None = None
    """None for a store."""


def open_documents(task: DocumentsTask, chosen: Chosen, observer: Observer) -> OpenedDocuments:
    """Raises UhhragError; a ModelError names all missing models."""
    try:
        return _opened(task, chosen, observer)
    except ModelError:
        require_present(needed_models(chosen.settings, chosen.machine, chosen.given))
        raise


def _opened(task: DocumentsTask, chosen: Chosen, observer: Observer) -> OpenedDocuments:
    if claim_files.serves_all(task.docs):
        return _store(task, chosen, observer)
    is_archive = is_corpus(task.docs)
    if is_archive:
        documents.make_work_folder(task.work)
    snapshot, about = open_archive(task.docs, task.work, observer, task.own)
    if not is_archive and not _is_whole(task, snapshot):
        corpora.embed_for(snapshot.folder, chosen, observer)
    return _archive(task, snapshot, about, chosen, observer)


def open_archive(
    docs: Path, work: Path, observer: Observer, own: Sequence[Path] = ()
) -> tuple[Snapshot, Documents]:
    """Updates a folder's first, without `own`. Raises UhhragError if unusable or empty."""
    if is_corpus(docs):
        snapshot = open_corpus(docs)
        return snapshot, documents_in(snapshot.manifest.counts, snapshot.files)
    archive, listing, outcomes = documents.read_folder(docs, work, observer, own)
    snapshot = open_corpus(archive)
    counts = snapshot.manifest.counts
    if not counts.documents:
        raise InputError(f"{docs}: no document could be read; the reason of each file is above")
    return snapshot, documents_of(listing, outcomes, counts, snapshot.files)


def _archive(
    task: DocumentsTask, snapshot: Snapshot, about: Documents, chosen: Chosen, observer: Observer
) -> OpenedDocuments:
    texts_for = None
    if _is_whole(task, snapshot):
        wired, texts_for = _wired(task, indexed_archive(snapshot), chosen)
    else:
        memory = task.work if chosen.machine.cache else None
        wired, snapshot = corpora.open_for_claims(
            snapshot.folder, task.claims, task.rerank, chosen, memory, observer
        )
    pages, files = CorpusPages(snapshot), hashes_of(snapshot.files)
    return OpenedDocuments(wired, about, pages, pages.folder_of, files, texts_for, snapshot)


def _is_whole(task: DocumentsTask, snapshot: Snapshot) -> bool:
    return task.rerank is None and is_searched_whole(snapshot, task.pool)


def is_searched_whole(snapshot: Snapshot, pool: int) -> bool:
    """Whether every sentence is searched."""
    return snapshot.manifest.counts.lines <= pool


def _store(task: DocumentsTask, chosen: Chosen, observer: Observer) -> OpenedDocuments:
    corpora.require_no_rerank(task.rerank, task.docs)
    documents.make_work_folder(task.work)
    indexed = open_document_index(task.docs)
    if len(indexed.passages) > task.pool:
        nltk_data.load_nltk_data()  # BM25 tokenises
    wired, texts_for = _wired(task, indexed, chosen)
    partly = {task.docs.name: indexed.partly} if indexed.partly else {}
    if partly:
        observer.warn(printable(f"{task.docs}: {indexed.partly}"))
    found = len(indexed.documents), len(indexed.passages)
    about = Documents(1, *found, unread={}, left_out=0, partly=partly)
    files = {task.docs.name: indexed.sha256}
    return OpenedDocuments(wired, about, indexed.pages, lambda page: None, files, texts_for)


def _wired(
    task: DocumentsTask, indexed: DocumentIndex, chosen: Chosen
) -> tuple[Wired, Callable[[Sequence[Claim]], list[str]]]:
    memory = task.work if chosen.machine.cache else None
    return sentence_search.wire_documents(
        chosen.settings, chosen.machine, indexed, task.claims, task.pool, memory, chosen.given
    )
