"""Dublin Core metadata of Office, OpenDocument and EPUB files."""

from __future__ import annotations

from uhhrag.documents.archive import Package
from uhhrag.documents.segmentation import clean
from uhhrag.documents.xml_trees import Element, named
from uhhrag.text.dates import OF_FILE, iso_date

_MAX_CHARS = 2_000
_TITLE, _AUTHOR = ("title",), ("initial-creator", "creator")
_DATE = ("creation-date", "created", "date", "modified")
"""Elements that may hold the date, best first."""
_LIBRARIES = {"python-docx", "openpyxl", "Apache POI", "SheetJS", "EPPlus", "docx4j", "PHPWord"}
_TEMPLATES = {("python-docx", "2013-12-23"), ("Steve Canny", "2013-01-27")}
"""Author and date that python-docx and python-pptx set, if nobody says others."""


def properties_in(root: Element) -> dict[str, str]:
    """Title, author and ISO 8601 date below an element, "" if missing, as fields of a Document."""
    author, date = _stated(root, _AUTHOR), iso_date(_stated(root, _DATE))
    if (author, date) in _TEMPLATES:
        author = date = ""
    author = "" if author in _LIBRARIES else author
    return {"title": _stated(root, _TITLE), "author": author, "date": date}


def read_properties(packed: Package, name: str) -> dict[str, str]:
    """The properties in a zip's member, {} if it is missing. Raises Unreadable for no XML."""
    return {**properties_in(packed.tree(name)), "dated_by": OF_FILE} if name in packed else {}


def _stated(root: Element, names: tuple[str, ...]) -> str:
    texts = (clean(one.text or "")[:_MAX_CHARS] for name in names for one in named(root, name))
    return next(filter(None, texts), "")
