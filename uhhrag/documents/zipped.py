"""A zip of documents: each member is read as a file of its kind. A zip within is not opened."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath

from uhhrag.documents.archive import chunks, opened
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.formats import FORMATS, Reader, imported, kind_of
from uhhrag.documents.segmentation import clean
from uhhrag.system.spare import spare_folder
from uhhrag.system.writing import new_file
from uhhrag.text.document_dates import date_in_name

_WHAT = "a zip"
_MOST_BYTES = 2**30
_NAMED = 5
_HIDDEN = (".", "__MACOSX")


def read_zip(path: Path) -> Iterator[Document | str]:
    """The documents of the members of a zip, and a clause that names those that are not read.
    Raises Unreadable where it is damaged, would unpack to more than documents have, or has no
    document."""
    left: list[str] = []
    some = False
    with opened(path, _WHAT, ".zip", _MOST_BYTES) as packed, spare_folder() as spare:
        for member in packed.infolist():
            parts = PurePosixPath(member.filename).parts
            inside = [part for part in parts if part not in ("..", ".", "/")]
            if member.is_dir() or not inside or any(one.startswith(_HIDDEN) for one in inside):
                continue
            name = clean("/".join(inside))
            try:
                for result in _of_member(packed, member, name, spare):
                    if isinstance(result, Document):
                        some = True
                        yield result
                    else:
                        left.append(f"{name} {result}")
            except Unreadable as error:
                left.append(f"{name} {error}")
    if not some:
        raise Unreadable(f"has no document; {left[0]}" if left else "is empty")
    if left:
        more = f" and {len(left) - _NAMED} more" if len(left) > _NAMED else ""
        yield f"not all of it was read: {'; '.join(left[:_NAMED])}{more}"


def _of_member(
    packed: zipfile.ZipFile, member: zipfile.ZipInfo, name: str, spare: Path
) -> Iterator[Document | str]:
    kind = kind_of(PurePosixPath(name))
    if not kind:
        raise Unreadable("is of no kind that is read")
    row = FORMATS[kind]
    if row.reader == "zipped:read_zip":
        raise Unreadable("is a zip in a zip; unpack it")
    if member.flag_bits & 1:
        raise Unreadable("is encrypted; unpack it")
    if member.file_size > row.largest:
        raise Unreadable(f"has {member.file_size:,} bytes; at most {row.largest:,} are read")
    file = spare / f"member{''.join(PurePosixPath(name).suffixes[-2:])[-20:].lower()}"
    with new_file(file) as stream:
        for chunk in chunks(packed, member.filename, _WHAT):
            stream.write(chunk)
    reader: Reader = imported(row.reader)
    try:
        for result in reader(file):
            yield _placed(result, name) if isinstance(result, Document) else result
            if isinstance(result, Document) and result.scans:
                yield f"has {len(result.scans)} pages that are scans; unpack it to have them read"
    finally:
        file.unlink(missing_ok=True)


def _placed(document: Document, name: str) -> Document:
    """The document of a member, with its place in the zip and, where it has none, the date in its
    name."""
    key = f"{name}#{document.key}" if document.key else name
    day = document.date if document.date and not document.dated_by else ""
    in_name = "" if day else date_in_name(PurePosixPath(name).name)
    placed = replace(document, key=key, scans=(), title=document.title or PurePosixPath(name).name)
    return replace(placed, date=in_name, dated_by="name") if in_name else placed
