"""The pages of one claim's index: what a passage stood in, looked up by its URL.

A store can have several hundred thousand lines per claim, so the lines stay packed in row groups,
and only those of a page that is asked for are unpacked. Left out: blank lines, and pages that hold
no passage of the index.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import compress

import pyarrow as pa
import pyarrow.parquet as pq

from uhhrag.errors import IndexFault
from uhhrag.protocols import Pages
from uhhrag.records import Page, Source
from uhhrag.system import arrow_buffers
from uhhrag.system.decode import shaped

_GROUP = 64
"""Pages unpacked together."""
SCHEMA = pa.schema(
    [
        ("url", pa.string()),
        ("title", pa.string()),
        ("author", pa.string()),
        ("date", pa.string()),
        ("lines", pa.list_(pa.string())),
        ("numbers", pa.list_(pa.int32())),
        ("site", pa.string()),
        ("file", pa.string()),
        ("dated_by", pa.string()),
        ("unit", pa.string()),
        ("ocr", pa.list_(pa.int32())),
    ]
)
_ADDED = ("site", "file", "dated_by", "unit")
_EARLIER = tuple(pa.schema(list(SCHEMA)[: SCHEMA.names.index(name)]) for name in _ADDED)
"""The columns of indexes that were built before `site`, `file`, `dated_by`, and `unit` with `ocr`
were added."""
_UNREADABLE = (pa.ArrowException, OSError, MemoryError, TypeError, ValueError)
_METADATA = [name for name in SCHEMA.names if name not in ("lines", "numbers", "ocr")]


def to_bytes(pages: Sequence[Page], urls: Collection[str]) -> bytes:
    """The pages with one of the `urls`, in order, as a Parquet file."""
    held = [_without_blanks(page) for page in pages if page.url in urls]
    columns = {name: [getattr(page, name) for page in held] for name in SCHEMA.names}
    sink = io.BytesIO()
    table = pa.table(columns, schema=SCHEMA)
    pq.write_table(table, sink, compression="zstd", row_group_size=_GROUP)
    return sink.getvalue()


def from_bytes(content: bytes, where: str) -> tuple[Pages, tuple[Source, ...]]:
    """The pages of a file of `to_bytes`, by URL, and what each says of itself, in the order of the
    store. Raises IndexFault where the bytes are not such a file."""
    try:
        file = pq.ParquetFile(arrow_buffers.reader_of(content))
        if file.schema_arrow not in (SCHEMA, *_EARLIER):
            raise TypeError("other columns")
        names = [name for name in _METADATA if name in file.schema_arrow.names]
        metadata = file.read(columns=names).to_pylist()
        if any(None in page.values() for page in metadata):
            raise TypeError("missing values")
    except _UNREADABLE as error:
        raise IndexFault(f"{where}: does not hold pages; build it again") from error
    rows_of: dict[str, list[int]] = {}
    for row, page in enumerate(metadata):
        rows_of.setdefault(page["url"], []).append(row)

    def pages(url: str, /) -> tuple[Page, ...]:
        try:
            return tuple(_page(file, row) for row in rows_of.get(url, ()))
        except _UNREADABLE as error:
            raise IndexFault(f"{where}: does not hold pages; build it again") from error

    return pages, tuple(Source(**page) for page in metadata)


def _page(file: pq.ParquetFile, row: int) -> Page:
    group = file.read_row_group(row // _GROUP)
    values = group.slice(row % _GROUP, 1).to_pylist()[0]
    return shaped(Page, values)


def _without_blanks(page: Page) -> Page:
    filled = [bool(line) and not line.isspace() for line in page.lines]
    return replace(
        page,
        lines=tuple(compress(page.lines, filled)),
        numbers=tuple(compress(page.numbers, filled)),
        ocr=tuple(compress(page.ocr, filled)),
    )
