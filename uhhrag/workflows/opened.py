"""Opens documents, searched by sentence if few, else by passages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from uhhrag.archive.file_table import outdated
from uhhrag.archive.manifest import is_corpus
from uhhrag.archive.search import indexed_archive
from uhhrag.archive.snapshot import CorpusPages, Snapshot, open_corpus
from uhhrag.errors import InputError, ModelError
from uhhrag.indexing.document_index import open_document_index
from uhhrag.models.local import require_present
from uhhrag.records import Claim
from uhhrag.serve.targets import Sources
from uhhrag.store import claim_files
from uhhrag.system.terminal import printable, quantity
from uhhrag.views.searched import Documents, documents_in, documents_of, hashes_of
from uhhrag.wiring import documents as wiring
from uhhrag.wiring import llms, nltk_data
from uhhrag.wiring.pipeline import Wired, needed_models, require_here
from uhhrag.workflows import corpus as corpora
from uhhrag.workflows import documents
from uhhrag.workflows.method import Chosen
from uhhrag.workflows.observer import Observer
from uhhrag.workflows.tasks import DocumentsTask


@dataclass(frozen=True, slots=True)
class OpenedDocuments:
    wired: Wired
    about: Documents
    sources: Sources
    files: Mapping[str, str]
    """SHA-256 by name."""
    texts_for: Callable[[Sequence[Claim]], list[str]] | None = None
    """What to embed before the first claim, if known."""
    archive: Snapshot | None = None
    """None for a store."""


def open_documents(
    docs: Path, work: Path, task: DocumentsTask, chosen: Chosen, observer: Observer
) -> OpenedDocuments:
    """`work` keeps what is read. A ModelError names all missing models."""
    try:
        reached = llms.reach(chosen.settings, chosen.machine)  # told before all is read
        return _opened(docs, work, task, replace(chosen, machine=reached), observer)
    except ModelError:
        require_present(needed_models(chosen.settings, chosen.machine))
        raise


def _opened(
    docs: Path, work: Path, task: DocumentsTask, chosen: Chosen, observer: Observer
) -> OpenedDocuments:
    if claim_files.serves_all(docs):
        return _store(docs, work, task, chosen, observer)
    is_archive = is_corpus(docs)
    if is_archive:
        documents.make_work_folder(work)
    elif docs.is_dir():
        require_here(chosen.settings, chosen.machine)
    snapshot, about = open_archive(docs, work, observer, task.own)
    texts_for, memory = None, work if chosen.machine.cache else None
    given = chosen.settings, chosen.machine
    if task.rerank is None and is_searched_whole(snapshot, task.pool):
        indexed = indexed_archive(snapshot)
        wired, texts_for = wiring.wire_documents(*given, indexed, task.claims, task.pool, memory)
    else:
        if not is_archive:
            corpora.embed_for(snapshot.folder, chosen, observer)
        wired, snapshot = corpora.open_for_claims(
            snapshot.folder, task.claims, task.rerank, chosen, memory, observer
        )
    pages, files = CorpusPages(snapshot), hashes_of(snapshot.files)
    sources = Sources(pages, pages.folder_of)
    return OpenedDocuments(wired, about, sources, files, texts_for, snapshot)


def open_archive(
    docs: Path, work: Path, observer: Observer, own: Sequence[Path] = ()
) -> tuple[Snapshot, Documents]:
    """Updates a folder's first, without `own`. Raises UhhragError if unusable or empty."""
    if is_corpus(docs):
        snapshot = open_corpus(docs)
        if older := outdated(snapshot.files):
            told = f"{quantity(older, 'file')} read by an older version of this program; to read"
            observer.warn(printable(f"{told} anew: uhhrag archive update {docs}"))
        return snapshot, documents_in(snapshot.manifest.counts, snapshot.files)
    archive, listing, outcomes = documents.read_folder(docs, work, observer, own)
    snapshot = open_corpus(archive)
    counts = snapshot.manifest.counts
    if not counts.documents:
        raise InputError(f"{docs}: no document could be read; the reason of each file is above")
    return snapshot, documents_of(listing, outcomes, counts, snapshot.files)


def is_searched_whole(snapshot: Snapshot, pool: int) -> bool:
    return snapshot.manifest.counts.lines <= pool


def _store(
    docs: Path, work: Path, task: DocumentsTask, chosen: Chosen, observer: Observer
) -> OpenedDocuments:
    corpora.require_no_rerank(task.rerank, docs)
    documents.make_work_folder(work)
    indexed = open_document_index(docs)
    if len(indexed.passages) > task.pool:
        nltk_data.load_nltk_data()  # BM25 tokenises
    given, memory = (chosen.settings, chosen.machine), work if chosen.machine.cache else None
    wired, texts_for = wiring.wire_documents(*given, indexed, task.claims, task.pool, memory)
    partly = {docs.name: indexed.partly} if indexed.partly else {}
    if partly:
        observer.warn(printable(f"{docs}: {indexed.partly}"))
    found = len(indexed.documents), len(indexed.passages)
    about = Documents(1, *found, unread={}, left_out=0, partly=partly)
    sources, files = Sources(indexed.pages, lambda page: None), {docs.name: indexed.sha256}
    return OpenedDocuments(wired, about, sources, files, texts_for)
