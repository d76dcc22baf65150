"""JSON lines, a document each, as of BEIR, SciFact or a knowledge store. A list as text is already
sentences."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from uhhrag.documents.blocks import split_blocks
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.html_nodes import blocks_of
from uhhrag.documents.segmentation import clean, split_all
from uhhrag.text.characters import text_lines
from uhhrag.text.dates import iso_date
from uhhrag.text.encodings import decode

_TEXTS = ("url2text", "text", "abstract", "content", "body", "contents")
_KEYS = ("_id", "id", "doc_id", "docid", "key")
_URLS = ("url", "link", "source_url")
_DATES = ("date", "published", "publication_date", "created", "timestamp", "year")
_AUTHORS = ("author", "authors", "byline")
_SITES = ("site", "sitename", "publisher", "source")
_TAGS = re.compile(r"<(?:!doctype|/?(?:html|p|div|article|section|h[1-6]|ul|ol|table))\b", re.I)
_LINE_LIMIT = 64 * 2**20


def read_rows(path: Path) -> Iterator[Document | str]:
    """A `Reader`. Raises Unreadable without any document."""
    any_good, first_fault = False, ""
    for number, line in enumerate(_lines(path), start=1):
        result = _document(line, number) if line else f"is longer than {_LINE_LIMIT >> 20} MiB"
        if isinstance(result, Document):
            any_good = True
            if result.lines:
                yield result
        elif result:
            first_fault = first_fault or f"line {number} {result}"
            yield f"line {number} {result}"
    if not any_good:
        raise Unreadable(f"has no document; {first_fault}" if first_fault else "is empty")


def _lines(path: Path) -> Iterator[bytes]:
    """b"" for one that is too long."""
    with path.open("rb") as stream:
        while line := stream.readline(_LINE_LIMIT):
            whole = line
            while len(line) == _LINE_LIMIT and not line.endswith(b"\n"):
                whole, line = b"", stream.readline(_LINE_LIMIT)
            yield whole.removeprefix(b"\xef\xbb\xbf") or b" "


def _document(line: bytes, number: int) -> Document | str:
    if line.isspace():
        return ""
    try:
        row = _loaded(line)
    except (ValueError, RecursionError):
        return "is not JSON"
    if not isinstance(row, dict):
        return "is not a JSON object"
    texts = [row[name] for name in _TEXTS if row.get(name) is not None]
    text = next(filter(None, texts), texts[0] if texts else None)
    listed = isinstance(text, list) and all(isinstance(line, str) for line in text)
    if not listed and not isinstance(text, str):
        return f"has no text; it is looked for in {', '.join(_TEXTS)}"
    lines = tuple(map(clean, text or ())) if listed else _lines_of(str(text))
    about = {**row["metadata"], **row} if isinstance(row.get("metadata"), dict) else row
    url = _field(about, _URLS)
    filled = [at for at, line in enumerate(lines) if line]
    return Document(
        tuple(lines[at] for at in filled),
        _pages(row.get("pages"), filled, len(lines)),
        title=_field(about, ("title",)),
        author=_field(about, _AUTHORS),
        site=_field(about, _SITES),
        date=iso_date(_field(about, _DATES)),
        url=url if url.startswith(("http://", "https://")) else "",
        key=_field(about, _KEYS) or str(number),
    )


def _lines_of(text: str) -> tuple[str, ...]:
    html = len(_TAGS.findall(text)) > 1 and _TAGS.match(text.lstrip())
    return split_blocks(blocks_of(text)).lines if html else split_all(text_lines(text)).lines


def _loaded(line: bytes) -> Any:
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


def _field(row: Mapping[str, Any], names: tuple[str, ...]) -> str:
    """
    >>> _field({"authors": ["A. One", "B. Two"]}, ("author", "authors"))
    'A. One, B. Two'
    """
    for name in names:
        value = row.get(name)
        if isinstance(value, list):
            value = ", ".join(item for item in value if isinstance(item, str))
        if isinstance(value, str | int) and not isinstance(value, bool) and clean(str(value)):
            return clean(str(value))
    return ""
