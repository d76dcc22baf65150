"""XML of a document that is not to be trusted, as events: no tree is built, so what is read can be
larger than memory.

A document type is refused, and with it every entity of a document's own: none is expanded, none
read from elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol
from xml.etree.ElementTree import ParseError, XMLParser

from uhhrag.documents.document import Unreadable

_DEEPEST = 2_000
"""Elements within each other; a text has some twenty."""


class Handler(Protocol):
    """What is told of the elements of a document in their order. Names come without their
    namespaces, those of attributes too."""

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
    """Give a handler what stands in a document, pausing after each piece. Raises Unreadable where
    it is no XML, is not complete, or is refused; `what` names it ("a Word document")."""
    try:
        parser = XMLParser(target=_Target(handler))  # noqa: S314 - no entity is ever defined
        for piece in pieces:
            parser.feed(piece)
            yield
        parser.close()
    except (ParseError, LookupError, ValueError) as error:
        raise Unreadable(f"is not {what}, or is damaged") from error


def parse(pieces: Iterable[bytes], handler: Handler, what: str) -> None:
    """Give a handler all that stands in a document. Raises Unreadable as `feed` does."""
    for _ in feed(pieces, handler, what):
        pass
