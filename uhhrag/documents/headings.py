"""Sections of a document, by marked headings or else by looks."""

from __future__ import annotations

from itertools import pairwise

from uhhrag.documents.document import HEADING_SEPARATOR, Document
from uhhrag.text.fragments import has_pairs, is_ended, is_entry, is_heading

_MAX_IN_A_ROW = 2
"""More in a row are likelier a list."""
_ITEM = ("-", "*", "•", "–")
_OPENING = "\"'“‘«"


def title_in(document: Document) -> str:
    """A first line that stands alone like a title, or ""."""
    first = document.lines[0] if document.lines else ""
    alone = document.starts[:2] == (0, 1) and not document.unit
    spoken = first.startswith(tuple(_OPENING)) and is_ended(first)
    return first if alone and not spoken and is_heading(first.lstrip(_OPENING)) else ""


def sections_in(document: Document) -> tuple[tuple[int, str], ...]:
    """Positions and names of headings, except the title."""
    title = document.title or title_in(document)
    sections = document.sections or _sections_by_looks(document)
    named = [(at, name.removeprefix(f"{title}{HEADING_SEPARATOR}")) for at, name in sections]
    first = next((n for n, (_, name) in enumerate(named) if name != title), len(named))
    return tuple((at, "" if name == title else name) for at, name in named[first:])


def _sections_by_looks(document: Document) -> tuple[tuple[int, str], ...]:
    """Single lines like headings; of several in a row, the last before sentences or items."""
    if not document.starts or document.unit.endswith("row"):
        return ()
    sections, row, entry, quoted = [], 0, False, dict(document.quoted)
    for start, end in pairwise((*document.starts, len(document.lines))):
        line = document.lines[start]
        above, entry = entry, is_entry(line) and not is_ended(line)
        listed = above and entry
        if end - start == 1 and not listed and _may_be_heading(line):
            row += 1
            continue
        below = quoted.get(start - 1) == quoted.get(start)  # a signature heads no quoted mail
        heads = below and not listed and (is_ended(line) or _is_item(line))
        if 0 < row <= _MAX_IN_A_ROW and heads:
            sections.append((start - 1, document.lines[start - 1]))
        row = 0
    return tuple(sections)


def _is_item(line: str) -> bool:
    """A list item or table row."""
    return line.startswith(_ITEM) or "; " in line or has_pairs(line)


def _may_be_heading(line: str) -> bool:
    letter = next(filter(str.isalpha, line), "")
    aside = _is_item(line) or line.startswith("By ")  # who wrote the article
    return bool(letter) and not letter.islower() and not aside and is_heading(line, least=1)
