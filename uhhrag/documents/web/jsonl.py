"""JSON lines, a document or post each. A list as text is already sentences."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape
from math import isfinite
from pathlib import Path
from typing import Any

import orjson

from uhhrag.documents.blocks import Block, split_blocks
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.segmentation import clean
from uhhrag.documents.web.nodes import blocks_of
from uhhrag.documents.whose_words import SHARES
from uhhrag.text.characters import text_lines
from uhhrag.text.dates import iso_date
from uhhrag.text.encodings import decode

_TEXTS = (
    *("url2text", "full_text", "text", "abstract", "content", "body", "contents", "selftext"),
    *("content_html", "content_text", "articleBody", "message", "description"),
)
_KEYS = ("_id", "id", "doc_id", "docid", "key")
_URLS = ("url", "link", "source_url")
_DATES = (
    *("date", "published", "publication_date", "published_at", "datePublished", "created"),
    *("created_at", "createdAt", "created_utc", "created_time", "pubDate", "pub_date"),
    *("date_published", "publishedAt", "timestamp", "year"),
)
_AUTHORS = ("author", "authors", "byline", "speaker", "user", "account", "from")
_NAMES = ("display_name", "displayName", "name", "screen_name", "username", "handle")
_HELD, _WHOLE = ("metadata", "data", "record"), ("extended_tweet", "note_tweet")
"""Fields with further fields of the document; with the text that is cut off in its own field."""
_SHARED, _QUOTED = ("retweeted_status", "reblog"), ("quoted_status", "quote")
_DEEPEST = 3
_MARK, _SIGN = re.compile(r"\s*>++(?!\s?\d)\s?"), re.compile(r"&#?\w{1,31};")
_POSTED = re.compile(r"\w{3} (\w{3}) (\d\d) [\d:]{8} [+-]\d{4} (\d{4})")
_MOMENT = re.compile(r"(1[0-8]\d{8}|\d{9}(?!\d))(?:\d{3})?(?:\.\d+)?")
"""Seconds since 1970, or thousandths."""
_SITES = ("site", "sitename", "publisher", "source")
_TAGS = re.compile(r"<(?:!doctype|/?(?:html|p|div|article|section|h[1-6]|ul|ol|table))\b", re.I)
_LINE_LIMIT = 64 * 2**20


def read_rows(path: Path) -> Iterator[Document | str]:
    yield from documents_in(map(_row, _lines(path)), "line")


def documents_in(rows: Iterable[dict[str, Any] | str], called: str) -> Iterator[Document | str]:
    """Documents, or what is wrong in place of one; raises Unreadable at the end without any."""
    any_good, first_fault = False, ""
    for number, row in enumerate(rows, start=1):
        result = row if isinstance(row, str) else _document(row, number)
        if isinstance(result, Document):
            any_good = True
            if result.lines:
                yield result
        elif result:
            first_fault = first_fault or f"{called} {number} {result}"
            yield f"{called} {number} {result}"
    if not any_good:
        raise Unreadable(f"has no document; {first_fault}" if first_fault else "is empty")


def _lines(path: Path) -> Iterator[bytes]:
    """b"" if too long."""
    with path.open("rb") as stream:
        while line := stream.readline(_LINE_LIMIT):
            whole = line
            while len(line) == _LINE_LIMIT and not line.endswith(b"\n"):
                whole, line = b"", stream.readline(_LINE_LIMIT)
            yield whole and (whole.removeprefix(b"\xef\xbb\xbf") or b" ")


def _row(line: bytes) -> dict[str, Any] | str:
    """Its object, "" if blank, else what is wrong."""
    if not line:
        return f"is longer than {_LINE_LIMIT >> 20} MiB"
    if line.isspace():
        return ""
    try:
        row = loaded(line)
    except (ValueError, RecursionError):
        return "is not JSON"
    return row if isinstance(row, dict) else "is not a JSON object"


def _document(row: dict[str, Any], number: int) -> Document | str:
    row = _flat(row)
    text = _text_in(row)
    if text is None and not any(isinstance(row.get(name), dict) for name in _SHARED):
        return f"has no text; it is looked for in {', '.join(_TEXTS)}"
    listed = isinstance(text, list)
    found = Document(tuple(map(clean, text or ()))) if listed else split_blocks(_blocks(row))
    url = _field(row, _URLS)
    filled = [at for at, line in enumerate(found.lines) if line]
    return Document(
        tuple(found.lines[at] for at in filled),
        _pages(row.get("pages"), filled, len(found.lines)),
        title=_field(row, ("title", "headline")),
        author=_field(row, _AUTHORS).removeprefix("By "),
        site=_field(row, _SITES),
        date=_day(_field(row, _DATES)),
        url=url if url.startswith(("http://", "https://")) else "",
        key=_field(row, _KEYS) or str(number),
        quoted=found.quoted,
    )


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    for name in [name for name in _HELD if isinstance(row.get(name), dict)]:
        known = _text_in(row)
        row = {**{key: x for key, x in row[name].items() if not known or key not in _TEXTS}, **row}
    wholes = (_text_in(row[name]) for name in _WHOLE if isinstance(row.get(name), dict))
    whole = next(filter(None, wholes), None)
    return {**row, "full_text": whole} if whole else row


def _text_in(row: Mapping[str, Any]) -> str | list[str] | None:
    texts = [row[name] for name in _TEXTS if isinstance(row.get(name), str | list)]
    text: str | list[Any] | None = next(filter(None, texts), texts[0] if texts else None)
    if not isinstance(text, list) or all(isinstance(part, str) for part in text):
        return text
    runs = [part.get("text") if isinstance(part, dict) else part for part in text]  # with looks
    said = [run for run in runs if isinstance(run, str)]
    between = "" if any(isinstance(part, str) for part in text) else "\n"  # whole paragraphs
    return between.join(said) if len(said) == len(runs) else None


def _blocks(row: Mapping[str, Any], whose: str | None = None, deep: int = 0) -> Iterator[Block]:
    """Of a post, then of those it quotes; only of the one it shares."""
    shared, quoted = (
        [_flat(row[name]) for name in names if isinstance(row.get(name), dict)]
        for names in (_SHARED, _QUOTED)
    )
    if not shared:
        given = _text_in(row) or ""
        text = given if isinstance(given, str) else "\n".join(given)
        by = SHARES.match(text)
        whose = f"@{by[1]}" if by else _field(row, ("forwarded_from",)) or whose
        for block in _blocks_of(text[by.end() :] if by else text):
            yield block if block.quoted is not None else replace(block, quoted=whose)
    for post in shared or quoted if deep < _DEEPEST else ():
        yield from _blocks(post, _field(post, _AUTHORS), deep + 1)


def _blocks_of(text: str) -> Iterator[Block]:
    if len(_TAGS.findall(text)) > 1 and _TAGS.match(text.lstrip()):
        yield from blocks_of(text)
        return
    for line in text_lines(_SIGN.sub(lambda sign: unescape(sign[0]), text)):
        mark = _MARK.match(line)
        yield Block(line[mark.end() :], quoted="") if mark else Block(line)


def loaded(line: bytes) -> Any:
    """Takes lone surrogates and other encodings too. Raises ValueError."""
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        content = decode(line)
        if content.lost:
            raise
        return json.loads(content.text)


def _pages(pages: Any, filled: list[int], count: int) -> tuple[int, ...]:
    """() unless every line has one."""
    of_all = isinstance(pages, list) and len(pages) == count
    known = of_all and all(type(page) is int and page > 0 for page in pages)
    return tuple(pages[at] for at in filled) if known else ()


def _day(text: str) -> str:
    """
    >>> _day("Wed May 15 09:00:00 +0000 2024"), _day("1512091200"), _day("2019")
    ('2024-05-15', '2017-12-01', '2019')
    """
    if moment := _MOMENT.fullmatch(text):
        return datetime.fromtimestamp(int(moment[1]), UTC).date().isoformat()
    return iso_date(_POSTED.sub(r"\2 \1 \3", text))


def _field(row: Mapping[str, Any], names: tuple[str, ...]) -> str:
    for name in names:
        value = row.get(name)
        if isinstance(value, dict):
            value = _field(value, _NAMES)
        if isinstance(value, list):
            named = (_field(item, _NAMES) if isinstance(item, dict) else item for item in value)
            value = ", ".join(one for one in named if isinstance(one, str))
        if isinstance(value, float) and isfinite(value):
            value = int(value) if value.is_integer() else str(value)
        if type(value) in (str, int) and clean(str(value)):
            return clean(str(value))
    return ""
