from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from uhhrag.archive import manifest
from uhhrag.archive.snapshot import Snapshot
from uhhrag.documents.collections import make_home
from uhhrag.documents.listing import list_documents
from uhhrag.errors import UhhragError, UsageError
from uhhrag.indexing.document_index import DocumentIndex, index_documents
from uhhrag.indexing.index_folder import MANIFEST, open_index
from uhhrag.pipeline import Method
from uhhrag.runs.run_folder import HEADER
from uhhrag.runs.trace import TIMINGS, TRACE
from uhhrag.serve.app import DeskContent
from uhhrag.serve.followed import DocumentStates, FollowedDocuments
from uhhrag.serve.library import Library
from uhhrag.serve.model_fetch import ModelFetch
from uhhrag.serve.targets import CorpusFor, Doing, Target, Targets, key_of, of_archive, of_index
from uhhrag.store import claim_files
from uhhrag.system import places
from uhhrag.system.machine_cache import changed_ns
from uhhrag.system.terminal import printable
from uhhrag.text.language import documents_note
from uhhrag.views.run_view import RunView, read_run_view
from uhhrag.views.searched import searched_with
from uhhrag.wiring import documents as wiring
from uhhrag.wiring import nltk_data, pipeline
from uhhrag.wiring.pipeline import Wired, needed_models
from uhhrag.workflows import archives
from uhhrag.workflows.documents import work_folder
from uhhrag.workflows.method import Chosen, warnings_of
from uhhrag.workflows.observer import SILENT, Observer, by_callback
from uhhrag.workflows.opened import OpenedDocuments, is_searched_whole, open_archive, open_documents
from uhhrag.workflows.tasks import ServeTask

FileStates = tuple[tuple[int, int], ...]


def run_view(folder: Path) -> Callable[[], RunView]:
    """Parses a run once per state of its files; both functions raise RunError."""
    lock = threading.Lock()
    cached: list[tuple[FileStates, RunView]] = []

    def read() -> RunView:
        with lock:
            state = _state(folder)
            if not cached or cached[0][0] != state:
                cached[:] = [(state, read_run_view(folder))]
            return cached[0][1]

    read()
    return read


def _state(folder: Path) -> FileStates:
    files = (folder / name for name in (HEADER, TRACE, TIMINGS))
    stats = [file.stat() for file in files if file.exists()]
    return tuple((stat.st_mtime_ns, stat.st_size) for stat in stats)


def subject_of(task: ServeTask, chosen: Chosen, observer: Observer) -> DeskContent:
    """Raises UsageError for what cannot be served."""
    what, index, docs = task.what, task.index, task.docs
    if what is not None and manifest.is_archive(what):
        raise UsageError(f"{what}: is an archive; name it by --docs {what}")
    if what is not None and (what / MANIFEST).exists():
        what, index = None, index or what
    elif what is not None and not (what / HEADER).exists():
        raise UsageError(
            f"{what}: is neither a run nor an index; documents are named by --docs {what}"
        )
    if index is not None and docs is not None:
        raise UsageError("an index and --docs would each load the models; give one of them")
    if task.collections is not None and (index is not None or docs is not None):
        raise UsageError(
            "--collections: is for pages without an index and without --docs; leave these out, and "
            "add documents on the desk"
        )
    if index is None and docs is None:
        if what is None or task.collections is not None:
            return _of_collections(chosen, task, what)
        return DeskContent(read=run_view(what), home=what)
    read = run_view(what) if what is not None else None
    targets: Targets = {}
    followed, opened = None, None
    if index is not None:
        targets, wired = _of_index(chosen, index)
        home, name = index, index.resolve().name
    elif docs is not None:
        home, name = work_folder(docs, task.work), docs.resolve().name
        chosen = chosen.for_documents()
        followed, opened = follow(chosen, task, docs, observer)
        wired = opened.wired
    other, header = documents_note(opened.about.languages) if opened else "", wired.header
    return DeskContent(
        read=read or (lambda: RunView(name, header, ())),
        fixed=targets,
        followed=followed,
        home=what or home,
        warnings=(*warnings_of(wired, chosen), *filter(None, [printable(other)])),
        sources=opened.sources if opened else None,
        takes_drafts=nltk_data.splits_sentences,
        needs_date=chosen.settings.limits.by_claim_date,
    )


def _of_collections(chosen: Chosen, task: ServeTask, what: Path | None) -> DeskContent:
    chosen = chosen.for_documents()
    home = (task.collections or places.collections()).absolute()
    make_home(home)
    archives.require_no_rerank(task.rerank, home)
    models = CollectionModels(chosen, task.pool, home if chosen.machine.cache else None)

    def read_unread() -> None:
        for collection in library.collections():
            if None in library.files(collection).values():
                library.read(collection.key)

    def empty() -> RunView:
        return RunView("your documents", next(iter(models.headers.values()), {}), ())

    quick = partial(wiring.wire_quick_search, machine=chosen.machine)
    load_data = nltk_data.load_nltk_data
    library = Library(home, load_data, models.load, models.header, quick, models.ahead)
    needed = needed_models(chosen.settings, chosen.machine)
    return DeskContent(
        read=run_view(what) if what is not None else empty,
        home=what or home,
        needs_date=chosen.settings.limits.by_claim_date,
        takes_drafts=nltk_data.splits_sentences,
        library=library,
        models=ModelFetch(needed, read_unread),
    )


def _of_index(chosen: Chosen, folder: Path) -> tuple[Targets, Wired]:
    built = open_index(folder)
    wired = pipeline.wire(chosen.settings, chosen.machine, built)
    name, made = folder.resolve().name, searched_with(wired.header)
    found = wired.corpus_for, wired.method
    return of_index(name, key_of(folder), built.claims, lambda: found, lambda: made), wired


def follow(
    chosen: Chosen, task: ServeTask, docs: Path, observer: Observer
) -> tuple[FollowedDocuments, OpenedDocuments]:
    """Raises as `open_documents`."""
    work = work_folder(docs, task.work)
    state = partial(state_of, docs, (work, *task.own))
    before: DocumentStates = {}
    with suppress(UhhragError):  # opening says what is wrong
        before = state()
    opened = open_documents(docs, work, task, chosen, observer)
    nltk_data.load_nltk_data()  # a claim asked later may need BM25, which tokenises
    whole = task.rerank is None and opened.texts is not None
    memory = work if chosen.machine.cache else None
    pool = 0 if task.rerank is not None else task.pool
    models = CollectionModels(chosen, pool, memory, task.rerank, opened.wired if whole else None)
    name = docs.resolve().name
    quick = partial(wiring.wire_quick_search, machine=chosen.machine)

    def again() -> Target:
        snapshot, about = open_archive(docs, work, SILENT, task.own)
        header = partial(models.header, snapshot)
        return of_archive(snapshot, name, models.load, header, lambda: about, quick)

    found, header = (opened.wired.corpus_for, opened.wired.method), opened.wired.header
    about, snapshot = opened.about, opened.archive
    first = of_archive(snapshot, name, lambda *_: found, lambda: header, lambda: about, quick)
    read = None if manifest.is_archive(docs) else again
    return FollowedDocuments(key_of(docs), name, state, read, before, first), opened


def state_of(docs: Path, leave_out: tuple[Path, ...]) -> DocumentStates:
    """By name: an archive's manifest, a store's file, or a folder's files."""
    single = docs / manifest.NAME if manifest.is_archive(docs) else docs
    if single is not docs or claim_files.serves_all(docs):
        status = single.stat()
        return {single.name: (status.st_size, changed_ns(status))}
    files = list_documents(docs, leave_out).files
    return {file.name: (file.size, file.mtime_ns) for file in files}


class CollectionModels:
    """As `check`: up to `pool` sentences are searched whole. Thread-safe."""

    def __init__(
        self,
        chosen: Chosen,
        pool: int,
        memory: Path | None,
        rerank: int | None = None,
        whole: Wired | None = None,
    ) -> None:
        """`whole` is already loaded, for documents searched whole."""
        self._chosen, self._pool, self._memory = chosen, pool, memory
        self._rerank, self._whole = rerank, whole
        self._loading = threading.Lock()
        self.headers: dict[bool, Mapping[str, Any]] = {}
        """By whether every sentence is searched."""

    def ahead(self) -> None:
        """Load before the first claim."""
        self._searching_whole(index_documents({}, ""))[1].load()

    def load(
        self, snapshot: Snapshot, index: Callable[[], DocumentIndex], doing: Doing
    ) -> tuple[CorpusFor, Method]:
        """Makes missing vectors, which is slow; `doing` is told how many."""
        nltk_data.load_nltk_data()
        whole = is_searched_whole(snapshot, self._pool)
        if whole:
            corpus_for, wired = self._searching_whole(index())
        else:
            with self._loading:  # not while another thread loads it
                self._whole = None  # two may not fit into memory
            track = by_callback(
                lambda done, total, what: doing(f"Making vectors of {done:,} of {total:,} {what}")
            )
            archives.embed_for(snapshot.folder, self._chosen, Observer(track=track))
            wired, _ = archives.open_for_claims(
                snapshot.folder, (), self._rerank, self._chosen, self._memory, SILENT
            )
            corpus_for = wired.corpus_for
        self.headers[whole] = wired.header
        return corpus_for, wired.method

    def header(self, snapshot: Snapshot) -> Mapping[str, Any]:
        """Empty until the method is loaded."""
        return self.headers.get(is_searched_whole(snapshot, self._pool), {})

    def _searching_whole(self, documents: DocumentIndex) -> tuple[CorpusFor, Wired]:
        settings, machine = self._chosen.settings, self._chosen.machine
        with self._loading:
            wired = self._whole
            if wired is None:
                wired, _ = wiring.wire_documents(
                    settings, machine, documents, (), self._pool, self._memory
                )
                self._whole = wired
        return wiring.over_other_documents(wired.method, settings, documents, machine), wired
