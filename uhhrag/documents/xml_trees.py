"""Trees of untrusted XML and HTML; no entity is expanded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from uhhrag.documents.document import Unreadable

Element = Any
"""Of lxml."""
_SAFE: dict[str, Any] = {"resolve_entities": False, "no_network": True, "load_dtd": False}


def xml_tree(content: bytes, what: str) -> Element:
    """The root. Raises Unreadable, naming `what` it is not, for no XML, a document type, or deep
    nesting.
    """
    from lxml import etree

    with _told(what):
        root = etree.fromstring(content, etree.XMLParser(**_SAFE))
    _refuse_types(root)
    return root


def ended(pieces: Iterable[bytes], what: str, *names: str) -> Iterator[Element]:
    """The elements of these names as they end; the caller may clear them. Raises as `xml_tree`."""
    from lxml import etree

    with _told(what):
        parser = etree.XMLPullParser(("end",), tag=[f"{{*}}{name}" for name in names], **_SAFE)
        for piece in pieces:
            parser.feed(piece)
            for _, element in parser.read_events():
                _refuse_types(element)
                yield element
        parser.close()


@contextmanager
def _told(what: str) -> Iterator[None]:
    from lxml import etree

    try:
        yield
    except etree.XMLSyntaxError as error:
        deep = "xcessive depth" in str(error)
        why = "is nested too deeply" if deep else f"is not {what}, or is damaged"
        raise Unreadable(why) from error
    except ValueError as error:
        raise Unreadable(f"is not {what}, or is damaged") from error


def _refuse_types(element: Element) -> None:
    if element.getroottree().docinfo.doctype:
        raise Unreadable("declares a document type, which no such file does; refused")


def written(root: Element) -> bytes:
    from lxml import etree

    return bytes(etree.tostring(root, encoding="utf-8", with_tail=False))


def local(element: Element) -> str:
    """The name without namespace; "" for a comment."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def kin(element: Element, name: str) -> str:
    """A name in an element's namespace."""
    return f"{element.tag.rpartition('}')[0]}}}{name}"


def named(root: Element, *names: str) -> Iterator[Element]:
    """The elements of these names in order, the root included; removal meanwhile is safe."""
    wanted = [f"{{*}}{name}" for name in names]
    yield from list(root.iter(*wanted))


def attribute(element: Element, name: str, default: str = "") -> str:
    """An attribute by its name without namespace."""
    return next(
        (str(value) for key, value in element.attrib.items() if key.rpartition("}")[2] == name),
        default,
    )


def count(element: Element, name: str, most: int = 2**20) -> int:
    """How often a part counts, or its span; 1 if missing, wrong or 0."""
    text = attribute(element, name, "1").strip()
    known = text.isascii() and text.isdecimal() and len(text) < 10
    return min(max(1, int(text)), most) if known else 1


def take_out(element: Element, *, keep: bool = False) -> None:
    """Remove an element but not the text after it; `keep` leaves its content."""
    parent = element.getparent()
    if parent is None:
        return
    texts = [element.text or "" if keep else "", element.tail or ""]
    at = parent.index(element) if keep else 0
    before = element.getprevious()
    children = list(element) if keep else []
    parent.remove(element)
    if children:
        children[-1].tail = (children[-1].tail or "") + texts[1]
        parent[at:at] = children
        texts[1] = ""
    text = "".join(texts)
    if before is not None:
        before.tail = (before.tail or "") + text
    else:
        parent.text = (parent.text or "") + text


def is_struck(look: Element) -> bool:
    """Whether an OpenDocument look strikes text out, as Writer or as Calc says it."""
    said = (attribute(look, f"text-line-through-{name}", "none") for name in ("style", "type"))
    return any(how != "none" for how in said)
