"""What a file is by its first bytes, whatever its ending. An unread kind may hold one that is
read."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable
from pathlib import Path

from uhhrag.documents.archive import OLE
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.formats import FORMATS, HOW, Reader, imported
from uhhrag.text.encodings import decode

_HEAD = 4096
_BINARY = {"pdf", "docx", "pptx", "xlsx", "odt", "ods", "epub", "rtf", "picture", "zip"}
_PACKED = _BINARY - {"pdf", "rtf", "picture"}
_MAY_BE_HTML = {"html", "mhtml", "markdown", "mediawiki", "docbook", "mail", "mailbox"}
_ANY = {"xls", "unread", "wacz"}
"""Their readers look at what is inside themselves."""
_STARTS = {
    b"%PDF-": "pdf",
    b"{\\rtf": "rtf",
    OLE: "old",
    b"PK\x03\x04": "zip",
    **dict.fromkeys((b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF8", b"II*\x00", b"MM\x00*"), "picture"),
}
_FOLDERS = {"word/": "docx", "xl/": "xlsx", "ppt/": "pptx"}
_TYPES = {
    b"application/vnd.oasis.opendocument.text": "odt",
    b"application/vnd.oasis.opendocument.spreadsheet": "ods",
    b"application/epub+zip": "epub",
}
_HTML = re.compile(r"\s*(?:<\?xml[^>]{0,200}>\s*)?<(?:!doctype html|html)\b", re.IGNORECASE)
_CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_ADVICE = {
    "pdf": "is a PDF; rename it .pdf",
    "docx": "is a Word document; rename it .docx",
    "xlsx": "is an Excel workbook; rename it .xlsx",
    "pptx": "is a PowerPoint presentation; rename it .pptx",
    "odt": "is an OpenDocument text; rename it .odt",
    "ods": "is an OpenDocument workbook; rename it .ods",
    "epub": "is an EPUB book; rename it .epub",
    "zip": "is a zip; rename it .zip",
    "rtf": "is RTF; rename it .rtf",
    "html": "is a web page; rename it .html",
    "text": "is text; rename it .txt",
    "picture": "is a picture; give it the ending of its kind, such as .png or .jpg",
    "old": "is an old Office file, or one under a password; save it as .docx, .xlsx or .pptx",
}


def require_kind(path: Path, kind: str) -> None:
    """Raises Unreadable for an empty file or one that contradicts its ending."""
    with path.open("rb") as stream:
        head = stream.read(_HEAD)
    if not head.removeprefix(b"\xef\xbb\xbf").strip() and len(head) < _HEAD:
        if not FORMATS[kind].many:
            raise Unreadable("is empty")
        return
    after_junk = kind == "pdf" and b"%PDF-" in head  # as readers of PDF allow
    if kind in _ANY or FORMATS[kind].many or after_junk:
        return
    found = kind_by_content(path, head)
    if found and not _agrees(found, kind):
        raise Unreadable(_ADVICE[found])


def kind_by_content(path: Path, head: bytes) -> str:
    """A kind: "old" for old Office, "text" for other text, "" if unknown."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    known = (kind for mark, kind in _STARTS.items() if start.startswith(mark))
    if kind := next(known, ""):
        return _packed(path) if kind == "zip" else kind
    content = decode(head)
    if start.startswith(b"PK") or content.lost > 1 or _CONTROL.search(content.text):
        return ""
    return "html" if _HTML.match(content.text) else "text"


def _packed(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as packed:
            names = packed.namelist()
            stated = b""
            if "mimetype" in names and packed.getinfo("mimetype").file_size < _HEAD:
                stated = packed.read("mimetype").strip()
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError, ValueError, OSError):
        return ""
    if of_type := next((kind for mark, kind in _TYPES.items() if stated.startswith(mark)), ""):
        return of_type
    office = "[Content_Types].xml" in names
    folders = (
        kind for folder, kind in _FOLDERS.items() if any(n.startswith(folder) for n in names)
    )
    return next(folders, "zip") if office else "zip"


def _agrees(found: str, kind: str) -> bool:
    if found in ("old", "zip"):
        return kind in _PACKED  # whose readers say how to save it
    if found == "html":
        return kind in _MAY_BE_HTML
    return kind not in _BINARY if found == "text" else found == kind


def reader_by_content(path: Path, plain: str) -> Reader | None:
    """`plain`'s for other text, None if old or unknown."""
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
    """A .doc that is another kind inside; else an error that tells how to convert it."""
    ending = path.suffix.lower()
    reader = reader_by_content(path, "text") if ending == ".doc" else None
    if reader is None:
        raise Unreadable(HOW.get(ending, "is of no kind that is read"))
    return reader(path)
