from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from html.parser import HTMLParser
from typing import Any

from uhhrag.text.characters import one_line

PAGES = (".html", ".htm")
BROKEN = object()
"""Stands for a page's review that is no JSON."""
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_ATTRIBUTES = r"""(?:\s+[\w-]+(?:="[^"]*"|='[^']*'))*\s*/?"""
_PARAGRAPH = re.compile(rf"</?(?:br|div|h[1-6]|li|ol|p|ul){_ATTRIBUTES}>", re.IGNORECASE)
_INLINE = re.compile(rf"</?(?:a|b|em|i|q|span|strong|su[bp]|u){_ATTRIBUTES}>", re.IGNORECASE)
_OPENS = re.compile(r"^(?://|/\*)?\s{0,9}(?:<!\[CDATA\[|<!--)\s{0,9}(?:\*/)?")
_CLOSES = re.compile(r"(?://|/\*)?\s{0,9}(?:\]\]>|-->)\s{0,9}(?:\*/)?$")


def values_in(text: str, ending: str) -> Iterator[Any]:
    """A list for a page. Raises ValueError, with a line's number."""
    if ending in PAGES:
        page = _Scripts()
        page.feed(text)
        page.close()
        values = list(map(_unwrapped, page.blocks))
        yield values  # together, for one block names what another is about
        yield from (value for value in values if value is BROKEN)
    elif ending in (".jsonl", ".ndjson"):
        yield from _of_lines(text)
    else:
        yield _json(text)


def plain(text: str) -> str:
    """One line without entities and tags.

    >>> plain("<p>It&amp;#8217;s <b>free</b> &amp; new</p>"), plain("/?a=1&copy=2")
    ('It’s free & new', '/?a=1&copy=2')
    """
    for _ in range(2):  # some publishers escape twice
        text = _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)
    return one_line(_INLINE.sub("", _PARAGRAPH.sub(" ", text)))


def _json(text: str) -> Any:
    return json.loads(text, strict=False)


def _of_lines(text: str) -> Iterator[Any]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield _json(line)
            except ValueError as error:
                raise ValueError(f"line {number}: {error}") from error


class _Scripts(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.blocks: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        kind = dict(attrs).get("type") or ""
        self._inside = tag == "script" and "ld+json" in kind.lower()
        if self._inside:
            self.blocks.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.blocks[-1] += data


def _unwrapped(block: str) -> Any:
    """The JSON of a block, also as a comment, escaped or with a semicolon."""
    bare = _CLOSES.sub("", _OPENS.sub("", block.strip())).strip().rstrip(";")
    for text in (block, bare, html.unescape(bare)):
        with suppress(ValueError):
            return _json(text)
    return BROKEN if "ClaimReview" in block else None
