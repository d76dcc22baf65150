"""Zips as documents (DOCX, ODT, EPUB, XLSX), checked before they are unpacked.

Refused: too many files or bytes, and ratios that only a bomb has.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from uhhrag.documents.document import Unreadable

MOST_BYTES = 2**28
"""Unpacked."""
_MEMBERS, _RATIO, _SMALL = 10_000, 200, 2**24
OLE = b"\xd0\xcf\x11\xe0"  # how files of old Office begin, and new ones under a password
_FAULTS = (
    zipfile.BadZipFile,
    zlib.error,
    NotImplementedError,
    RuntimeError,
    EOFError,
    ValueError,
    OSError,
)
_CHUNK = 2**16


@contextmanager
def opened(path: Path, what: str, ending: str, most: int = MOST_BYTES) -> Iterator[zipfile.ZipFile]:
    """The zip of `what` ("a Word document"). Raises Unreadable for no zip, an encrypted one, or
    more than `most` bytes."""
    with path.open("rb") as stream:
        if stream.read(4) == OLE:
            raise Unreadable(
                f"is encrypted, or an old {ending[:4]}; save a copy as {ending} without password"
            )
        try:
            packed = zipfile.ZipFile(stream)
        except _FAULTS as error:
            raise Unreadable(f"is not {what}, or is damaged") from error
        with packed:
            _require_sane(packed.infolist(), most)
            yield packed


def _require_sane(members: Sequence[zipfile.ZipInfo], most: int) -> None:
    size = sum(member.file_size for member in members)
    packed_size = max(1, sum(member.compress_size for member in members))
    bomb = size > most or (size > _SMALL and size / packed_size > _RATIO)
    if bomb or len(members) > _MEMBERS:
        raise Unreadable(f"would unpack to {size:,} bytes in {len(members):,} files; refused")


def has(packed: zipfile.ZipFile, name: str) -> bool:
    """Whether a zip has this member."""
    return name in packed.NameToInfo


def chunks(packed: zipfile.ZipFile, name: str, what: str) -> Iterator[bytes]:
    """The bytes of a member in pieces. Raises Unreadable for a missing or damaged one."""
    try:
        with packed.open(name) as stream:
            while chunk := stream.read(_CHUNK):
                yield chunk
    except (KeyError, *_FAULTS) as error:
        raise Unreadable(f"is not {what}, or is damaged") from error


def member(packed: zipfile.ZipFile, name: str, what: str) -> bytes:
    """The bytes of a member. Raises Unreadable as `chunks` does."""
    return b"".join(chunks(packed, name, what))
