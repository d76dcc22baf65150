"""Zipped documents, refused before unpacking if too large or a bomb."""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from uhhrag.documents.document import Unreadable
from uhhrag.documents.xml_trees import Element, attribute, named, xml_tree

MOST_BYTES = 2**28
"""Unpacked."""
_MEMBERS, _RATIO, _SMALL = 10_000, 200, 2**24
OLE = b"\xd0\xcf\x11\xe0"  # how files of old Office begin, and new ones under a password
_FAULTS = (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError, ValueError, OSError)
_CHUNK = 2**16


class Package(zipfile.ZipFile):
    """Its methods raise Unreadable for a missing or damaged member."""

    what = ""
    """For messages: "a Word document"."""

    def __contains__(self, name: str) -> bool:
        return name in self.NameToInfo

    def chunks(self, name: str) -> Iterator[bytes]:
        try:
            with self.open(name) as stream:
                while chunk := stream.read(_CHUNK):
                    yield chunk
        except (KeyError, *_FAULTS) as error:
            raise Unreadable(f"is not {self.what}, or is damaged") from error

    def member(self, name: str) -> bytes:
        return b"".join(self.chunks(name))

    def tree(self, name: str) -> Element:
        return xml_tree(self.member(name), self.what)

    def targets(self, part: str, kind: str = "") -> dict[str, str]:
        """Members by relationship id of an Office file's part; types end in `kind`."""
        folder, name = posixpath.split(part)
        relations = f"{folder}/_rels/{name}.rels".lstrip("/")
        found = named(self.tree(relations), "Relationship") if relations in self else ()
        return {
            attribute(one, "Id"): posixpath.normpath(
                posixpath.join("/", folder, attribute(one, "Target"))
            ).lstrip("/")
            for one in found
            if attribute(one, "Type").endswith(kind)
        }


@contextmanager
def opened(path: Path, what: str, ending: str, most: int = MOST_BYTES) -> Iterator[Package]:
    """`what` and `ending` are for messages; at most `most` bytes are unpacked."""
    with path.open("rb") as stream:
        if stream.read(4) == OLE:
            raise Unreadable(
                f"is encrypted, or an old {ending[:4]}; save a copy as {ending} without password"
            )
        try:
            packed = Package(stream)
        except _FAULTS as error:
            raise Unreadable(f"is not {what}, or is damaged") from error
        with packed:
            packed.what = what
            _require_sane(packed, most)
            yield packed


def _require_sane(packed: Package, most: int) -> None:
    members = packed.infolist()
    size = sum(member.file_size for member in members)
    packed_size = max(1, sum(member.compress_size for member in members))
    bomb = size > most or (size > _SMALL and size / packed_size > _RATIO)
    if bomb or len(members) > _MEMBERS:
        raise Unreadable(f"would unpack to {size:,} bytes, files: {len(members):,}; refused")
