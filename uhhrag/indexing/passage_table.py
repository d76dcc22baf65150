"""A claim's passages as Parquet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from uhhrag.errors import IndexFault
from uhhrag.indexing.page_table import UNREADABLE, placed
from uhhrag.records import Hit, Page, Passage, Place
from uhhrag.system import arrow_buffers

SCHEMA = pa.schema(
    [
        ("text", pa.string()),
        ("urls", pa.list_(pa.string())),
        ("bm25", pa.float64()),
        ("documents", pa.list_(pa.int32())),
        ("lines", pa.list_(pa.int32())),
    ]
)
_KNOWN = (SCHEMA, pa.schema(list(SCHEMA)[:3]))
"""Earlier indexes have no places."""


def to_bytes(passages: Sequence[Passage], scores: Sequence[float]) -> bytes:
    columns = {
        "text": [passage.text for passage in passages],
        "urls": [passage.urls for passage in passages],
        "bm25": scores,
        "documents": [[place.document for place in p.places] for p in passages],
        "lines": [[place.line for place in p.places] for p in passages],
    }
    return arrow_buffers.packed(pa.table(columns, schema=SCHEMA))


def from_bytes(content: bytes, where: str, pages: Iterable[Page | None]) -> tuple[Hit, ...]:
    """Raises IndexFault for other bytes. `pages` give places that an earlier index lacks."""
    try:
        table = pq.read_table(arrow_buffers.reader_of(content))
        if table.schema not in _KNOWN:
            raise TypeError("other columns")
        lists = [pc.list_flatten(column) for column in (table.columns[1], *table.columns[3:])]
        if any(column.null_count for column in (*table.columns, *lists)):
            raise TypeError("missing values")
        texts, urls, scores, *places = (column.to_pylist() for column in table.columns)
        passages = [Passage(text, tuple(of)) for text, of in zip(texts, urls, strict=True)]
        if places:
            there = zip(passages, *places, strict=True)
            passages = [_at(passage, documents, lines) for passage, documents, lines in there]
        else:
            passages = list(placed(passages, [page for page in pages if page]))
        return tuple(map(Hit, passages, scores))
    except UNREADABLE as error:
        raise IndexFault(f"{where}: does not hold passages; build it again") from error


def _at(passage: Passage, documents: Sequence[int], lines: Sequence[int]) -> Passage:
    if len(documents) != len(lines) or len(lines) not in (0, len(passage.urls)):
        raise TypeError("a place is missing")
    return replace(passage, places=tuple(map(Place, documents, lines)))
