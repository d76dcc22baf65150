"""WARC, WACZ, MHTML: pages, PDF and Office files, dated by capture."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from email import message_from_bytes
from email.message import Message
from gzip import GzipFile
from mimetypes import guess_extension
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, cast
from urllib.parse import unquote

from uhhrag.documents.archive import opened
from uhhrag.documents.bundles.mail import mail_day, payload
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.parts import part_documents
from uhhrag.documents.plain.text import text_documents
from uhhrag.documents.segmentation import clean
from uhhrag.documents.tables.rows import require_some
from uhhrag.documents.web.html import page_documents
from uhhrag.system.spare import spare_folder
from uhhrag.text.dates import CAPTURED, iso_date, site
from uhhrag.text.encodings import decode

_LARGEST_PAGE = 16 * 2**20
"""Bytes, unpacked."""
_MOST_STYLES = 2**25
"""Bytes of style sheets of one file."""
_MOST_BYTES = 2**31
"""Bytes, unpacked."""
_GZIP, _NEXT, _HEAD = b"\x1f\x8b", b"\r\n\r\nWARC/1.", 2**18
_HTML = ("text/html", "application/xhtml+xml")
_PLAIN = "text/plain"
_FILES = (
    *("application/pdf", "application/rtf", "application/epub", "application/msword", "text/csv"),
    *("application/vnd.openxmlformats-", "application/vnd.oasis.", "application/vnd.ms-"),
)
_UNPACKED = ("", "identity", "gzip", "x-gzip", "deflate", "br")
_LOOKS_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype html|!--|html|head|body)\b", re.IGNORECASE
)
_NO_PAGE = "holds no web page with text, or is damaged"
_EMPTY = ("has no text", "is empty")
"""Errors of pages, too many to be named."""
_FAULTS = (
    *(ValueError, EOFError, OSError, AttributeError, KeyError, TypeError),
    *(zipfile.BadZipFile, zlib.error),
)


def read_warc(path: Path) -> Iterator[Document | str]:
    with path.open("rb") as stream:
        yield from require_some(_pages(stream), _NO_PAGE)


def read_wacz(path: Path) -> Iterator[Document | str]:
    yield from require_some(_packed_pages(path), _NO_PAGE)


def read_mhtml(path: Path) -> Iterator[Document | str]:
    message = message_from_bytes(path.read_bytes())
    start = next((part for part in message.walk() if part.get_content_type() in _HTML), None)
    if start is None:
        raise Unreadable("is not a saved web page (MHTML), or is damaged")
    place = _header(start, "Content-Location")
    address = _header(message, "Snapshot-Content-Location") or place
    styles = {
        name: decode(payload(part), part.get_content_charset("")).text
        for part in message.walk()
        if part.get_content_type() in ("text/css", *_HTML)
        for name in _names_of(part)
    }
    raw, charset = payload(start), start.get_content_charset("")
    day = mail_day(_header(message, "Date"))
    for result in page_documents(raw, charset, styles, place or address):
        yield _captured(result, address, day) if isinstance(result, Document) else result


def _names_of(part: Message) -> set[str]:
    """By which a page links to it."""
    names = _header(part, "Content-Location"), f"cid:{_header(part, 'Content-ID').strip('<>')}"
    return set(names) - {"", "cid:"}


def _header(message: Message, name: str) -> str:
    return clean(str(message.get(name, "")))


def _packed_pages(path: Path) -> Iterator[Document | str]:
    with opened(path, "a web archive (WACZ)", ".wacz", _MOST_BYTES) as packed:
        for name in packed.namelist():
            if name.startswith("archive/") and name.endswith((".warc", ".warc.gz")):
                with packed.open(name) as stream:
                    yield from _pages(cast(BinaryIO, stream))


class _Brotli:
    """For warcio: unpacks, per piece, not much more than the largest page."""

    def __init__(self) -> None:
        from brotli import Decompressor

        self.unused_data, self._unpacker = b"", Decompressor()

    def decompress(self, packed: bytes) -> bytes:
        more, most = self._unpacker.can_accept_more_data(), _LARGEST_PAGE + 1
        return bytes(self._unpacker.process(packed, output_buffer_limit=most)) if more else b""


def _pages(stream: BinaryIO) -> Iterator[Document | str]:
    """If damaged, those before the damage, and a clause."""
    from warcio.archiveiterator import ArchiveIterator
    from warcio.bufferedreaders import BufferedReader
    from warcio.exceptions import ArchiveLoadFailed

    BufferedReader.DECOMPRESSORS["br"] = _Brotli
    try:
        styles = _styles(ArchiveIterator(_unpacked(stream)))
        stream.seek(0)
        for record in ArchiveIterator(_unpacked(stream)):
            if record.rec_type in ("response", "resource"):
                yield from _page(record, styles)
    except (ArchiveLoadFailed, *_FAULTS):
        yield "is damaged, and what stands behind the damage was not read"


def _styles(records: Iterable[Any]) -> dict[str, str]:
    from warcio.exceptions import ArchiveLoadFailed

    styles: dict[str, str] = {}
    left = _MOST_STYLES
    with suppress(*_FAULTS, ArchiveLoadFailed):
        for record in records:
            headers = record.http_headers
            stated = (headers.get_header("Content-Type") or "").lower() if headers else ""
            if stated.startswith("text/css") and left > 0:
                raw = record.content_stream().read(left)
                left -= len(raw)
                styles[_address(record)] = decode(raw, stated.partition("charset=")[2]).text
    return styles


def _address(record: Any) -> str:
    return clean(record.rec_headers.get_header("WARC-Target-URI") or "").strip("<>")


def _unpacked(stream: BinaryIO) -> BinaryIO:
    """Unpacks a file packed as one; warcio unpacks single records."""
    head = stream.read(_HEAD)
    stream.seek(0)
    first = zlib.decompressobj(31).decompress(head, _HEAD) if head.startswith(_GZIP) else b""
    return cast(BinaryIO, GzipFile(fileobj=stream)) if _NEXT in first else stream


def _page(record: Any, styles: Mapping[str, str]) -> Iterator[Document | str]:
    headers = record.http_headers if record.rec_type == "response" else record.rec_headers
    if headers is None:
        return  # no answer of the web
    status = record.http_headers.get_statuscode() if record.http_headers else "200"
    stated = (headers.get_header("Content-Type") or "").lower()
    kind, _, about = stated.partition(";")
    kind = kind.strip()
    is_file = kind.startswith(_FILES)
    address = _address(record)
    known = is_file or kind in ("", *_HTML, _PLAIN)
    if status != "200" or not known or address.startswith("urn:"):  # a page's text once more
        return
    packed = (headers.get_header("Content-Encoding") or "").strip().lower()
    if packed not in _UNPACKED:
        yield f"{address}: is packed by {packed[:20]}; not read"
        return
    raw = record.content_stream().read(_LARGEST_PAGE + 1)
    if not record.raw_stream.read(1) and getattr(record.raw_stream, "limit", 0) > 0:
        raise EOFError  # the file ends within the page
    if len(raw) > _LARGEST_PAGE:
        yield f"{address}: has more than {_LARGEST_PAGE >> 20} MiB; not read"
        return
    if not kind and not _LOOKS_HTML.match(raw):
        yield from [f"{address}: does not say of what kind it is; not read"] if raw else ()
        return
    charset = about.partition("charset=")[2].split(";")[0].strip(" \"'")
    day = iso_date((record.rec_headers.get_header("WARC-Date") or "")[:10])
    if is_file:
        results = _file(raw, kind, address)
    elif kind == _PLAIN:
        results = text_documents(raw, charset)
    else:
        results = page_documents(raw, charset, styles, address)
    try:
        for result in results:
            if isinstance(result, Document):
                yield _captured(result, address, day)
            else:
                yield f"{address}: {result}"
    except Unreadable as error:
        if is_file or not str(error).startswith(_EMPTY):
            yield f"{address}: {error}; not read"


def _file(raw: bytes, kind: str, address: str) -> Iterator[Document | str]:
    path = re.sub(r"^\w+://[^/]*|[?#].*", "", address)
    name = PurePosixPath(unquote(path)).stem or "file"
    ending = guess_extension(kind) or ""
    with spare_folder() as spare:
        yield from part_documents([raw], f"{name}{ending}", len(raw), spare)


def _captured(document: Document, address: str, day: str) -> Document:
    web = address if address.startswith(("http://", "https://")) else document.url
    page = replace(document, url=web, site=document.site or site(web), key=web and f"{web} {day}")
    return replace(page, date=day, dated_by=CAPTURED) if day else page
