"""RSS, Atom and JSON feeds: a document for each entry."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape, unescape
from pathlib import Path
from typing import Any

from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.web.jsonl import documents_in, loaded
from uhhrag.documents.xml_trees import Element, attribute, local, named, written, xml_tree

_FIELDS = {
    "title": ("title",),
    "url": ("link", "guid"),
    "author": ("creator", "author"),
    "date": ("pubDate", "published", "date", "updated"),
    "content_html": ("encoded", "content", "description", "summary", "title"),
}
"""Fields of a record, and the elements of an entry that say them, best first."""
_TAG = re.compile(r"</?[a-z]{1,9}(?:\s[^<>]*)?/?>", re.IGNORECASE)
_FEEDS = ("rss", "feed", "RDF")


def read_feed(path: Path) -> Iterator[Document | str]:
    raw = path.read_bytes().removeprefix(b"\xef\xbb\xbf").lstrip()
    yield from documents_in(_entries(raw) if raw.startswith(b"<") else _items(raw), "item")


def _entries(raw: bytes) -> Iterator[dict[str, Any]]:
    root = xml_tree(raw, "a feed")
    if local(root) not in _FEEDS:
        raise Unreadable("is XML of a kind that is not read; save it as a page or as text")
    site = next((one.text or "" for one in named(root, "title")), "")
    for entry in named(root, "item", "entry"):
        yield _shown({"site": site, **{name: _said(entry, of) for name, of in _FIELDS.items()}})


def _shown(entry: dict[str, Any]) -> dict[str, Any]:
    """With names as readers of feeds show them."""
    names = {key: unescape(_TAG.sub("", str(entry.get(key) or ""))) for key in ("title", "site")}
    return {**entry, **names}


def _said(entry: Element, names: tuple[str, ...]) -> str:
    """What the first of its elements of these names says, those of media last."""
    every = [*entry, *(one for part in entry if local(part) == "group" for one in part)]
    parts = (_text(one) for name in names for one in every if local(one) == name)
    return next(filter(None, parts), "")


def _text(element: Element) -> str:
    if local(element) == "author" and len(element):
        return _said(element, ("name",))
    if attribute(element, "href"):
        return attribute(element, "href") * (attribute(element, "rel") in ("", "alternate"))
    nested = attribute(element, "type") == "xhtml"
    text = written(element).decode() if nested else (element.text or "").strip()
    if local(element) not in _FIELDS["content_html"] or not text:
        return text
    return f"<div>{escape(text) if attribute(element, 'type') in ('text', 'plain') else text}</div>"


def _items(raw: bytes) -> Iterator[dict[str, Any]]:
    try:
        feed = loaded(raw)
    except (ValueError, RecursionError) as error:
        raise Unreadable("is not JSON, or is damaged") from error
    items = feed.get("items") if isinstance(feed, dict) else None
    if not isinstance(items, list):
        raise Unreadable("is JSON of a kind that is not read; save its records as .jsonl")
    about = {"site": feed.get("title"), "authors": feed.get("authors")}
    for item in (one for one in items if isinstance(one, dict)):
        html = item.get("content_html")
        yield _shown({**about, **item, **({"content_html": f"<div>{html}</div>"} if html else {})})
