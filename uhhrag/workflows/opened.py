"""Opens documents, searched by sentence if few, else by passages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from uhhrag.archive.file_table import outdated
from uhhrag.archive.manifest import is_archive
from uhhrag.archive.search import indexed_archive
from uhhrag.archive.snapshot import ArchivePages, Snapshot, open_snapshot
from uhhrag.errors import InputError, ModelError
from uhhrag.models.local import require_present
from uhhrag.serve.targets import Sources
from uhhrag.store import claim_files
from uhhrag.system.terminal import printable, quantity
from uhhrag.views.searched import Documents, documents_in, documents_of, hashes_of
from uhhrag.wiring import documents as wiring
from uhhrag.wiring import llms
from uhhrag.wiring.pipeline import Wired, needed_models, require_here
from uhhrag.workflows import archives, documents
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
    archive: Snapshot
    texts: Sequence[str] | None
    """To embed before the first claim; None unless all are searched whole."""


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
    of_archive = is_archive(docs)
    if of_archive:
        documents.make_work_folder(work)
    elif docs.is_dir():
        require_here(chosen.settings, chosen.machine)
    snapshot, about = open_archive(docs, work, observer, task.own)
    memory = work if chosen.machine.cache else None
    given = chosen.settings, chosen.machine
    if task.rerank is None and is_searched_whole(snapshot, task.pool):
        indexed = indexed_archive(snapshot)
        wired, texts = wiring.wire_documents(*given, indexed, task.claims, task.pool, memory)
    else:
        texts = None
        if not of_archive or not snapshot.manifest.folders:  # which a check made
            archives.embed_for(snapshot.folder, chosen, observer)
        wired, snapshot = archives.open_for_claims(
            snapshot.folder, task.claims, task.rerank, chosen, memory, observer
        )
    pages, files = ArchivePages(snapshot), hashes_of(snapshot.files)
    sources = Sources(pages, pages.folder_of)
    return OpenedDocuments(wired, about, sources, files, snapshot, texts)


def open_archive(
    docs: Path, work: Path, observer: Observer, own: Sequence[Path] = ()
) -> tuple[Snapshot, Documents]:
    """First updates a folder's (without `own`) or a store's. Raises UhhragError if unusable or
    empty."""
    if is_archive(docs):
        snapshot = open_snapshot(docs)
        if older := outdated(snapshot.files):
            told = f"{quantity(older, 'file')} read by an older version of this program; to read"
            observer.warn(printable(f"{told} anew: uhhrag archive update {docs}"))
        return snapshot, documents_in(snapshot.manifest.counts, snapshot.files)
    if claim_files.serves_all(docs):
        snapshot = open_snapshot(documents.read_store(docs, work))
        observer.warn_all(printable(f"{docs}: {file.why}") for file in snapshot.files if file.why)
        return snapshot, documents_in(snapshot.manifest.counts, snapshot.files)
    archive, listing, outcomes = documents.read_folder(docs, work, observer, own)
    snapshot = open_snapshot(archive)
    counts = snapshot.manifest.counts
    if not counts.documents:
        raise InputError(f"{docs}: no document could be read; the reason of each file is above")
    return snapshot, documents_of(listing, outcomes, counts, snapshot.files)


def is_searched_whole(snapshot: Snapshot, pool: int) -> bool:
    return snapshot.manifest.counts.lines <= pool
