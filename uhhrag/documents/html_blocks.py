"""HTML → its blocks of text, all of them, in order: of a mail's body or a book's chapter.

For web pages there is `html`, which looks for the main text. Nothing is fetched and no entity but
HTML's own is known.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import NamedTuple

from uhhrag.documents.segmentation import clean

_BLOCKS = {
    *("address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details"),
    *("div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3"),
    *("h4", "h5", "h6", "header", "hr", "legend", "li", "main", "nav", "ol", "p", "pre", "section"),
    *("summary", "table", "tbody", "tfoot", "thead", "title", "tr", "ul"),
}
_ASIDE = {"script", "style", "template", "noscript", "svg", "math", "object", "select", "title"}
_HEADINGS = {"h1", "h2", "h3"}
_CELLS = {"td", "th"}


class Blocks(NamedTuple):
    """The blocks of text, and the first heading, "" for none."""

    texts: list[str]
    heading: str


def blocks_of(text: str) -> Blocks:
    """The blocks of an HTML text. A row of a table is one block, its cells parted by bars.

    >>> blocks_of("<h1>Rain</h1><p>It <b>rained</b>.<table><tr><td>1<td>2</table>").texts
    ['Rain', 'It rained.', '1 | 2']
    """
    parser = _Parser()
    try:
        parser.feed(text)
        parser.close()
    except AssertionError:  # an unknown marked section, which browsers read as a comment
        parser = _Parser()
        parser.feed(text.replace("<![", "<! ["))
        parser.close()
    parser.end_block()
    return Blocks(parser.blocks, parser.heading)


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[str] = []
        self.heading = ""
        self._here: list[str] = []
        self._aside: list[str] = []
        self._kept = 0
        self._in_heading = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "body":
            self._aside.clear()
        if tag in _BLOCKS:
            self.end_block()
        if tag in _ASIDE:
            self._aside.append(tag)
        elif tag == "pre":
            self._kept += 1
        elif tag == "br":
            self._here.append("\n")
        elif tag in _CELLS:
            self._here.append(" | ")
        self._in_heading = tag in _HEADINGS or (self._in_heading and tag not in _BLOCKS)

    def handle_endtag(self, tag: str) -> None:
        if self._aside and self._aside[-1] == tag:
            self._aside.pop()
        if tag in _BLOCKS:
            self.end_block()
        if tag == "pre":
            self._kept = max(0, self._kept - 1)

    def handle_data(self, data: str) -> None:
        if not self._aside:
            self._here.append(data if self._kept else re.sub(r"\s+", " ", data))

    def end_block(self) -> None:
        """What stands here so far is a block; an empty line parts two."""
        texts = re.split(r"\n\s*\n", "".join(self._here))
        self._here.clear()
        for text in map(clean, texts):
            if bare := re.sub(r"(?: ?\| ?)+", " | ", text).strip(" |"):
                self.blocks.append(bare)
                if self._in_heading and not self.heading:
                    self.heading = bare
        self._in_heading = False
