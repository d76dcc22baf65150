"""Files within others, as members of zips or attachments, each read by its kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath

from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.formats import FORMATS, Reader, imported, kind_of
from uhhrag.system.writing import new_file
from uhhrag.text.document_dates import date_in_name

_DEEPEST = 3
"""Levels of files in files: a table in a mail in a zip."""
_open: list[str] = []
"""Names of the parts being read, from the outermost."""


def part_documents(
    content: Iterable[bytes], name: str, size: int, spare: Path
) -> Iterator[Document | str]:
    """The documents of a file of this name, and clauses for what is not read; `spare` is writable.
    Raises Unreadable."""
    kind = kind_of(PurePosixPath(name))
    if not kind:
        raise Unreadable("is of no kind that is read")
    row = FORMATS[kind]
    if size > row.largest:
        raise Unreadable(f"has {size:,} bytes; at most {row.largest:,} are read")
    ending = "".join(PurePosixPath(name).suffixes[-2:])[-20:].lower()
    file = spare / f"part{len(_open)}{ending}"
    if len(_open) >= _DEEPEST:
        raise Unreadable("is packed too deeply; unpack it")
    _open.append(name)
    try:
        with new_file(file) as stream:
            for chunk in content:
                stream.write(chunk)
        reader: Reader = imported(row.reader)
        for result in reader(file):
            yield _placed(result, name) if isinstance(result, Document) else result
            if isinstance(result, Document) and result.scans:
                yield f"has {len(result.scans)} pages that are scans; unpack it to have them read"
    finally:
        _open.pop()
        file.unlink(missing_ok=True)


def _placed(document: Document, name: str) -> Document:
    """The document with its place, and the date of its name if it has none."""
    key = f"{name}#{document.key}" if document.key else name
    day = document.date if document.date and not document.dated_by else ""
    in_name = "" if day else date_in_name(PurePosixPath(name).name)
    placed = replace(document, key=key, scans=(), title=document.title or PurePosixPath(name).name)
    return replace(placed, date=in_name, dated_by="name") if in_name else placed
