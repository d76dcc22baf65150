"""HTML: the main text without menus and footers, by trafilatura; nothing is ever fetched.

The date is taken from a page's metadata only: a year found somewhere in its text (a copyright
line, say) would be taken for the date of the page. Left out: comments of readers.
"""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from urllib.parse import urlsplit

from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.segmentation import clean, decoded, split_all
from uhhrag.text.dates import iso_date

_DECLARED = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w-]{2,40})", re.IGNORECASE)
# What browsers ("saved from url=(0027)…") and SingleFile ("url: …") put into a page they save.
_SAVED = re.compile(
    r"<!--[^>]{0,80}?\burl(?:=\(\d+\)|:\s*)(https?://[^\s>]{1,2000})", re.IGNORECASE
)
_TABLE_RULE = re.compile(r"^[|\s:-]*$")


def read_html(path: Path) -> tuple[Document, ...]:
    """The document of an HTML file. Raises Unreadable where it has no text."""
    from trafilatura import bare_extraction, html2txt

    raw = path.read_bytes()
    declared = _DECLARED.search(raw[:4096])
    text = decoded(raw, declared[1].decode() if declared else "")
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
    body = (extracted.text if extracted else "") or html2txt(page)
    blocks = [_row(block) for block in body.split("\n") if not _TABLE_RULE.match(block)]
    lines, _, starts = split_all(blocks)
    if not lines:
        raise Unreadable("has no text (a page that is filled in by scripts? save it as shown)")
    if extracted is None:
        return (Document(lines, url=_saved_from(text), starts=starts),)
    url = _web_address(extracted.url) or _saved_from(text)
    return (
        Document(
            lines,
            title=clean(extracted.title or ""),
            author=clean(extracted.author or ""),
            site=clean(extracted.sitename or "") or (urlsplit(url).hostname or ""),
            date=iso_date(extracted.date or ""),
            url=url,
            starts=starts,
        ),
    )


def _row(block: str) -> str:
    """
    >>> _row("| Year | Cars | ")
    'Year | Cars'
    """
    return block.strip().strip("|").strip() if block.startswith("|") else block


def _saved_from(text: str) -> str:
    match = _SAVED.search(text[:8192])
    return _web_address(match[1]) if match else ""


def _web_address(url: str | None) -> str:
    try:
        parts = urlsplit(clean(url or ""))
        return parts.geturl() if parts.scheme in ("http", "https") and parts.hostname else ""
    except ValueError:
        return ""
