"""The pages of one claim's index: what a passage stood in, found again by its URL.

A store can have several hundred thousand lines a claim, so the lines stay packed in row groups and
only those of a page that is asked for are unpacked. Left out: blank lines, and pages that hold
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
from uhhrag.system.decode import shaped

_GROUP = 64
"""pages unpacked together"""
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
    ]
)
_EARLIER = tuple(pa.schema(list(SCHEMA)[: SCHEMA.names.index(n)]) for n in ("site", "file"))
"""What is in indexes that were built before these were kept."""
_UNREADABLE = (pa.ArrowException, OSError, MemoryError, TypeError, ValueError)
_SAID = [name for name in SCHEMA.names if name not in ("lines", "numbers")]


def to_bytes(pages: Sequence[Page], urls: Collection[str]) -> bytes:
    """The pages with one of the `urls`, in order, as a Parquet file."""
    kept = [_without_blanks(page) for page in pages if page.url in urls]
    columns = {name: [getattr(page, name) for page in kept] for name in SCHEMA.names}
    sink = io.BytesIO()
    table = pa.table(columns, schema=SCHEMA)
    pq.write_table(table, sink, compression="zstd", row_group_size=_GROUP)
    return sink.getvalue()


def from_bytes(content: bytes, where: str) -> tuple[Pages, tuple[Source, ...]]:
    """How to find a page by its URL, and what each page says of itself, in the order of the
    store. Raises IndexFault where the bytes are no file of `to_bytes`."""
    try:
        file = pq.ParquetFile(io.BytesIO(content))
        if file.schema_arrow not in (SCHEMA, *_EARLIER):
            raise TypeError("other columns")
        told = [name for name in _SAID if name in file.schema_arrow.names]
        said = file.read(columns=told).to_pylist()
        if any(None in page.values() for page in said):
            raise TypeError("missing values")
    except _UNREADABLE as error:
        raise IndexFault(f"{where}: does not hold pages; build it again") from error
    rows_of: dict[str, list[int]] = {}
    for row, page in enumerate(said):
        rows_of.setdefault(page["url"], []).append(row)

    def pages(url: str, /) -> tuple[Page, ...]:
        try:
            return tuple(_page(file, row) for row in rows_of.get(url, ()))
        except _UNREADABLE as error:
            raise IndexFault(f"{where}: does not hold pages; build it again") from error

    return pages, tuple(Source(**page) for page in said)


def _page(file: pq.ParquetFile, row: int) -> Page:
    group = file.read_row_group(row // _GROUP)
    found = group.slice(row % _GROUP, 1).to_pylist()[0]
    page: Page = shaped(Page, found)
    return page


def _without_blanks(page: Page) -> Page:
    filled = [bool(line) and not line.isspace() for line in page.lines]
    return replace(
        page,
        lines=tuple(compress(page.lines, filled)),
        numbers=tuple(compress(page.numbers, filled)),
    )
