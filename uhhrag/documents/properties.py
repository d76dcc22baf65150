"""Dublin Core metadata of Office, OpenDocument and EPUB files."""

from __future__ import annotations

import re

from uhhrag.documents.archive import Package
from uhhrag.documents.segmentation import clean
from uhhrag.documents.xml_trees import Element, named
from uhhrag.text.dates import OF_FILE, iso_date

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


def properties_in(root: Element) -> dict[str, str]:
    """Title, author and ISO 8601 date below an element, "" if missing, as fields of a Document."""
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
    """The properties in a zip's member, {} if it is missing."""
    return {**properties_in(packed.tree(name)), "dated_by": OF_FILE} if name in packed else {}


def _stated(root: Element, names: tuple[str, ...]) -> str:
    texts = (clean(one.text or "")[:_MAX_CHARS] for name in names for one in named(root, name))
    own = (text for text in texts if text[:19] not in _TEMPLATES and not _FIRST.match(text))
    return next(filter(None, own), "")
