"""Known kinds of file that are not read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from uhhrag.documents.by_content import reader_by_content
from uhhrag.documents.document import Document, Unreadable

HOW = {
    ".doc": "is an old Word document; save it as .docx",
    ".ppt": "is an old presentation; save it as .pptx",
    ".odp": "is an OpenDocument presentation; save it as .pptx",
    ".xlsb": "is a binary workbook; save it as .xlsx",
    ".msg": "is a mail of Outlook; save it as .eml, or print it to PDF",
    ".pst": "is a mailbox of Outlook; export it as .mbox or its mails as .eml",
    ".p7m": "is a signed or encrypted mail; save its text from a mail program",
    ".wpd": "is a WordPerfect document; save it as .docx",
    ".pages": "is a document of Pages; export it as .docx",
    ".numbers": "is a workbook of Numbers; export it as .xlsx",
    ".rar": "is an archive; unpack it, or pack it as .zip",
    ".7z": "is an archive; unpack it, or pack it as .zip",
    ".tar": "is an archive; unpack it, or pack it as .zip",
    ".tgz": "is an archive; unpack it, or pack it as .zip",
}
"""By ending, what the file is and how to convert it."""


def read_unread(path: Path) -> Iterator[Document | str]:
    """The document of a .doc that is of another kind inside. Raises Unreadable, saying what the
    file is and how to convert it."""
    how = HOW.get(path.suffix.lower(), "is of no kind that is read")
    reader = reader_by_content(path, "text") if path.suffix.lower() == ".doc" else None
    if reader is None:
        raise Unreadable(how)
    return iter(reader(path))
