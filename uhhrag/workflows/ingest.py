"""A folder of documents → one knowledge store, or a corpus."""

from __future__ import annotations

import time
from pathlib import Path

from uhhrag import defaults, models
from uhhrag.documents.ingest import ingest as steps
from uhhrag.documents.survey import survey
from uhhrag.errors import UsageError
from uhhrag.wiring import nltk_data
from uhhrag.workflows import corpus as corpora
from uhhrag.workflows.documents import follow, warn_of_languages
from uhhrag.workflows.ingested import Ingested
from uhhrag.workflows.observer import Observer


def ingest(
    folder: Path, store: Path, *, again: bool, vectors: bool = True, observer: Observer
) -> Ingested:
    """Read what is new or changed in a folder into the store or corpus; with `again` everything.
    A corpus gets vectors, unless there are to be none. Raises UsageError for a store without them,
    which has none anyway."""
    if is_for_corpus(store):
        if vectors:
            models.path(defaults.EMBEDDER)  # says what is missing before everything is read
        result = corpora.update(store, (folder,), observer, again=again)
        if vectors:
            corpora.embed(store, None, defaults.DEVICE, observer)
        return result
    if not vectors:
        raise UsageError(f"--no-vectors: {store} is a store, which has none; leave it out")
    begun = time.monotonic()
    nltk_folder = nltk_data.load_nltk_data()
    files = survey(folder, leave_out=(store,))
    outcomes = follow(steps(files, store, nltk_folder, again=again), files, "ingest", observer)
    warn_of_languages(outcomes, observer)
    return Ingested(store, files, outcomes, time.monotonic() - begun)


def is_for_corpus(out: Path) -> bool:
    """Whether a corpus is meant: a folder, or a path that is not there and has no store's ending.

    >>> is_for_corpus(Path("archive")), is_for_corpus(Path("store.jsonl"))
    (True, False)
    """
    return out.is_dir() or (out.suffix.lower() not in (".jsonl", ".ndjson") and not out.exists())
