from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from uhhrag.archive.snapshot import Snapshot
from uhhrag.indexing.document_index import DocumentIndex, index_documents
from uhhrag.pipeline import Method
from uhhrag.serve.targets import CorpusFor, Doing
from uhhrag.wiring import nltk_data, sentence_search
from uhhrag.wiring.pipeline import Wired
from uhhrag.workflows import corpus as corpora
from uhhrag.workflows.method import Chosen
from uhhrag.workflows.observer import SILENT, Observer, by_callback
from uhhrag.workflows.opened import is_searched_whole


class CollectionModels:
    """Loads them as `check` does: up to `pool` sentences are searched whole. Thread-safe."""

    def __init__(
        self,
        chosen: Chosen,
        pool: int,
        memory: Path | None,
        rerank: int | None = None,
        whole: Wired | None = None,
    ) -> None:
        """`whole` is loaded already, for documents that are searched whole."""
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
            corpora.embed_for(snapshot.folder, self._chosen, _telling(doing))
            wired, _ = corpora.open_for_claims(
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
                wired, _ = sentence_search.wire_documents(
                    settings, machine, documents, (), self._pool, self._memory
                )
                self._whole = wired
        corpus_for = sentence_search.over_other_documents(
            wired.method, settings, documents, self._pool, machine
        )
        return corpus_for, wired


def _telling(doing: Doing) -> Observer:
    def progress(done: int, total: int, what: str) -> None:
        doing(f"Making vectors of {done:,} of {total:,} {what}")

    return Observer(track=by_callback(progress))
