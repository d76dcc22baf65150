"""Plain text without page numbers and running heads, across which a sentence goes on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from uhhrag.documents.blocks import document_of
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.plain.chats import chat_documents
from uhhrag.documents.plain.printed_mail import printed_mail_of
from uhhrag.documents.plain.transcripts import has_clock, transcript, transcript_document
from uhhrag.documents.plain.turns import with_speakers
from uhhrag.documents.segmentation import decoded
from uhhrag.text.characters import text_lines
from uhhrag.text.fragments import is_ended

_PAGE_NUMBER = re.compile(
    r"^[ \t]*\W?(?:page|seite|side|sida)\s+\d{1,4}(?:\s*(?:of|von|av|/)\s*\d{1,4})?\W?[ \t]*$"
    r"|^[ \t]*([-–—])\s?\d{1,4}\s?\1[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_BLANK_LINES = re.compile(r"\A(?:[ \t\r]*\n)+")
_NUMBERED = re.compile(r"^ {0,8}(\d{1,3})(?:[ \t]{2,}|$)")
_GOES_ON = re.compile(r"[a-zß-ÿ]|\s*Q(?:[.:]\s|\s\s)")
_LAST = re.compile(r"(?<![\d.,])(\d{1,4})(?:\s*(?:of|von|av|/)\s*\d{1,4})?\W*$", re.IGNORECASE)
_FIRST = re.compile(r"\W*(?:page\s*)?(\d{1,4})\b(?![.,]\d)", re.IGNORECASE)
"""Where a running head has the number of its page."""


def read_text_file(path: Path) -> Iterator[Document | str]:
    yield from text_documents(path.read_bytes())


def text_documents(raw: bytes, charset: str = "") -> Iterator[Document | str]:
    content = decoded(raw, charset)
    if cues := transcript(content.text):
        yield from transcript_document(cues, clock=has_clock(content.text))
    else:
        yield from [*chat_documents(content.text)] or [plain_document(content.text)]
    yield from filter(None, [content.fault])


def plain_document(text: str) -> Document:
    if not text.strip():
        raise Unreadable("is empty")
    return document_of(with_speakers(printed_mail_of(_without_numbers(_without_pages(text)))))


def _without_pages(text: str) -> list[str]:
    parts = _PAGE_NUMBER.sub("\f", text).split("\f")
    pages = [text_lines(_BLANK_LINES.sub("", part).rstrip()) for part in parts if part.strip()]
    ends = [[_shapes(page[at], number) for at in (0, -1)] for number, page in enumerate(pages)]
    counts = Counter(shape for top, end in ends for shape in top | end)
    lines: list[str] = []
    for page, pair in zip(pages, ends, strict=True):
        first, last = (max(2, len(pages) / 3) <= max(counts[one] for one in each) for each in pair)
        shown = "\n".join(page[first and bool(lines) : len(page) - last]).rstrip()
        shown = _BLANK_LINES.sub("", shown)
        goes_on = bool(lines) and shown.lstrip()[:1].islower() and not is_ended(lines[-1])
        lines += [*([""] if lines and not goes_on else ()), *shown.split("\n")]
    return lines


def _without_numbers(lines: list[str]) -> list[str]:
    """Without line numbers, as in hearings and draft laws."""
    filled = [line for line in lines if line.strip()]
    found = [match for line in filled if (match := _NUMBERED.match(line))]
    counts = [int(match[1]) for match in found]
    steps = [after in (1, before + 1) for before, after in pairwise(counts)]
    goes_on = sum(bool(_GOES_ON.match(one.string, one.end())) for one in found)
    if not steps or not all(steps) or 4 * len(found) < 3 * len(filled) or 6 * goes_on < len(found):
        return lines
    return [_NUMBERED.sub("", line) for line in lines]


def _shapes(line: str, page: int) -> set[str]:
    """What repeats in a running head: the line, perhaps but for a page count.

    >>> [sorted(_shapes(line, 2)) for line in ("Report  12 of 90", "Total 1,234")]
    [['Report 12 of 90', 'Report {10} of 90'], ['Total 1,234']]
    """
    line = " ".join(line.split())
    found = None if is_ended(line) else _LAST.search(line) or _FIRST.match(line)
    if found is None:
        return {line}
    counted = f"{line[: found.start(1)]}{{{int(found[1]) - page}}}{line[found.end(1) :]}"
    return {line, counted}
