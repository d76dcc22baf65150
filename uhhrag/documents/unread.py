"""Kinds of file that are not read, unless one that is read is inside."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.first_bytes import kind_by_content
from uhhrag.documents.formats import FORMATS, HOW, Reader, imported
from uhhrag.text.encodings import decode

_HEAD = 4096


def reader_by_content(path: Path, plain: str) -> Reader | None:
    """The reader of a file by its content, `plain`'s for other text; None if old or unknown."""
    with path.open("rb") as stream:
        head = stream.read(_HEAD)
    text = decode(head).text.lstrip("\ufeff \r\n\t").lower()
    if "urn:schemas-microsoft-com:office:spreadsheet" in text:
        raise Unreadable("is a workbook in XML; save it as .xlsx")
    kind = kind_by_content(path, head) if text else ""
    if kind == "text":
        mhtml = text.startswith("mime-version:")
        kind = "mhtml" if mhtml else "html" if text.startswith("<") else plain
    reader: Reader | None = imported(FORMATS[kind].reader) if kind in FORMATS else None
    return reader


def read_unread(path: Path) -> Iterable[Document | str]:
    """Of a .doc that is another kind inside; the error says how to convert others."""
    ending = path.suffix.lower()
    reader = reader_by_content(path, "text") if ending == ".doc" else None
    if reader is None:
        raise Unreadable(HOW.get(ending, "is of no kind that is read"))
    return reader(path)
