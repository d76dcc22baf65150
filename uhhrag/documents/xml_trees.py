"""Trees of untrusted XML and HTML; no entity is expanded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from uhhrag.documents.document import Unreadable

Element = Any
"""Of lxml."""
_SAFE: dict[str, Any] = dict.fromkeys(("resolve_entities", "load_dtd", "collect_ids"), False)
_SAFE["no_network"] = True


def xml_tree(content: bytes, noun: str) -> Element:
    """`noun` is for messages."""
    from lxml import etree

    with _told(noun):
        root = etree.fromstring(content, etree.XMLParser(**_SAFE))
    _refuse_types(root)
    return root


def ended(pieces: Iterable[bytes], noun: str, *names: str) -> Iterator[Element]:
    """Elements of these names as they end; the caller may clear them."""
    from lxml import etree

    with _told(noun):
        parser = etree.XMLPullParser(("end",), tag=[f"{{*}}{name}" for name in names], **_SAFE)
        for piece in pieces:
            parser.feed(piece)
            for _, element in parser.read_events():
                _refuse_types(element)
                yield element
        parser.close()


@contextmanager
def _told(noun: str) -> Iterator[None]:
    from lxml import etree

    try:
        yield
    except (etree.XMLSyntaxError, ValueError) as error:
        deep = "xcessive depth" in str(error)
        why = "is nested too deeply" if deep else f"is not {noun}, or is damaged"
        raise Unreadable(why) from error


def _refuse_types(element: Element) -> None:
    if element.getroottree().docinfo.doctype:
        raise Unreadable("declares a document type, which no such file does; refused")


def written(root: Element) -> bytes:
    from lxml import etree

    return bytes(etree.tostring(root, encoding="utf-8", with_tail=False))


def local(element: Element) -> str:
    """Name without namespace; "" for a comment."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def kin(element: Element, name: str) -> str:
    """A name in an element's namespace."""
    return f"{element.tag.rpartition('}')[0]}}}{name}"


def named(root: Element, *names: str) -> Iterator[Element]:
    """Elements of these names in order, root included; removal meanwhile is safe."""
    wanted = [f"{{*}}{name}" for name in names]
    yield from list(root.iter(*wanted))


def attribute(element: Element, name: str, default: str = "") -> str:
    """By its name without namespace."""
    return next(
        (str(value) for key, value in element.attrib.items() if key.rpartition("}")[2] == name),
        default,
    )


def whole_number(text: str) -> int:
    """0 unless the text has one to eight digits."""
    return int(text) if text.isdecimal() and len(text) < 9 else 0


def count(element: Element, name: str, most: int = 2**20) -> int:
    """A repeat or span; 1 if missing, wrong or 0."""
    return min(max(1, whole_number(attribute(element, name).strip())), most)


def take_out(*elements: Element, keep: bool = False) -> None:
    """Removes elements, not the text after them; `keep` leaves their content."""
    from lxml.html import HtmlMixin

    for element in elements:
        if element.getparent() is not None:
            (HtmlMixin.drop_tag if keep else HtmlMixin.drop_tree)(element)


def is_bare(*elements: Element) -> bool:
    """No text beside their children."""
    texts = (text for one in elements for text in (one.text, *(part.tail for part in one)))
    return not any(text and text.strip() for text in texts)


def is_struck(look: Element) -> bool:
    """Of OpenDocument, as Writer or Calc says it."""
    said = (attribute(look, f"text-line-through-{name}", "none") for name in ("style", "type"))
    return any(how != "none" for how in said)


def ends_of(root: Element) -> dict[Element, tuple[int, int]]:
    """Where each element ends: the last position within; how many end before it there."""
    ends: dict[Element, tuple[int, int]] = {}
    for at, element in reversed([*enumerate(root.iter())]):
        last, nested = ends[element[-1]] if len(element) else (at, 0)
        ends[element] = last, nested + 1
    return ends
