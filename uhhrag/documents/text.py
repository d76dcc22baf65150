"""Plain text, and Markdown by markdown-it-py with the metadata of its front matter.

Of Markdown, code and HTML are left out. Front matter is read as `name: value` lines, not as YAML:
a title, an author, a date and an address are all that is looked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from uhhrag.documents.blocks import Block, split_blocks
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.segmentation import clean, decoded, paragraphs, split_paragraphs
from uhhrag.documents.transcripts import transcript, transcript_document
from uhhrag.text.characters import text_lines
from uhhrag.text.dates import iso_date

_FRONT = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"^([A-Za-z_]+):[ \t]*(.+)$", re.MULTILINE)


def read_text_file(path: Path) -> Iterator[Document | str]:
    """The document of a text file, also of a transcript with times, and a clause where that was cut
    into windows. Raises Unreadable where it is empty or no text."""
    content = decoded(path.read_bytes())
    if cues := transcript(content.text):
        yield from transcript_document(cues)
        yield from filter(None, [content.fault])
        return
    split = split_paragraphs(paragraphs([(line, 0) for line in text_lines(content.text)]))
    _require(split.lines)
    yield Document(split.lines, starts=split.starts)
    yield from filter(None, [content.fault])


def read_markdown(path: Path) -> Iterator[Document | str]:
    """The document of a Markdown file, titled by its front matter or its first heading. Raises
    Unreadable where it is empty or no text."""
    from markdown_it import MarkdownIt

    content = decoded(path.read_bytes())
    text = content.text.replace("\r\n", "\n")
    front = _FRONT.match(text)
    about = {name.lower(): value.strip(" '\"") for name, value in _fields(front)}
    tokens = MarkdownIt("commonmark").enable("table").parse(text[front.end() :] if front else text)
    blocks = list(_blocks(tokens))
    titles = [block.text for block in blocks if block.level and block.text]
    url = about.get("url", "")
    split = split_blocks(blocks)
    _require(split.lines)
    yield Document(
        split.lines,
        title=clean(about.get("title") or (titles[0] if titles else "")),
        author=clean(about.get("author", "")),
        date=iso_date(about.get("date", "")),
        url=clean(url) if url.startswith(("http://", "https://")) else "",
        starts=split.starts,
        sections=split.sections,
        quoted=split.quoted,
    )
    yield from filter(None, [content.fault])


def _fields(front: re.Match[str] | None) -> list[tuple[str, str]]:
    return _FIELD.findall(front[1]) if front else []


def _blocks(tokens: Sequence[Any]) -> Iterator[Block]:
    """The paragraphs, headings and rows of tables."""
    cells: list[str] = []
    for before, token in pairwise(tokens):
        if token.type == "tr_close":
            yield Block(cells=tuple(cells))
            cells.clear()
        elif before.type in ("th_open", "td_open"):
            cells.append(_shown(token))
        elif before.type == "heading_open":
            yield Block(_shown(token), level=int(before.tag.removeprefix("h")))
        elif shown := _shown(token):
            yield Block(shown)


def _shown(token: Any) -> str:
    """The text of an inline token as a reader sees it; "" for other tokens."""
    if token.type != "inline":
        return ""
    return "".join(
        " " if child.type in ("softbreak", "hardbreak") else child.content
        for child in token.children or ()
        if child.type in ("text", "code_inline", "softbreak", "hardbreak", "image")
    )


def _require(lines: Sequence[str]) -> None:
    if not lines:
        raise Unreadable("is empty")
