"""A small archive in memory, searched exactly."""

from __future__ import annotations

from uhhrag.archive.snapshot import Snapshot
from uhhrag.indexing.document_index import DocumentIndex, index_documents


def indexed_archive(snapshot: Snapshot) -> DocumentIndex:
    """Raises IndexFault for damaged bytes."""
    return index_documents(snapshot.pages(), snapshot.digest)
