"""Kinds of file that are not read, unless one that is read is inside."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from uhhrag.documents.archive import OLE, opened
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.formats import FORMATS, HOW, Reader, imported
from uhhrag.text.encodings import decode

_HEAD = 4096
_OFFICE = {"word": "docx", "xl": "xlsx", "ppt": "pptx"}
_MARKS = {"{\\rtf": "rtf", "mime-version:": "mhtml", "<": "html"}
"""What files begin with, in small letters, and their kinds."""


def reader_by_content(path: Path, plain: str) -> Reader | None:
    """The reader of a file by its content, `plain`'s for other text; None if old or unknown."""
    with path.open("rb") as stream:
        head = stream.read(_HEAD)
    text = decode(head).text.lstrip("\ufeff \r\n\t").lower()
    if "urn:schemas-microsoft-com:office:spreadsheet" in text:
        raise Unreadable("is a workbook in XML; save it as .xlsx")
    known = (kind for mark, kind in _MARKS.items() if text.startswith(mark))
    kind = next(known, plain) if text and "\x00" not in text else ""
    if head.startswith(b"PK\x03\x04"):
        with opened(path, "a file of Office", ".docx") as packed:
            folders = {name.partition("/")[0] for name in packed.namelist()}
        kind = next((kind for folder, kind in _OFFICE.items() if folder in folders), "")
    reader: Reader | None = imported(FORMATS[kind].reader) if kind else None
    return None if head.startswith(OLE) else reader


def read_unread(path: Path) -> Iterable[Document | str]:
    """Of a .doc that is another kind inside; the error says how to convert others."""
    ending = path.suffix.lower()
    reader = reader_by_content(path, "text") if ending == ".doc" else None
    if reader is None:
        raise Unreadable(HOW.get(ending, "is of no kind that is read"))
    return reader(path)
