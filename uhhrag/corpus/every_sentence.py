"""A small archive searched exactly: every sentence in memory."""

from __future__ import annotations

from uhhrag.corpus.snapshot import Snapshot
from uhhrag.indexing.document_index import DocumentIndex, index_documents


def indexed_archive(snapshot: Snapshot) -> DocumentIndex:
    """The documents of an archive in memory. Raises IndexFault where the bytes of one have
    changed."""
    return index_documents(snapshot.pages(), snapshot.digest)
