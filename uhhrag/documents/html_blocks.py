"""HTML → its blocks, all of them, in order: of a mail's body or a book's chapter.

For web pages there is `html`, which looks for the main text. Nothing is fetched and no entity but
HTML's own is known. Many mails are laid out as tables: one is a table of data only where several
rows have several cells, each of one short block.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html.parser import HTMLParser

from uhhrag.documents.blocks import TABLE_END, Block
from uhhrag.documents.segmentation import clean

_BLOCKS = {
    *("address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details"),
    *("div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3"),
    *("h4", "h5", "h6", "header", "hr", "legend", "li", "main", "nav", "ol", "p", "pre", "section"),
    *("summary", "table", "tbody", "td", "tfoot", "th", "thead", "title", "tr", "ul"),
}
_ASIDE = {"script", "style", "template", "noscript", "svg", "math", "object", "select", "title"}
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_CELLS = {"td", "th"}
_DEEPEST = 100
"""Tables within one another. Those within are read as part of the cell they stand in."""
_LONG_CELL = 300
"""Characters. Tables with longer cells are layout."""


def blocks_of(text: str) -> list[Block]:
    """The blocks of an HTML text.

    >>> [block.text for block in blocks_of("<h1>Rain</h1><p>It <b>rained</b>.")]
    ['Rain', 'It rained.']
    """
    parser = _Parser()
    try:
        parser.feed(text)
        parser.close()
    except AssertionError:  # an unknown marked section, which browsers read as a comment
        parser = _Parser()
        parser.feed(text.replace("<![", "<! ["))
        parser.close()
    return parser.ended()


_Row = list[list[Block]]
"""The cells of a row, each its blocks."""


def _of_table(rows: Sequence[_Row]) -> Iterator[Block]:
    """The rows of a table of data, or what the cells of another one hold."""
    short = [all(map(_is_short, row)) for row in rows]
    several = [sum(map(bool, row)) > 1 for row in rows]
    texts = [tuple("".join(block.text for block in cell) for cell in row) for row in rows]
    if all(short) and sum(several) > 1:
        for row, cells in zip(rows, texts, strict=True):
            yield Block(cells=cells, quoted=next((b.quoted for cell in row for b in cell), None))
        yield TABLE_END
        return
    for row, cells, is_short, has_several in zip(rows, texts, short, several, strict=True):
        if is_short and has_several:
            yield Block(" | ".join(filter(None, cells)))
        else:
            yield from (block for cell in row for block in cell)


def _is_short(cell: Sequence[Block]) -> bool:
    """Whether a cell has one short paragraph or none."""
    return len(cell) < 2 and not any(
        block.level or block.cells or len(block.text) > _LONG_CELL for block in cell
    )


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._blocks: list[Block] = []
        self._tables: list[list[_Row]] = []
        self._here: list[str] = []
        self._aside: list[str] = []
        self._kept = 0
        self._level = 0
        self._quotes = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "body":
            self._aside.clear()
        if tag in _BLOCKS:
            self._end_block()
            self._level = _HEADINGS.get(tag, self._level)
        if tag == "blockquote":
            self._quotes += 1
        if tag in _ASIDE:
            self._aside.append(tag)
        elif tag == "pre":
            self._kept += 1
        elif tag == "br":
            self._here.append("\n")
        elif tag == "table" and len(self._tables) < _DEEPEST:
            self._tables.append([])
        elif tag == "tr" and self._tables:
            self._tables[-1].append([])
        elif tag in _CELLS and self._tables:
            self._row().append([])

    def handle_endtag(self, tag: str) -> None:
        if self._aside and self._aside[-1] == tag:
            self._aside.pop()
        if tag in _BLOCKS:
            self._end_block()
        if tag == "blockquote":
            self._quotes = max(0, self._quotes - 1)
        if tag == "pre":
            self._kept = max(0, self._kept - 1)
        elif tag == "table" and self._tables:
            self._end_table()

    def handle_data(self, data: str) -> None:
        if not self._aside:
            self._here.append(data if self._kept else re.sub(r"\s+", " ", data))

    def ended(self) -> list[Block]:
        """All blocks, also those of tables that are not closed."""
        self._end_block()
        while self._tables:
            self._end_table()
        return self._blocks

    def _end_block(self) -> None:
        """What stands here so far is a block; an empty line parts two."""
        texts = re.split(r"\n\s*\n", "".join(self._here))
        self._here.clear()
        quoted = "" if self._quotes else None
        self._add(
            Block(text, level=self._level, quoted=quoted) for text in map(clean, texts) if text
        )
        self._level = 0

    def _end_table(self) -> None:
        self._add(_of_table(self._tables.pop()))

    def _add(self, blocks: Iterable[Block]) -> None:
        """Add blocks to the last cell of the innermost table, or to the text."""
        for block in blocks:
            if not self._tables:
                self._blocks.append(block)
            else:
                row = self._row()
                if not row:
                    row.append([])
                row[-1].append(block)

    def _row(self) -> _Row:
        """The last row of the innermost table."""
        rows = self._tables[-1]
        if not rows:
            rows.append([])
        return rows[-1]
