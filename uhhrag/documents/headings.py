"""The headings of a document, told by how its paragraphs look: no format needs a rule of its own,
and most texts and PDFs do not say what a heading is.
"""

from __future__ import annotations

from uhhrag.documents.document import Document
from uhhrag.text.fragments import is_ended, is_heading

_MOST = 2
"""Headings in a row. Of more, a list is likelier."""


def title_in(document: Document) -> str:
    """The first line of a document, where it stands alone and reads like a title; "" for any other.
    The sentences below it often leave out what it names."""
    first = document.lines[0] if document.lines else ""
    alone = document.starts[:2] == (0, 1) and not document.unit
    return first if alone and is_heading(first) else ""


def headings_in(document: Document) -> tuple[int, ...]:
    """The positions of the lines that are headings: paragraphs of one line that reads like a
    heading, the last before a paragraph of sentences. Not the title; in a table none."""
    if not document.starts or document.unit.endswith("row"):
        return ()
    title = document.title or title_in(document)
    headings, row = [], 0
    ends = (*document.starts[1:], len(document.lines))
    for start, end in zip(document.starts, ends, strict=True):
        line = document.lines[start]
        if end - start == 1 and _may_be_heading(line):
            row += 1
            continue
        if 0 < row <= _MOST and is_ended(line) and document.lines[start - 1] != title:
            headings.append(start - 1)
        row = 0
    return tuple(headings)


def _may_be_heading(line: str) -> bool:
    letter = next(filter(str.isalpha, line), "")
    aside = "|" in line or line.startswith("By ")  # a row of a table; who wrote the article
    return bool(letter) and not letter.islower() and not aside and is_heading(line, least=1)
