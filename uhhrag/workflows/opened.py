"""The documents that claims are checked against, opened: a folder, brought up to date in its
archive, an archive, or a store.

A small archive is searched exactly, sentence by sentence; of a larger one the passages are ranked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from uhhrag.corpus.every_sentence import indexed_archive
from uhhrag.corpus.pages import CorpusPages
from uhhrag.corpus.snapshot import Snapshot, open_corpus
from uhhrag.indexing.document_index import DocumentIndex, open_document_index
from uhhrag.records import Claim, Page
from uhhrag.store import claim_files
from uhhrag.views.searched import Documents, documents_in, documents_of, hashes_of
from uhhrag.wiring import nltk_data, pipeline
from uhhrag.wiring.pipeline import Wired
from uhhrag.workflows import corpus as corpora
from uhhrag.workflows import documents
from uhhrag.workflows.method import Chosen
from uhhrag.workflows.observer import Observer


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentsTask:
    """Documents to open."""

    docs: Path
    """a folder of documents, an archive, or a store"""
    work: Path
    """the folder that keeps the archive, vectors and replies"""
    pool: int
    """how many sentences are searched exactly"""
    claims: Sequence[Claim] = ()
    rerank: int | None = None
    """how many passages the cross-encoder reads, or None for the default"""
    own: tuple[Path, ...] = ()
    """files of the folder that are no evidence"""


@dataclass(frozen=True, slots=True)
class OpenedDocuments:
    """What claims are checked against."""

    wired: Wired
    about: Documents
    """what a user is told of it"""
    pages: Mapping[str, tuple[Page, ...]]
    """the documents by their addresses"""
    folder_of: Callable[[Page], Path | None]
    """the folder that a document's file was read in, or None"""
    files: Mapping[str, str]
    """the SHA-256 of each file by its name"""
    texts_for: Callable[[Sequence[Claim]], list[str]] | None = None
    """gives the sentences to embed before the first claim; None where that is not known before"""
    archive: Snapshot | None = None
    """what can be searched without a claim; None for a store"""


def open_documents(task: DocumentsTask, chosen: Chosen, observer: Observer) -> OpenedDocuments:
    """Open documents with the method that checks claims against them. Raises UhhragError where they
    cannot be opened, or a model is missing."""
    if claim_files.serves_all(task.docs):
        return _store(task, chosen)
    is_archive = corpora.is_corpus(task.docs)
    if is_archive:
        documents.make_work_folder(task.work)
    snapshot, about = open_archive(task.docs, task.work, observer, task.own)
    if not is_archive and not _is_whole(task, snapshot):
        corpora.embed_for(snapshot.folder, chosen, observer)
    return _archive(task, snapshot, about, chosen, observer)


def open_archive(
    docs: Path, work: Path, observer: Observer, own: Sequence[Path] = ()
) -> tuple[Snapshot, Documents]:
    """An archive, or that of a folder, brought up to date in `work` but for the files `own`; and
    what a user is told of it. Raises UhhragError where it cannot be opened or has no document."""
    if corpora.is_corpus(docs):
        snapshot = open_corpus(docs)
        return snapshot, documents_in(snapshot.manifest.counts, snapshot.files)
    read = documents.read_folder(docs, work, observer, own)
    snapshot = open_corpus(read.archive)
    documents.require_any(snapshot, docs)
    counts, files = snapshot.manifest.counts, snapshot.files
    return snapshot, documents_of(read.survey, read.outcomes, counts, files)


def _archive(
    task: DocumentsTask, snapshot: Snapshot, about: Documents, chosen: Chosen, observer: Observer
) -> OpenedDocuments:
    pages = CorpusPages(snapshot)
    if _is_whole(task, snapshot):
        wired, texts_for = _wired(task, indexed_archive(snapshot), chosen)
        files = hashes_of(snapshot.files)
        return OpenedDocuments(wired, about, pages, pages.folder_of, files, texts_for, snapshot)
    memory = task.work if chosen.cache else None
    wired, snapshot = corpora.open_for_claims(
        snapshot.folder, task.claims, task.rerank, chosen, memory, observer
    )
    pages = CorpusPages(snapshot)
    files = hashes_of(snapshot.files)
    return OpenedDocuments(wired, about, pages, pages.folder_of, files, archive=snapshot)


def _is_whole(task: DocumentsTask, snapshot: Snapshot) -> bool:
    """Whether every sentence is searched: of a small archive, unless a cross-encoder is to read."""
    return task.rerank is None and snapshot.manifest.counts.lines <= task.pool


def _store(task: DocumentsTask, chosen: Chosen) -> OpenedDocuments:
    corpora.require_no_rerank(task.rerank, task.docs)
    documents.make_work_folder(task.work)
    indexed = open_document_index(task.docs)
    if len(indexed.passages) > task.pool:
        nltk_data.load_nltk_data()  # BM25 tokenises
    wired, texts_for = _wired(task, indexed, chosen)
    about = Documents(1, len(indexed.documents), len(indexed.passages), {}, 0)
    files = {task.docs.name: indexed.sha256}
    return OpenedDocuments(wired, about, indexed.pages, lambda page: None, files, texts_for)


def _wired(
    task: DocumentsTask, indexed: DocumentIndex, chosen: Chosen
) -> tuple[Wired, Callable[[Sequence[Claim]], list[str]]]:
    memory = task.work if chosen.cache else None
    return pipeline.wire_documents(
        chosen.settings, chosen.machine, indexed, task.claims, task.pool, memory, chosen.given
    )
