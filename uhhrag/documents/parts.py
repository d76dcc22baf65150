"""Files within zips (also nested) and attachments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

from uhhrag.documents.archive import opened
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.first_bytes import require_kind
from uhhrag.documents.formats import FORMATS, Reader, imported, kind_of
from uhhrag.documents.headings import title_in
from uhhrag.documents.segmentation import clean
from uhhrag.system.spare import spare_folder
from uhhrag.system.terminal import quantity
from uhhrag.system.writing import new_file
from uhhrag.text.document_dates import date_in_name

_DEEPEST = 3
"""Levels of files, as of a table in a mail in a zip."""
_MOST_BYTES = 2**30
"""Of an unpacked zip."""
_HIDDEN = (".", "__MACOSX")
_open: list[str] = []
"""Parts being read, outermost first."""


def part_documents(
    content: Iterable[bytes], name: str, size: int, spare: Path
) -> Iterator[Document | str]:
    """Documents of a file, unpacked into `spare`, and clauses on what is unread."""
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
        require_kind(file, kind)
        reader: Reader = imported(row.reader)
        for result in reader(file):
            yield _placed(result, name) if isinstance(result, Document) else result
            if isinstance(result, Document) and result.scans:
                scans = quantity(len(result.scans), "scanned page")
                yield f"has {scans}; unpack it to have all read"
    finally:
        _open.pop()
        file.unlink(missing_ok=True)


def tried(results: Iterable[Document | str], name: str, unread: list[str]) -> Iterator[Document]:
    """Documents among results; clauses and an error go to `unread`."""
    try:
        for result in results:
            if isinstance(result, Document):
                yield result
            else:
                unread.append(f"{name}: {result}")
    except Unreadable as error:
        unread.append(f"{name} {error}")


def inserted(
    held: Mapping[str, bytes], about: Mapping[str, str], unread: list[str]
) -> Iterator[Document]:
    """Documents shown within one, by name; those without author or date get those in `about`."""
    for name, content in held.items():
        called = PurePosixPath(name).name
        with spare_folder() as spare:
            results = part_documents([content], called, len(content), spare)
            for one in tried(results, called, unread):
                shown = replace(one, author=one.author or about.get("author", ""))
                day, by = (about.get(of, "") for of in ("date", "dated_by"))
                yield shown if one.date else replace(shown, date=day, dated_by=by)


def _placed(document: Document, name: str) -> Document:
    key = f"{name}#{document.key}" if document.key else name
    day = document.date if document.date and not document.dated_by else ""
    in_name = "" if day else date_in_name(PurePosixPath(name).name)
    title = document.title or title_in(document) or PurePosixPath(name).name
    placed = replace(document, key=key, scans=(), title=title)
    return replace(placed, date=in_name, dated_by="name") if in_name else placed


def read_zip(path: Path) -> Iterator[Document | str]:
    unread: list[str] = []
    some = False
    with opened(path, "a zip", ".zip", _MOST_BYTES) as packed, spare_folder() as spare:
        packed.noun = "packed in a way that is read"  # of a member
        for member in packed.infolist():
            parts = PurePosixPath(member.filename).parts
            inside = [part for part in parts if part not in ("..", ".", "/")]
            if member.is_dir() or not inside or any(one.startswith(_HIDDEN) for one in inside):
                continue
            name = clean("/".join(inside))
            content = packed.chunks(member.filename)
            results = part_documents(content, name, member.file_size, spare)
            locked = ["is encrypted; unpack it"] if member.flag_bits & 1 else None
            for document in tried(locked or results, name, unread):
                some = True
                yield document
    if not some:
        raise Unreadable(f"has no document; {unread[0]}" if unread else "is empty")
    yield from unread
