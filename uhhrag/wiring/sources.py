"""Where pages for a claim can come from beside documents on this machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from uhhrag.backends.search_engine import open_engine
from uhhrag.protocols import Source


class OpenSource(Protocol):
    def __call__(self, address: str, /, *, allow_remote: bool) -> Source:
        """What answers at an address. Raises UhhragError where nothing does."""
        ...


SOURCES: Mapping[str, OpenSource] = {"http": open_engine, "https": open_engine}
"""What opens a source, by the scheme of the address that `--docs` names."""


def is_address(docs: str) -> bool:
    """Whether a text names a source and not a folder.

    >>> is_address("http://127.0.0.1:9200/news"), is_address("reports")
    (True, False)
    """
    scheme, colon, _ = docs.partition("://")
    return bool(colon) and scheme in SOURCES


def open_source(address: str, *, allow_remote: bool) -> Source:
    """The source at an address."""
    return SOURCES[address.partition("://")[0]](address, allow_remote=allow_remote)
