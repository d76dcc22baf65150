"""XML that is not trusted as events, without a tree; document types and entities are refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol
from xml.etree.ElementTree import ParseError, XMLParser

from uhhrag.documents.document import Unreadable

_DEEPEST = 2_000
"""Elements within each other; a text has some twenty."""


class Handler(Protocol):
    """Receives the elements of a document in order, names without namespaces."""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""

    def end(self, tag: str) -> None:
        """An element ends."""

    def data(self, text: str) -> None:
        """Text, of which one run can come in several pieces."""


class _Target:
    def __init__(self, handler: Handler) -> None:
        self._handler = handler
        self._depth = 0
        self.data = handler.data

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise Unreadable("is nested too deeply")
        self._handler.start(_local(tag), {_local(name): v for name, v in attributes.items()})

    def end(self, tag: str) -> None:
        self._depth -= 1
        self._handler.end(_local(tag))

    def doctype(self, *_: object) -> None:
        raise Unreadable("declares a document type, which no such file does; refused")

    def close(self) -> None:
        pass


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def feed(pieces: Iterable[bytes], handler: Handler, what: str) -> Iterator[None]:
    """Feed a document to a handler, pausing after each piece. Raises Unreadable for bad, incomplete
    or refused XML in `what` ("a Word document")."""
    try:
        parser = XMLParser(target=_Target(handler))  # noqa: S314 - no entity is ever defined
        for piece in pieces:
            parser.feed(piece)
            yield
        parser.close()
    except (ParseError, LookupError, ValueError) as error:
        raise Unreadable(f"is not {what}, or is damaged") from error


def parse(pieces: Iterable[bytes], handler: Handler, what: str) -> None:
    """Feed a whole document to a handler. Raises as `feed`."""
    for _ in feed(pieces, handler, what):
        pass
