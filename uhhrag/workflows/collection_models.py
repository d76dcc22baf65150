"""The methods that check claims against the pages' collections."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from uhhrag.archive.snapshot import Snapshot
from uhhrag.indexing.document_index import DocumentIndex
from uhhrag.pipeline import Method
from uhhrag.serve.targets import CorpusFor
from uhhrag.wiring import archives, nltk_data, pipeline
from uhhrag.workflows.corpus import require_engine
from uhhrag.workflows.method import Chosen


class CollectionModels:
    """Two methods, each loaded for its first claim: collections of at most `pool` sentences are
    searched whole, larger ones by passages, as `check` does it."""

    def __init__(self, chosen: Chosen, pool: int, memory: Path | None) -> None:
        self._chosen, self._pool, self._memory = chosen, pool, memory
        self._loaded: dict[bool, tuple[Method, Mapping[str, Any]]] = {}

    def load(
        self, snapshot: Snapshot, index: Callable[[], DocumentIndex]
    ) -> tuple[CorpusFor, Method]:
        """`index` gives the snapshot's sentences."""
        nltk_data.load_nltk_data()
        if self._is_whole(snapshot):
            return self._whole(index())
        require_engine()
        return self._ranked(snapshot)

    def header(self, snapshot: Snapshot | None = None) -> Mapping[str, Any]:
        """Of the method of a collection, or of any; empty until it is loaded."""
        if snapshot is None:
            return next((header for _, header in self._loaded.values()), {})
        return self._loaded[whole][1] if (whole := self._is_whole(snapshot)) in self._loaded else {}

    def _is_whole(self, snapshot: Snapshot) -> bool:
        return snapshot.manifest.counts.lines <= self._pool

    def _whole(self, documents: DocumentIndex) -> tuple[CorpusFor, Method]:
        settings, machine, given = self._chosen.settings, self._chosen.machine, self._chosen.given
        if True not in self._loaded:
            wired, _ = pipeline.wire_documents(
                settings, machine, documents, (), self._pool, self._memory, given
            )
            self._loaded[True] = wired.method, wired.header
        method, _ = self._loaded[True]
        corpus_for = pipeline.over_other_documents(
            method, settings, documents, self._pool, machine, given
        )
        return corpus_for, method

    def _ranked(self, snapshot: Snapshot) -> tuple[CorpusFor, Method]:
        settings, machine, given = self._chosen.settings, self._chosen.machine, self._chosen.given
        rerank = archives.reranked_here(None, lambda advice: None)
        task = archives.CorpusTask(snapshot, (), rerank, self._memory)
        if False not in self._loaded:
            wired = archives.wire_corpus(settings, machine, task, given)
            self._loaded[False] = wired.method, wired.header
            return wired.corpus_for, wired.method
        method, _ = self._loaded[False]
        return archives.over_other_archive(settings, machine, task, given), method
