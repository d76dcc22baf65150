"""Plain text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from uhhrag.documents.blocks import split_blocks, text_blocks
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.segmentation import decoded
from uhhrag.documents.transcripts import transcript, transcript_document
from uhhrag.text.characters import text_lines


def read_text_file(path: Path) -> Iterator[Document | str]:
    """The document of a text or transcript, and a clause if cut into windows. Raises Unreadable."""
    content = decoded(path.read_bytes())
    if cues := transcript(content.text):
        yield from transcript_document(cues)
        yield from filter(None, [content.fault])
        return
    yield plain_document(content.text)
    yield from filter(None, [content.fault])


def plain_document(text: str) -> Document:
    """The document of a plain text. Raises Unreadable if empty."""
    split = split_blocks(text_blocks(text_lines(text)))
    if not split.lines:
        raise Unreadable("is empty")
    return Document(split.lines, starts=split.starts)
