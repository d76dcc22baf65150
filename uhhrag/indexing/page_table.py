"""A claim's passages, and its pages without blank lines, as packed Parquet."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import compress

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from uhhrag.errors import IndexFault
from uhhrag.protocols import NumberedDocuments
from uhhrag.records import Hit, Page, Passage, Place, Source
from uhhrag.system import arrow_buffers
from uhhrag.system.decode import shaped

_PASSAGES = pa.schema(
    [
        ("text", pa.string()),
        ("urls", pa.list_(pa.string())),
        ("bm25", pa.float64()),
        ("documents", pa.list_(pa.int32())),
        ("lines", pa.list_(pa.int32())),
    ]
)
_KNOWN = (_PASSAGES, pa.schema(list(_PASSAGES)[:3]))
"""Earlier indexes have no places."""
_GROUP = 64
"""Pages unpacked together."""
_UNPACKED = 4
"""Groups kept unpacked."""
_ADDED = ("site", "file", "dated_by", "unit")
SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("url", "title", "author", "date")),
        ("lines", pa.list_(pa.string())),
        ("numbers", pa.list_(pa.int32())),
        *((name, pa.string()) for name in _ADDED),
        ("ocr", pa.list_(pa.int32())),
    ]
)
_EARLIER = tuple(pa.schema(list(SCHEMA)[: SCHEMA.names.index(name)]) for name in _ADDED)
"""Columns before each of `_ADDED`."""
UNREADABLE = (pa.ArrowException, OSError, MemoryError, TypeError, ValueError)
_METADATA = [name for name in SCHEMA.names if name not in ("lines", "numbers", "ocr")]


def held(pages: Sequence[Page], urls: Collection[str]) -> list[Page]:
    """Those at `urls`, in order, without blank lines."""
    return [_without_blanks(page) for page in pages if page.url in urls]


def placed(passages: Sequence[Passage], pages: Iterable[Page]) -> tuple[Passage, ...]:
    """The first line on each address's first page; none if one is missing."""
    places: dict[str, dict[str, Place]] = {passage.text: {} for passage in passages}
    for number, page in enumerate(pages):
        for line, text in enumerate(page.lines):
            if (known := places.get(text)) is not None and page.url not in known:
                known[page.url] = Place(number, line)
    return tuple(_placed(passage, places[passage.text]) for passage in passages)


def _placed(passage: Passage, places: Mapping[str, Place]) -> Passage:
    there = tuple(places[url] for url in passage.urls if url in places)
    return replace(passage, places=there if len(there) == len(passage.urls) else ())


def to_bytes(held: Sequence[Page]) -> bytes:
    columns = {name: [getattr(page, name) for page in held] for name in SCHEMA.names}
    return arrow_buffers.packed(pa.table(columns, schema=SCHEMA), row_group_size=_GROUP)


def from_bytes(content: bytes, label: str) -> tuple[NumberedDocuments, tuple[Source, ...]]:
    """Raises IndexFault for other bytes."""
    try:
        file = pq.ParquetFile(arrow_buffers.reader_of(content))
        if file.schema_arrow not in (SCHEMA, *_EARLIER):
            raise TypeError("other columns")
        names = [name for name in _METADATA if name in file.schema_arrow.names]
        metadata = file.read(columns=names).to_pylist()
        if any(None in page.values() for page in metadata):
            raise TypeError("missing values")
    except UNREADABLE as error:
        raise IndexFault(f"{label}: does not hold pages; build it again") from error

    @lru_cache(_UNPACKED)
    def group(number: int) -> pa.Table:
        return file.read_row_group(number)

    def document(number: int, /) -> Page | None:
        try:
            if not 0 <= number < len(metadata):
                return None
            row = group(number // _GROUP).slice(number % _GROUP, 1)
            return shaped(Page, row.to_pylist()[0])
        except UNREADABLE as error:
            raise IndexFault(f"{label}: does not hold pages; build it again") from error

    return document, tuple(Source(**page) for page in metadata)


def _without_blanks(page: Page) -> Page:
    filled = [bool(line) and not line.isspace() for line in page.lines]
    return replace(
        page,
        lines=tuple(compress(page.lines, filled)),
        numbers=tuple(compress(page.numbers, filled)),
        ocr=tuple(compress(page.ocr, filled)),
    )


def passages_to_bytes(passages: Sequence[Passage], scores: Sequence[float]) -> bytes:
    columns = {
        "text": [passage.text for passage in passages],
        "urls": [passage.urls for passage in passages],
        "bm25": scores,
        "documents": [[place.document for place in p.places] for p in passages],
        "lines": [[place.line for place in p.places] for p in passages],
    }
    return arrow_buffers.packed(pa.table(columns, schema=_PASSAGES))


def passages_from_bytes(
    content: bytes, label: str, pages: Iterable[Page | None]
) -> tuple[Hit, ...]:
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
        raise IndexFault(f"{label}: does not hold passages; build it again") from error


def _at(passage: Passage, documents: Sequence[int], lines: Sequence[int]) -> Passage:
    if len(documents) != len(lines) or len(lines) not in (0, len(passage.urls)):
        raise TypeError("a place is missing")
    return replace(passage, places=tuple(map(Place, documents, lines)))
