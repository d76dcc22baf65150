"""Markdown, reStructuredText, Org, LaTeX, DocBook and MediaWiki, by pandoc.

Left out: code blocks, comments, and included files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from uhhrag.documents.blocks import document_of
from uhhrag.documents.document import Document
from uhhrag.documents.html_blocks import blocks_of
from uhhrag.documents.pandoc import read_by_pandoc
from uhhrag.documents.pandoc_blocks import blocks_of_pandoc, inline_text
from uhhrag.documents.segmentation import clean, decoded
from uhhrag.text.dates import iso_date

_MARKDOWN = (
    "markdown-smart-yaml_metadata_block-raw_tex-citations-auto_identifiers"
    "+lists_without_preceding_blankline"
)
_FRONT = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_YEAR = re.compile(r"^([ \t>]*\d{3,})([.)][ \t])", re.MULTILINE)
"""What Markdown would take for the number of an item."""
_TIMES = re.compile(r"(?<=\d)\*(?=\d)")
_FIELD = re.compile(r"^([A-Za-z_]+):[ \t]*(.+)$", re.MULTILINE)


def read_marked(path: Path, form: str) -> Iterator[Document | str]:
    """The document of a text in one of pandoc's formats. Raises Unreadable."""
    content = decoded(path.read_bytes())
    yield _marked(content.text, form, {})
    yield from filter(None, [content.fault])


def read_markdown(path: Path) -> Iterator[Document | str]:
    """The document of a Markdown file; front matter is lines of name and value. Raises
    Unreadable."""
    content = decoded(path.read_bytes())
    text = content.text.replace("\r\n", "\n")
    front = _FRONT.match(text)
    fields = _FIELD.findall(front[1]) if front else []
    about = {name.lower(): value.strip(" '\"") for name, value in fields}
    body = _YEAR.sub(r"\1\\\2", text[front.end() :] if front else text)
    body = _TIMES.sub(r"\*", body)
    yield _marked(body, _MARKDOWN, about)
    yield from filter(None, [content.fault])


def _marked(text: str, form: str, front: Mapping[str, str]) -> Document:
    read = read_by_pandoc(text.encode(), form)
    if "html" in read:
        blocks, about = blocks_of(read["html"], code=False), dict(front)
    else:
        blocks = blocks_of_pandoc(read["blocks"])
        about = {name: _stated(value) for name, value in read["meta"].items()} | dict(front)
    heading = next((block.text for block in blocks if block.level and block.text), "")
    url = clean(about.get("url", ""))
    return document_of(
        blocks,
        title=clean(about.get("title", "")) or heading,
        author=clean(about.get("author", "")),
        date=iso_date(about.get("date", "")),
        url=url if url.startswith(("http://", "https://")) else "",
    )


read_rst = partial(read_marked, form="rst")
read_org = partial(read_marked, form="org")
read_latex = partial(read_marked, form="latex")
read_docbook = partial(read_marked, form="docbook")
read_mediawiki = partial(read_marked, form="mediawiki")


def _stated(value: Mapping[str, Any]) -> str:
    kind, content = value["t"], value["c"]
    if kind == "MetaList":
        return ", ".join(filter(None, map(_stated, content)))
    if kind == "MetaBlocks":
        return clean(" ".join(block.text for block in blocks_of_pandoc(content)))
    return clean(inline_text(content) if kind == "MetaInlines" else str(content or ""))
