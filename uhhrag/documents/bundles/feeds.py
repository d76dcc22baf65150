"""RSS, Atom, JSON feeds, wiki exports: a document per entry or page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import escape, unescape
from pathlib import Path
from typing import Any

from uhhrag.documents.document import Document, Unreadable, some
from uhhrag.documents.web.jsonl import documents_in, loaded
from uhhrag.documents.web.markup import marked_text
from uhhrag.documents.xml_trees import Element, attribute, local, named, written, xml_tree
from uhhrag.text.dates import iso_date

_FIELDS = {
    "title": ("title",),
    "url": ("link", "guid"),
    "author": ("creator", "author"),
    "date": ("pubDate", "published", "date", "updated"),
    "content_html": ("encoded", "content", "description", "summary", "title"),
}
"""Fields of a record, and the elements of an entry that say them, best first."""
_TAG = re.compile(r"</?[a-z]{1,9}(?:\s[^<>]*)?/?>", re.IGNORECASE)
_MOST_PAGES = 200
"""Of a wiki's export, each read by pandoc."""
_FEEDS = ("rss", "feed", "RDF")


def read_feed(path: Path) -> Iterator[Document | str]:
    raw = path.read_bytes().removeprefix(b"\xef\xbb\xbf").lstrip()
    root = xml_tree(raw, "a feed") if raw.startswith(b"<") else None
    if root is not None and local(root) == "mediawiki":
        yield from _pages(root)
    else:
        yield from documents_in(_items(raw) if root is None else _entries(root), "item")


def _pages(root: Element) -> Iterator[Document | str]:
    """Latest texts of a wiki export, without redirects."""
    pages = [one for one in named(root, "page") if next(named(one, "redirect"), None) is None]
    for page in pages[:_MOST_PAGES]:
        title, said, when = (
            ["", *(part.text or "" for part in named(page, name))][-1]
            for name in ("title", "text", "timestamp")
        )
        try:
            for found in marked_text(said, "mediawiki"):
                if isinstance(found, Document):
                    yield replace(found, title=title, key=title, date=iso_date(when))
                else:
                    yield f"page {title} {found}"
        except Unreadable as error:
            yield f"page {title} {error}"
    if len(pages) > _MOST_PAGES:
        more = some(len(pages) - _MOST_PAGES, "page")
        yield f"holds more than {_MOST_PAGES} pages; {more} not read"


def _entries(root: Element) -> Iterator[dict[str, Any]]:
    if local(root) not in _FEEDS:
        raise Unreadable("is XML of a kind that is not read; save it as a page or as text")
    site = next((one.text or "" for one in named(root, "title")), "")
    for entry in named(root, "item", "entry"):
        yield _shown({"site": site, **{name: _said(entry, of) for name, of in _FIELDS.items()}})


def _shown(entry: dict[str, Any]) -> dict[str, Any]:
    """Names as feed readers show them."""
    names = {key: unescape(_TAG.sub("", str(entry.get(key) or ""))) for key in ("title", "site")}
    return {**entry, **names}


def _said(entry: Element, names: tuple[str, ...]) -> str:
    """Of the first element of these names, media last."""
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
