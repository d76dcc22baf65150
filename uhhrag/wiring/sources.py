"""Sources of pages, by address."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from uhhrag.errors import ModelError, UsageError
from uhhrag.protocols import PageSource
from uhhrag.records import Claim, Page
from uhhrag.store.search_engine import pages_of, query_of

_TIMEOUT = 60.0
"""Seconds."""


class OpenSource(Protocol):
    def __call__(self, address: str, /, *, allow_remote: bool) -> PageSource:
        """Raises UhhragError."""
        ...


def open_engine(url: str, /, *, allow_remote: bool) -> PageSource:
    """A search engine's index, such as http://127.0.0.1:9200/news; read only. Raises UsageError for
    an unusable address; the source raises ModelError or InputError."""
    # The library opens a socket when it is loaded.
    from uhhrag.backends.http import Refused, exchange, read_address

    address = read_address(url, "--docs", allow_remote=allow_remote)
    if not address.path.strip("/"):
        raise UsageError(f"--docs {url} names no index; it reads http://127.0.0.1:9200/INDEX")

    def pages(claim: Claim) -> Iterable[Page]:
        try:
            answer = exchange(address, "/_search", query_of(claim), timeout=_TIMEOUT)
        except Refused as refused:
            raise ModelError(f"{refused}; is there an index, and may it be searched?") from None
        return pages_of(answer, str(address))

    return pages


SOURCES: Mapping[str, OpenSource] = {"http": open_engine, "https": open_engine}
"""By scheme."""


def is_address(docs: str) -> bool:
    """
    >>> is_address("http://127.0.0.1:9200/news"), is_address("reports")
    (True, False)
    """
    scheme, colon, _ = docs.partition("://")
    return bool(colon) and scheme in SOURCES


def open_source(address: str, *, allow_remote: bool) -> PageSource:
    return SOURCES[address.partition("://")[0]](address, allow_remote=allow_remote)
