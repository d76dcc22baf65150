"""HTML: the main text without menus and footers, by trafilatura; nothing is ever fetched.

Corrections, updates, captions and boxes that belong to an article follow its text. The date is
taken from a page's metadata only: a year found somewhere in its text (a copyright line, say) would
be taken for the date of the page. Left out: comments of readers, what is hidden or struck out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from uhhrag.documents.blocks import Block, document_of
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.html_tree import html_tree
from uhhrag.documents.segmentation import clean, decoded
from uhhrag.documents.xml_trees import Element, local, written
from uhhrag.text.dates import iso_date
from uhhrag.text.encodings import Decoded

_DECLARED = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w-]{2,40})", re.IGNORECASE)
# What browsers ("saved from url=(0027)…") and SingleFile ("url: …") put into a page they save.
_SAVED = re.compile(
    r"<!--[^>]{0,80}?\burl(?:=\(\d+\)|:\s*)(https?://[^\s>]{1,2000})", re.IGNORECASE
)
_TABLE_RULE = re.compile(r"^[|\s:-]*$")
_BLOCKS = ("p", "item", "head", "cell", "quote")
_MARK = re.compile(r"⟦(?:h([1-6])|(q))?⟧")
_AMENDS = re.compile(
    r"[^\w]*(?:corrections?|corrected|updated?|updates|clarifications?|clarified|errat(?:um|a)"
    r"|corrigend(?:um|a)|retractions?|editors?.{0,2}s? note|note to readers|amended|amendment"
    r"|this (?:article|story|post|page|piece|report) (?:was|has been) "
    r"(?:amended|corrected|updated|changed|edited|revised))\b",
    re.IGNORECASE,
)
_LEAVES = ("p", "li", "div", "small", "dd", "td", "section", "aside", "footer")
_MAIN = ("article", "main")
_SENTENCE = re.compile(r"\w.*[.!?…][\"”’')\]]*$", re.DOTALL)
_LEAST_WORDS, _MOST_LINKED = 5, 0.4
_NO_TEXT = "has no text (a page that is filled in by scripts? save it as shown)"


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
    """The document of a web page. Raises Unreadable where it has no text."""
    from trafilatura import bare_extraction, html2txt

    root = html_tree(text)
    if root is None:
        raise Unreadable(_NO_TEXT)
    whole, plain = list(_amendments(root)), written(root).decode()
    dates = {
        "original_date": True,
        "extensive_search": False,
        "max_date": date.today().isoformat(),
    }
    extracted = bare_extraction(
        root, with_metadata=True, include_comments=False, date_extraction_params=dates
    )
    body = _text_of(extracted.body) if extracted else ""
    blocks = list(_blocks(body or html2txt(plain)))
    blocks += _missing(whole, blocks)
    if not any(block.text or block.cells for block in blocks):
        raise Unreadable(_NO_TEXT)
    if extracted is None:
        return document_of(blocks, url=_saved_from(text))
    url = _web_address(extracted.url) or _saved_from(text)
    return document_of(
        blocks,
        title=clean(extracted.title or ""),
        author=clean(extracted.author or ""),
        site=clean(extracted.sitename or "") or (urlsplit(url).hostname or ""),
        date=iso_date(extracted.date or ""),
        url=url,
    )


def _amendments(root: Element) -> Iterator[str]:
    """The texts of a page that belong to its article wherever they stand: corrections, updates,
    captions, and sentences in boxes of the article."""
    for element in root.iter("figcaption", "caption", *_LEAVES):
        if local(element) in ("figcaption", "caption"):
            yield clean(element.text_content())
        elif not _holds_leaf(element):
            text = clean(element.text_content())
            if _AMENDS.match(text) or _is_of_box(element, text):
                yield text


def _holds_leaf(element: Element) -> bool:
    """Whether other paragraphs stand within an element."""
    return any(one is not element for one in element.iter(*_LEAVES))


def _is_of_box(element: Element, text: str) -> bool:
    """Whether a text is a sentence in a box that stands in an article, and no list of links."""
    above = [local(one) for one in element.iterancestors()]
    linked = sum(len(link.text_content()) for link in element.iter("a"))
    return (
        "aside" in (*above, local(element))
        and not {"nav", "form", "footer"} & set(above)
        and any(main in above for main in _MAIN)
        and len(text.split()) >= _LEAST_WORDS
        and bool(_SENTENCE.match(text))
        and linked <= _MOST_LINKED * len(text)
    )


def _missing(texts: Iterable[str], blocks: Iterable[Block]) -> list[Block]:
    """The texts that are in none of the blocks, in order, each once."""
    held = _bare(" ".join("".join((block.text, *block.cells)) for block in blocks))
    different = dict.fromkeys(text for text in texts if text)
    return [Block(text) for text in different if _bare(text) not in held]


def _bare(text: str) -> str:
    """The letters and digits of a text."""
    return "".join(filter(str.isalnum, text))


def _text_of(body: Any) -> str:
    """The text of an extracted page, a line for each block, with a mark before each heading and
    each paragraph of a quotation, since the extractor's own text does not tell these from
    paragraphs. Nor does it always join the lines that the source of a paragraph is wrapped into."""
    from trafilatura.xml import xmltotxt

    for block in body.iter(*_BLOCKS):
        for node in block.iter():
            node.text = _unwrapped(node.text)
            if node is not block:
                node.tail = _unwrapped(node.tail)
    for heading in body.iter("head"):
        heading.text = f"⟦{heading.get('rend', '')}⟧{heading.text or ''}"
    for quotation in body.iter("quote"):
        for block in [one for one in quotation.iter("p", "item", "quote") if one.text]:
            block.text = f"⟦q⟧{block.text}"
    return str(xmltotxt(body, include_formatting=False))


def _unwrapped(text: str | None) -> str | None:
    """Line breaks of a page's source are spaces; those that a reader sees are elements."""
    return re.sub(r"[ \t]*[\r\n]\s*", " ", text) if text else text


def _blocks(text: str) -> Iterator[Block]:
    """The lines of such a text: headings, paragraphs and rows of tables."""
    for line in text.split("\n"):
        if _TABLE_RULE.match(line):
            continue
        marked, bare = _MARK.search(line), _MARK.sub("", line)
        quoted = "" if marked and marked[2] else None
        if bare.startswith("|"):
            yield Block(cells=tuple(map(str.strip, bare.strip().strip("|").split("|"))))
        else:
            level = int(marked[1] or 1) if marked and not marked[2] else 0
            yield Block(bare, level=level, quoted=quoted)


def _saved_from(text: str) -> str:
    match = _SAVED.search(text[:8192])
    return _web_address(match[1]) if match else ""


def _web_address(url: str | None) -> str:
    try:
        parts = urlsplit(clean(url or ""))
        return parts.geturl() if parts.scheme in ("http", "https") and parts.hostname else ""
    except ValueError:
        return ""
