"""HTML: the main text without menus and footers, by trafilatura; nothing is ever fetched.

The date is taken from a page's metadata only: a year found somewhere in its text (a copyright
line, say) would be taken for the date of the page. Left out: comments of readers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from uhhrag.documents.blocks import Block, split_blocks
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.segmentation import clean, decoded
from uhhrag.text.dates import iso_date
from uhhrag.text.encodings import Decoded

_DECLARED = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w-]{2,40})", re.IGNORECASE)
# What browsers ("saved from url=(0027)…") and SingleFile ("url: …") put into a page they save.
_SAVED = re.compile(
    r"<!--[^>]{0,80}?\burl(?:=\(\d+\)|:\s*)(https?://[^\s>]{1,2000})", re.IGNORECASE
)
_TABLE_RULE = re.compile(r"^[|\s:-]*$")
_BLOCKS = ("p", "item", "head", "cell", "quote")
_HEADING = re.compile(r"⟦(?:h([1-6]))?⟧")


def read_html(path: Path) -> Iterator[Document | str]:
    """The document of an HTML file. Raises Unreadable where it has no text."""
    content = page_text(path.read_bytes())
    yield document_of_page(content.text)
    yield from filter(None, [content.fault])


def page_text(raw: bytes, charset: str = "") -> Decoded:
    """The text of an HTML file, by the encoding that its server gave, or that it declares."""
    declared = _DECLARED.search(raw[:4096])
    return decoded(raw, charset or (declared[1].decode() if declared else ""))


def document_of_page(text: str) -> Document:
    """The document of an HTML text. Raises Unreadable where it has no text."""
    from trafilatura import bare_extraction, html2txt

    dates = {
        "original_date": True,
        "extensive_search": False,
        "max_date": date.today().isoformat(),
    }
    # A page without <html> is refused by the extractor as no page at all.
    page = text if "<html" in text[:4096].lower() else f"<html><body>{text}</body></html>"
    extracted = bare_extraction(
        page, with_metadata=True, include_comments=False, date_extraction_params=dates
    )
    body = (_text_of(extracted.body) if extracted else "") or html2txt(page)
    split = split_blocks(_blocks(body))
    if not split.lines:
        raise Unreadable("has no text (a page that is filled in by scripts? save it as shown)")
    if extracted is None:
        return Document(split.lines, url=_saved_from(text), starts=split.starts)
    url = _web_address(extracted.url) or _saved_from(text)
    return Document(
        split.lines,
        title=clean(extracted.title or ""),
        author=clean(extracted.author or ""),
        site=clean(extracted.sitename or "") or (urlsplit(url).hostname or ""),
        date=iso_date(extracted.date or ""),
        url=url,
        starts=split.starts,
        sections=split.sections,
        quoted=split.quoted,
    )


def _text_of(body: Any) -> str:
    """The text of an extracted page, a line for each block, with a mark before each heading, since
    the extractor's own text does not tell these from paragraphs. Nor does it always join the lines
    that the source of a paragraph is wrapped into."""
    from trafilatura.xml import xmltotxt

    for block in body.iter(*_BLOCKS):
        for node in block.iter():
            node.text = _unwrapped(node.text)
            if node is not block:
                node.tail = _unwrapped(node.tail)
    for heading in body.iter("head"):
        heading.text = f"⟦{heading.get('rend', '')}⟧{heading.text or ''}"
    return str(xmltotxt(body, include_formatting=False))


def _unwrapped(text: str | None) -> str | None:
    """Line breaks of a page's source are spaces; those that a reader sees are elements."""
    return re.sub(r"[ \t]*[\r\n]\s*", " ", text) if text else text


def _blocks(text: str) -> Iterator[Block]:
    """The lines of such a text: headings, paragraphs and rows of tables."""
    for line in text.split("\n"):
        if _TABLE_RULE.match(line):
            continue
        marked, bare = _HEADING.match(line), _HEADING.sub("", line)
        if bare.startswith("|"):
            yield Block(cells=tuple(map(str.strip, bare.strip().strip("|").split("|"))))
        else:
            yield Block(bare, level=int(marked[1] or 1) if marked else 0)


def _saved_from(text: str) -> str:
    match = _SAVED.search(text[:8192])
    return _web_address(match[1]) if match else ""


def _web_address(url: str | None) -> str:
    try:
        parts = urlsplit(clean(url or ""))
        return parts.geturl() if parts.scheme in ("http", "https") and parts.hostname else ""
    except ValueError:
        return ""
