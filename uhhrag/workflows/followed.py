"""Documents of `uhhrag serve --docs`, opened so that what changes can be read again."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from uhhrag.archive import manifest
from uhhrag.documents.listing import list_documents
from uhhrag.errors import UhhragError
from uhhrag.serve.followed import DocumentFolder, DocumentStates, FollowedDocuments
from uhhrag.serve.targets import Target, key_of, of_archive
from uhhrag.store import claim_files
from uhhrag.system.machine_cache import changed_ns
from uhhrag.system.terminal import quantity
from uhhrag.views.searched import searched_with
from uhhrag.wiring import nltk_data, sentence_search
from uhhrag.workflows.collection_models import CollectionModels
from uhhrag.workflows.documents import work_folder
from uhhrag.workflows.method import Chosen
from uhhrag.workflows.observer import SILENT, Observer
from uhhrag.workflows.opened import OpenedDocuments, open_archive, open_documents
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
    memory = work if chosen.machine.cache else None
    pool = 0 if task.rerank is not None else task.pool
    models = CollectionModels(chosen, pool, memory, task.rerank, opened.wired if whole else None)
    name = docs.resolve().name
    quick = partial(sentence_search.wire_quick_search, machine=chosen.machine)

    def again() -> Target:
        snapshot, about = open_archive(docs, work, SILENT, task.own)
        header = partial(models.header, snapshot)
        return of_archive(snapshot, name, models.load, header, lambda: about, quick)

    found, header = (opened.wired.corpus_for, opened.wired.method), opened.wired.header
    about, snapshot = opened.about, opened.archive
    if snapshot:
        first = of_archive(snapshot, name, lambda *_: found, lambda: header, lambda: about, quick)
    else:
        made = replace(searched_with(header), documents=about, files=opened.files, where=name)
        called = f"{name}: {quantity(about.sentences, 'sentence')}"
        first = Target(called, lambda _: found, lambda: made, lambda: opened.files)
    plain = docs.is_dir() and not manifest.is_corpus(docs)
    folder = DocumentFolder(key_of(docs), name, state, again if plain else None)
    return FollowedDocuments(folder, before, first), opened


def state_of(docs: Path, leave_out: tuple[Path, ...]) -> DocumentStates:
    """By name: of an archive its manifest, of a store its file."""
    single = docs / manifest.NAME if manifest.is_corpus(docs) else docs
    if single is not docs or claim_files.serves_all(docs):
        status = single.stat()
        return {single.name: (status.st_size, changed_ns(status))}
    files = list_documents(docs, leave_out).files
    return {file.name: (file.size, file.mtime_ns) for file in files}
