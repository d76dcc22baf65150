"""XML and HTML of documents that are not trusted, as trees; no entity is expanded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from uhhrag.documents.document import Unreadable

Element = Any
"""An element of lxml."""


def xml_tree(content: bytes, what: str) -> Element:
    """The root of an XML text. Raises Unreadable for no XML, a document type, or deep nesting in
    `what`."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        if "xcessive depth" in str(error):
            raise Unreadable("is nested too deeply") from error
        raise Unreadable(f"is not {what}, or is damaged") from error
    except ValueError as error:
        raise Unreadable(f"is not {what}, or is damaged") from error
    if root.getroottree().docinfo.doctype:
        raise Unreadable("declares a document type, which no such file does; refused")
    return root


def written(root: Element) -> bytes:
    """A tree as UTF-8."""
    from lxml import etree

    return bytes(etree.tostring(root, encoding="utf-8"))


def local(element: Element) -> str:
    """An element's name without namespace, "" for a comment."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def named(root: Element, *names: str) -> Iterator[Element]:
    """The elements below a root of these names, in order; removal meanwhile is safe."""
    wanted = [f"{{*}}{name}" for name in names]
    yield from list(root.iter(*wanted))


def attribute(element: Element, name: str, default: str = "") -> str:
    """An attribute by its name without namespace."""
    return next(
        (str(value) for key, value in element.attrib.items() if key.rpartition("}")[2] == name),
        default,
    )


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
