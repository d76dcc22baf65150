from __future__ import annotations

from pathlib import Path

from uhhrag import defaults, models
from uhhrag.archive import manifest
from uhhrag.documents.changed import require_documents
from uhhrag.documents.listing import list_documents
from uhhrag.errors import UsageError
from uhhrag.store.claim_files import STORES
from uhhrag.workflows import corpus as corpora
from uhhrag.workflows.corpus import Ingested
from uhhrag.workflows.observer import Observer


def ingest(
    folder: Path, out: Path, *, again: bool, vectors: bool = True, observer: Observer
) -> Ingested:
    """Reads new and changed files (`again`: all). Raises UsageError for a file as `out`."""
    if out.suffix.lower() in STORES:
        raise UsageError(
            f"--out {out}: an archive is a folder; for JSON lines then run: uhhrag archive export "
            f"ARCHIVE {out}"
        )
    require_documents(list_documents(folder, leave_out=(out,)))
    embedded = manifest.is_corpus(out) and manifest.read(out)[0].vectors
    if vectors and not embedded:
        models.path(defaults.EMBEDDER)  # says what is missing before everything is read
    result = corpora.update(out, (folder,), observer, again=again)
    if vectors:
        corpora.embed(out, None, defaults.DEVICE, observer)
    return result
