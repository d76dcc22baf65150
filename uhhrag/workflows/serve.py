from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from uhhrag.archive.manifest import is_corpus
from uhhrag.documents.collections import make_home
from uhhrag.errors import UsageError
from uhhrag.indexing.index_folder import MANIFEST, open_index
from uhhrag.models import local
from uhhrag.runs.run_folder import HEADER
from uhhrag.runs.trace_lines import TIMINGS, TRACE
from uhhrag.serve.app import DeskContent
from uhhrag.serve.library import Library
from uhhrag.serve.model_fetch import ModelFetch
from uhhrag.serve.targets import Targets, key_of, of_index
from uhhrag.system.terminal import printable
from uhhrag.text.language import documents_note
from uhhrag.views.run_view import RunView, read_run_view
from uhhrag.views.searched import searched_with
from uhhrag.wiring import nltk_data, pipeline, sentence_search
from uhhrag.wiring.pipeline import Wired, needed_models
from uhhrag.workflows import corpus as corpora
from uhhrag.workflows.collection_models import CollectionModels
from uhhrag.workflows.documents import work_folder
from uhhrag.workflows.followed import follow
from uhhrag.workflows.method import Chosen, warnings_of
from uhhrag.workflows.observer import Observer
from uhhrag.workflows.tasks import ServeTask

FileStates = tuple[tuple[int, int], ...]


def run_view(folder: Path) -> Callable[[], RunView]:
    """Parses a run once per state of its files; both functions raise RunError if unsound."""
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
    if what is not None and is_corpus(what):
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
        raise UsageError("--collections: is for pages without an index and without --docs")
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
    home = task.collections or local.root().with_name("collections")
    make_home(home)
    corpora.require_no_rerank(task.rerank, home)
    models = CollectionModels(chosen, task.pool, home if chosen.machine.cache else None)

    def read_unread() -> None:
        for collection in library.collections():
            if None in library.files(collection).values():
                library.read(collection.key)

    def empty() -> RunView:
        return RunView("your documents", next(iter(models.headers.values()), {}), ())

    quick = partial(sentence_search.wire_quick_search, machine=chosen.machine)
    forget = partial(pipeline.forget, home)
    library = Library(
        home, nltk_data.load_nltk_data, models.load, models.header, quick, models.ahead, forget
    )
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
    targets = of_index(name, key_of(folder), built.claims, lambda: (wired.corpus_for, wired.method))
    return {key: replace(one, searched=lambda: made) for key, one in targets.items()}, wired
