"""HTML: the main text of a page, by trafilatura; nothing is fetched.

Corrections, updates, captions and boxes of the article follow its text. The date is from metadata
only, since a year in the text may be of a copyright line. Left out: readers' comments, hidden and
struck-out text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from uhhrag.documents.blocks import TABLE_END, Block, document_of
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.html_nodes import is_block, nodes_of
from uhhrag.documents.html_tree import html_tree
from uhhrag.documents.pandoc_blocks import blocks_of_pandoc
from uhhrag.documents.segmentation import clean, decoded
from uhhrag.documents.xml_trees import Element, local
from uhhrag.text.dates import iso_date
from uhhrag.text.encodings import Decoded
from uhhrag.text.fragments import is_banner

_DECLARED = re.compile(
    rb"(?:<meta[^>]{0,200}?charset|\A\s*<\?xml[^>]{0,200}?encoding)\s*=\s*[\"']?\s*([\w.-]{2,40})",
    re.IGNORECASE,
)
# What browsers ("saved from url=(0027)…") and SingleFile ("url: …") put into a page they save.
_SAVED = re.compile(
    r"<!--[^>]{0,80}?\burl(?:=\(\d+\)|:\s*)(https?://[^\s>]{1,2000})", re.IGNORECASE
)
_PUBLISHED = re.compile(r'"datePublished"\s*:\s*"(\d{4}-\d\d-\d\d)')
_FIRST = 0xE0100
_MARK = re.compile(r"[\U000E0100-\U000E01EF]{3} ?")
_MOST_RUNS = 20_000
"""Of a page with more runs of text, all but its frame is read."""
_PARTS = ("li", "dd", "dt", "td", "th", "tr", "tbody", "thead", "tfoot", "table", "ul", "ol", "dl")
_AMENDS = re.compile(
    r"[^\w]*(?:corrections?|corrected|updated?|updates|clarifications?|clarified|errat(?:um|a)"
    r"|corrigend(?:um|a)|retractions?|editors?.{0,2}s? note|note to readers|amended|amendment"
    r"|this (?:article|story|post|page|piece|report) (?:was|has been) "
    r"(?:amended|corrected|updated|changed|edited|revised))\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"\w.*[.!?…][\"”’')\]]*$", re.DOTALL)
_LEAST_WORDS, _MOST_LINKED = 5, 0.4
_COMMENTS = re.compile(
    r"(?:^|\s)(?:disqus\w*|(?:(?:post|article|story|users?|readers?|fb)[_-])?comments?"
    r"(?![_-](?:open|closed|count|link|status|meta|number|button|icon))(?:[_-][\w-]*)?)(?:$|\s)",
    re.IGNORECASE,
)
"""The name or a class of a section of readers' comments."""
_NO_TEXT = "has no text (a page that is filled in by scripts? save it as shown)"


def read_html(path: Path) -> Iterator[Document | str]:
    """The document of an HTML file. Raises Unreadable without text."""
    content = page_text(path.read_bytes())
    yield document_of_page(content.text)
    yield from filter(None, [content.fault])


def page_text(raw: bytes, charset: str = "") -> Decoded:
    """The text of an HTML file in its server's encoding or the declared one."""
    declared = _DECLARED.search(raw[:4096])
    return decoded(raw, charset or (declared[1].decode() if declared else ""))


def document_of_page(text: str) -> Document:
    """The document of a web page. Raises Unreadable without text."""
    root = html_tree(text)
    body = None if root is None else root.find("body")
    if body is None:
        raise Unreadable(_NO_TEXT)
    runs = _marked(body)
    extracted = _extracted(root) if len(runs) <= _MOST_RUNS else None
    main = _marks("".join(extracted.body.itertext())) if extracted else set()
    shown = _shown(runs, main) if main else {at for at, run in enumerate(runs) if run.is_main}
    blocks = list(_kept(blocks_of_pandoc(nodes_of(body, page=True), code=True, layout=True), shown))
    url = (_web_address(extracted.url) if extracted else "") or _saved_from(text)
    if not any(block.text or block.cells for block in blocks):
        raise Unreadable(_NO_TEXT)
    if extracted is None:
        return document_of(blocks, url=url)
    return document_of(
        blocks,
        title=_unmarked(extracted.title or ""),
        author=_unmarked(extracted.author or ""),
        site=clean(extracted.sitename or "") or (urlsplit(url).hostname or ""),
        date=_published(root) or iso_date(extracted.date or ""),
        url=url,
    )


def _extracted(root: Element) -> Any:
    """The extractor's main text and metadata of a page."""
    from trafilatura import bare_extraction

    dates = {
        "original_date": True,
        "extensive_search": False,
        "max_date": date.today().isoformat(),
    }
    return bare_extraction(
        deepcopy(root), with_metadata=True, include_comments=False, date_extraction_params=dates
    )


def _kept(blocks: Iterable[Block], shown: set[int]) -> Iterator[Block]:
    """The blocks of shown runs, without marks; one without a mark continues the run before."""
    keep = False
    for block in blocks:
        if block is TABLE_END:
            yield block
            continue
        marks = _marks(block.text, *block.cells)
        keep = bool(shown & marks) if marks else keep
        if keep:
            cells = tuple(map(_unmarked, block.cells))
            yield replace(block, text=_unmarked(block.text), cells=cells)


class _Run(NamedTuple):
    block: Element
    text: str

    @property
    def container(self) -> Element:
        """The element around its paragraph, or around its whole list or table."""
        if any(map(is_block, self.block)) and local(self.block) not in _PARTS:
            return self.block
        unit = self.block
        while local(unit.getparent()) in _PARTS:
            unit = unit.getparent()
        return unit.getparent()

    @property
    def is_aside(self) -> bool:
        above = {local(one) for one in (self.block, *self.block.iterancestors())}
        return bool(above & {"nav", "footer", "form", "aside"})

    @property
    def is_comment(self) -> bool:
        """Whether a reader wrote it, as a section below the title says of itself."""
        above = [self.block, *self.block.iterancestors()]
        known = (one for one in above if _COMMENTS.search(f"{one.get('id')} {one.get('class')}"))
        return any(next(one.iter("h1"), None) is None for one in known)

    @property
    def is_main(self) -> bool:
        return not (self.is_aside or self.is_comment)


def _marked(body: Element) -> list[_Run]:
    """The runs of text of a page, numbered by marks that the extractor keeps."""
    runs: list[_Run] = []
    for block in [one for one in body.iter() if is_block(one)]:
        place, texts, within = block, [block.text or ""], True
        for child in [*block, None]:
            if child is not None and not is_block(child):
                texts += ["".join(child.itertext()), child.tail or ""]
                continue
            if (text := "".join(texts)).strip():
                mark = _mark(len(runs))
                runs.append(_Run(block, clean(text)))
                if within:
                    place.text = mark + (place.text or "").lstrip()
                else:
                    place.tail = mark + (place.tail or "").lstrip()
            if child is not None:
                place, texts, within = child, [child.tail or ""], False
    return runs


def _mark(number: int) -> str:
    digits = (number // 240**2, number // 240 % 240, number % 240)
    return "".join(chr(_FIRST + digit) for digit in digits) + " "


def _marks(*texts: str) -> set[int]:
    return {
        sum((ord(c) - _FIRST) * 240**n for n, c in enumerate(reversed(mark.strip())))
        for text in texts
        for mark in _MARK.findall(text)
    }


def _unmarked(text: str) -> str:
    return clean(_MARK.sub("", text))


def _shown(runs: Sequence[_Run], main: set[int]) -> set[int]:
    """The runs of the article: main text, what is between in one element, corrections, captions,
    boxes."""
    inside: dict[Element, list[int]] = {}
    for at in sorted(main):
        inside.setdefault(runs[at].container, []).append(at)
    return main | {
        at
        for at, run in enumerate(runs)
        if (_belongs(run) and not run.is_comment)
        or (_is_between(at, inside.get(run.container, ())) and _may_belong(run))
    }


def _is_between(at: int, others: Sequence[int]) -> bool:
    return bool(others) and others[0] < at < others[-1]


def _may_belong(run: _Run) -> bool:
    return run.is_main and not (_is_linked(run.block, run.text) or is_banner(run.text))


def _belongs(run: _Run) -> bool:
    if local(run.block) in ("figcaption", "caption"):
        return True
    if _AMENDS.match(run.text) and not _is_linked(run.block, run.text):
        return True
    if _is_folded(run):
        return _may_belong(run)
    return _is_sentence(run) and (_is_of_box(run) or _is_lead(run))


def _is_folded(run: _Run) -> bool:
    return any(local(one) == "details" for one in (run.block, *run.block.iterancestors()))


def _is_lead(run: _Run) -> bool:
    """Whether a text stands with the title of a page."""
    above = [run.block, *run.block.iterancestors()]
    heads = [one for one in above if local(one) in ("header", "hgroup")]
    titled = any(next(one.iter("h1"), None) is not None for one in heads)
    return titled and not run.is_aside


def _is_sentence(run: _Run) -> bool:
    """Whether a text is a sentence, and no list of links."""
    words = len(run.text.split())
    ended = bool(_SENTENCE.match(run.text))
    return words >= _LEAST_WORDS and ended and not _is_linked(run.block, run.text)


def _is_of_box(run: _Run) -> bool:
    """Whether a text stands in a box or at the foot of an article."""
    above = [local(one) for one in (run.block, *run.block.iterancestors())]
    boxes = [at for at, name in enumerate(above) if name in ("aside", "footer")]
    articles = [at for at, name in enumerate(above) if name in ("article", "main")]
    inside = bool(boxes and articles) and boxes[-1] < articles[-1]
    return inside and not {"nav", "form"} & set(above)


def _is_linked(block: Element, text: str) -> bool:
    return sum(len(link.text_content()) for link in block.iter("a")) > _MOST_LINKED * len(text)


def _published(root: Element) -> str:
    """The day of publication in a page's metadata, "" for none or several."""
    scripts = "".join(one.text or "" for one in root.iter("script"))
    days = set(_PUBLISHED.findall(scripts))
    return iso_date(days.pop()) if len(days) == 1 else ""


def _saved_from(text: str) -> str:
    match = _SAVED.search(text[:8192])
    return _web_address(match[1]) if match else ""


def _web_address(url: str | None) -> str:
    try:
        parts = urlsplit(clean(url or ""))
        return parts.geturl() if parts.scheme in ("http", "https") and parts.hostname else ""
    except ValueError:
        return ""
