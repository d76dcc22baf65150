"""Metadata of DOCX, PPTX, ODT, XLSX and EPUB: Dublin Core."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass

from uhhrag.documents.archive import has, member
from uhhrag.documents.segmentation import clean
from uhhrag.documents.xml_trees import Element, named, xml_tree
from uhhrag.text.dates import OF_FILE, iso_date

_MAX_CHARS = 2_000
_TITLE, _AUTHOR = ("title",), ("initial-creator", "creator")
_DATE = ("creation-date", "created", "date", "modified")
"""Where each stands, the best first."""
_LIBRARIES = {"python-docx", "openpyxl", "Apache POI", "SheetJS", "EPPlus", "docx4j", "PHPWord"}
_TEMPLATES = {("python-docx", "2013-12-23"), ("Steve Canny", "2013-01-27")}
"""Author and date in every file that python-docx and python-pptx make, if nobody says others."""


@dataclass(frozen=True, slots=True)
class Properties:
    """Title, author and ISO 8601 date, "" if not given."""

    title: str = ""
    author: str = ""
    date: str = ""

    def of_file(self) -> dict[str, str]:
        """As fields of a Document."""
        about = {"title": self.title, "author": self.author, "date": self.date}
        return {**about, "dated_by": OF_FILE}


def properties_in(root: Element) -> Properties:
    """The properties that stand below an element."""
    author, date = _stated(root, _AUTHOR), iso_date(_stated(root, _DATE))
    if (author, date) in _TEMPLATES:
        author = date = ""
    author = "" if author in _LIBRARIES else author
    return Properties(_stated(root, _TITLE), author, date)


def read_properties(packed: zipfile.ZipFile, name: str, what: str) -> Properties:
    """The properties in a member of a zip, empty if missing. Raises Unreadable for no XML."""
    if not has(packed, name):
        return Properties()
    return properties_in(xml_tree(member(packed, name, what), what))


def _stated(root: Element, names: tuple[str, ...]) -> str:
    """The text of the first of these names that has one."""
    texts = (clean(one.text or "")[:_MAX_CHARS] for name in names for one in named(root, name))
    return next(filter(None, texts), "")
