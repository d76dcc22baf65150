"""A zip of documents: each member is read by its kind, nested zips too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from uhhrag.documents.archive import chunks, opened
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.parts import part_documents
from uhhrag.documents.segmentation import clean
from uhhrag.system.spare import spare_folder

_WHAT = "a zip"
_MOST_BYTES = 2**30
_NAMED = 5
_HIDDEN = (".", "__MACOSX")


def read_zip(path: Path) -> Iterator[Document | str]:
    """The documents of the members, and a clause for those not read. Raises Unreadable."""
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
                if member.flag_bits & 1:
                    raise Unreadable("is encrypted; unpack it")
                content = chunks(packed, member.filename, "packed in a way that is read")
                for result in part_documents(content, name, member.file_size, spare):
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
