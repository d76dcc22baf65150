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
_LIBRARIES |= {"Steve Canny"}
_TEMPLATES = {"2013-12-23T23:15:00", "2013-01-27T09:14:16", "2013-01-27T09:15:58"}
"""Times that python-docx and python-pptx set, if nobody says others."""


def properties_in(root: Element) -> dict[str, str]:
    """Title, author and ISO 8601 date below an element, "" if missing, as fields of a Document."""
    author = _stated(root, _AUTHOR)
    return {
        "title": _stated(root, _TITLE),
        "author": "" if author in _LIBRARIES else author,
        "date": iso_date(_stated(root, _DATE)),
    }


def read_properties(packed: Package, name: str) -> dict[str, str]:
    """The properties in a zip's member, {} if it is missing."""
    return {**properties_in(packed.tree(name)), "dated_by": OF_FILE} if name in packed else {}


def _stated(root: Element, names: tuple[str, ...]) -> str:
    texts = (clean(one.text or "")[:_MAX_CHARS] for name in names for one in named(root, name))
    return next((text for text in texts if text and text[:19] not in _TEMPLATES), "")
