"""Zipped documents, refused before unpacking if too large or a bomb; Dublin Core metadata."""

from __future__ import annotations

import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from uhhrag.documents.document import Unreadable
from uhhrag.documents.segmentation import clean
from uhhrag.documents.xml_trees import Element, attribute, named, xml_tree
from uhhrag.text.dates import OF_FILE, iso_date

MOST_BYTES = 2**28
"""Unpacked."""
_MEMBERS, _RATIO, _SMALL = 10_000, 200, 2**24
OLE = b"\xd0\xcf\x11\xe0"  # how files of old Office begin, and new ones under a password
_FAULTS = (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError, ValueError, OSError)
_CHUNK = 2**16
_MAX_CHARS = 2_000
_TITLE, _AUTHOR = ("title",), ("initial-creator", "creator")
_DATE = ("creation-date", "created", "date", "modified")
"""Elements that may hold the date, best first."""
_NOBODY = re.compile(
    r"python-docx|steve canny|openpyxl|xlsxwriter|apache poi|sheetjs|epplus|docx4j|phpword|aspose.*"
    r"|\(?(?:anonymous|unspecified|unknown|none)\)?|(?:my|your|first|full) ?name|name|author|user"
    r"|(?:default|test|windows|microsoft(?: office)?|office|local) ?user|admin(?:istrator)?|owner"
    r"|pc|root|system|scanner|guest",
    re.IGNORECASE,
)
"""Authors that programs write where nobody gave one."""
_FIRST = re.compile(r"(?:1601-01-0[12]|1899-1[12]-3[01]|1900-01-0[01]|19[78]0-01-01|0001-01-01)T")
"""The first times that programs count, which they write where they know none."""
_TEMPLATES = {"2013-12-23T23:15:00", "2013-01-27T09:14:16", "2013-01-27T09:15:58"}
"""Times that python-docx and python-pptx set, if nobody says others."""


class Package(zipfile.ZipFile):
    """Methods raise Unreadable for a missing or damaged member."""

    noun = ""
    """For messages: "a Word document"."""

    def __contains__(self, name: str) -> bool:
        return name in self.NameToInfo

    def chunks(self, name: str) -> Iterator[bytes]:
        try:
            with self.open(name) as stream:
                while chunk := stream.read(_CHUNK):
                    yield chunk
        except (KeyError, *_FAULTS) as error:
            raise Unreadable(f"is not {self.noun}, or is damaged") from error

    def member(self, name: str) -> bytes:
        return b"".join(self.chunks(name))

    def tree(self, name: str) -> Element:
        return xml_tree(self.member(name), self.noun)

    def targets(self, part: str, kind: str = "") -> dict[str, str]:
        """Members by relationship id of an Office part; types end in `kind`."""
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
def opened(path: Path, noun: str, ending: str, most: int = MOST_BYTES) -> Iterator[Package]:
    """Unpacks at most `most` bytes; `noun` and `ending` are for messages."""
    with path.open("rb") as stream:
        if stream.read(4) == OLE:
            raise Unreadable(
                f"is encrypted, or an old {ending[:4]}; save a copy as {ending} without password"
            )
        try:
            packed = Package(stream)
        except _FAULTS as error:
            raise Unreadable(f"is not {noun}, or is damaged") from error
        with packed:
            packed.noun = noun
            _require_sane(packed, most)
            yield packed


def _require_sane(packed: Package, most: int) -> None:
    members = packed.infolist()
    size = sum(member.file_size for member in members)
    packed_size = max(1, sum(member.compress_size for member in members))
    bomb = size > most or (size > _SMALL and size / packed_size > _RATIO)
    if bomb or len(members) > _MEMBERS:
        raise Unreadable(f"would unpack to {size:,} bytes, files: {len(members):,}; refused")


def properties_in(root: Element) -> dict[str, str]:
    """Title, author, ISO 8601 date, "" if missing, as Document fields."""
    return {
        "title": _stated(root, _TITLE),
        "author": named_author(_stated(root, _AUTHOR)),
        "date": iso_date(_stated(root, _DATE)),
    }


def named_author(author: str) -> str:
    """
    >>> named_author("Ada Brook"), named_author("(anonymous)"), named_author("Windows User")
    ('Ada Brook', '', '')
    """
    return "" if _NOBODY.fullmatch(author) else author


def read_properties(packed: Package, name: str) -> dict[str, str]:
    """Of a zip's member, {} if missing."""
    return {**properties_in(packed.tree(name)), "dated_by": OF_FILE} if name in packed else {}


def _stated(root: Element, names: tuple[str, ...]) -> str:
    texts = (clean(one.text or "")[:_MAX_CHARS] for name in names for one in named(root, name))
    own = (text for text in texts if text[:19] not in _TEMPLATES and not _FIRST.match(text))
    return next(filter(None, own), "")
