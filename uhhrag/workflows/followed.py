"""Documents of `uhhrag serve --docs`, opened so that what changes can be read again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from uhhrag.archive import manifest
from uhhrag.archive.search import indexed_archive
from uhhrag.archive.snapshot import CorpusPages, Snapshot
from uhhrag.documents.listing import list_documents
from uhhrag.errors import UhhragError
from uhhrag.indexing.document_index import DocumentIndex
from uhhrag.protocols import Search
from uhhrag.serve.followed import DocumentFolder, DocumentStates, FollowedDocuments
from uhhrag.serve.own_documents import Searchable, Sources
from uhhrag.serve.targets import Target, key_of
from uhhrag.store import claim_files
from uhhrag.system.machine_cache import changed_ns
from uhhrag.system.terminal import quantity
from uhhrag.views.searched import Documents, Searched, hashes_of, searched_with
from uhhrag.wiring import nltk_data, sentence_search
from uhhrag.workflows.collection_models import CollectionModels
from uhhrag.workflows.documents import work_folder
from uhhrag.workflows.method import Chosen
from uhhrag.workflows.observer import SILENT, Observer
from uhhrag.workflows.opened import (
    OpenedDocuments,
    open_archive,
    open_documents,
)
from uhhrag.workflows.tasks import ServeTask


def follow(
    chosen: Chosen, task: ServeTask, docs: Path, observer: Observer
) -> tuple[FollowedDocuments, OpenedDocuments]:
    """Reads them. Raises as `open_documents`."""
    work = work_folder(docs, task.work)
    state = partial(state_of, docs, (work, *task.own))
    before: DocumentStates = {}
    with suppress(UhhragError):  # opening says what is wrong
        before = state()
    opened = open_documents(docs, work, task, chosen, observer)
    nltk_data.load_nltk_data()  # a claim asked later may need BM25, which tokenises
    whole = task.rerank is None and opened.texts_for is not None
    models = CollectionModels(
        chosen,
        0 if task.rerank is not None else task.pool,
        work if chosen.machine.cache else None,
        task.rerank,
        opened.wired if whole else None,
    )

    def again() -> Target:
        snapshot, about = open_archive(docs, work, SILENT, task.own)
        return _reread(docs, snapshot, about, models, chosen)

    plain = docs.is_dir() and not manifest.is_corpus(docs)
    name = docs.resolve().name
    folder = DocumentFolder(key_of(docs), name, state, again if plain else None)
    return FollowedDocuments(folder, before, _first(docs, opened, chosen)), opened


def state_of(docs: Path, leave_out: tuple[Path, ...]) -> DocumentStates:
    """By name: of an archive its manifest, of a store its file."""
    single = docs / manifest.NAME if manifest.is_corpus(docs) else docs
    if single is not docs or claim_files.serves_all(docs):
        status = single.stat()
        return {single.name: (status.st_size, changed_ns(status))}
    files = list_documents(docs, leave_out).files
    return {file.name: (file.size, file.mtime_ns) for file in files}


def _first(docs: Path, opened: OpenedDocuments, chosen: Chosen) -> Target:
    made = searched_with(opened.wired.header)
    searched = _searched(docs, made, opened.about, opened.files)
    found = opened.wired.corpus_for, opened.wired.method
    snapshot = opened.archive
    return Target(
        _named(docs, opened.about),
        lambda _: found,
        lambda: searched,
        lambda: opened.files,
        archive=_searchable(snapshot, chosen) if snapshot else lambda: None,
    )


def _reread(
    docs: Path, snapshot: Snapshot, about: Documents, models: CollectionModels, chosen: Chosen
) -> Target:
    index, files = cache(partial(indexed_archive, snapshot)), hashes_of(snapshot.files)
    pages = CorpusPages(snapshot)
    sources = Sources(pages, pages.folder_of)

    @cache  # asked once the models are loaded
    def searched() -> Searched:
        return _searched(docs, searched_with(models.header(snapshot)), about, files)

    return Target(
        _named(docs, about),
        partial(models.load, snapshot, index),
        searched,
        lambda: files,
        lambda: sources,
        _searchable(snapshot, chosen),
    )


def _named(docs: Path, about: Documents) -> str:
    return f"{docs.resolve().name}: {quantity(about.sentences, 'sentence')}"


def _searched(docs: Path, made: Searched, about: Documents, files: Mapping[str, str]) -> Searched:
    return replace(made, documents=about, files=files, where=docs.resolve().name)


def _searchable(snapshot: Snapshot, chosen: Chosen) -> Callable[[], Searchable]:
    def quick(read: DocumentIndex) -> Search | None:
        return sentence_search.wire_quick_search(read, chosen.machine)

    return cache(lambda: Searchable(snapshot, partial(indexed_archive, snapshot), quick))
