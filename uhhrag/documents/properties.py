"""What a packed document says of itself: the properties of ODT, XLSX and EPUB, all Dublin Core."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field

from uhhrag.documents.archive import chunks, has
from uhhrag.documents.segmentation import clean
from uhhrag.documents.xml_events import parse
from uhhrag.text.dates import iso_date

_LONGEST = 2_000
_NAMES = {
    "title": ("title",),
    "author": ("initial-creator", "creator"),
    "date": ("creation-date", "created", "date", "modified"),
}
"""Where each stands, the best first."""


@dataclass(frozen=True, slots=True)
class Properties:
    """A title, an author, a date as ISO 8601; "" for what is not said."""

    title: str = ""
    author: str = ""
    date: str = ""


@dataclass(slots=True)
class PropertiesHandler:
    """Collects the texts of a document's properties by their names, the first of each."""

    found: dict[str, str] = field(default_factory=dict)
    _name: str = ""
    _text: list[str] = field(default_factory=list)

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._name = tag if any(tag in names for names in _NAMES.values()) else ""
        self._text.clear()

    def data(self, text: str) -> None:
        if self._name and len(self._text) < _LONGEST:
            self._text.append(text)

    def end(self, tag: str) -> None:
        if tag == self._name and (text := clean("".join(self._text))[:_LONGEST]):
            self.found.setdefault(tag, text)
        self._name = ""

    def properties(self) -> Properties:
        """What was found."""
        best = {
            of: next((self.found[name] for name in names if name in self.found), "")
            for of, names in _NAMES.items()
        }
        return Properties(best["title"], best["author"], iso_date(best["date"]))


def read_properties(packed: zipfile.ZipFile, name: str, what: str) -> Properties:
    """The properties in a member of an archive; nothing where it has none. Raises Unreadable where
    they are no XML."""
    handler = PropertiesHandler()
    if has(packed, name):
        parse(chunks(packed, name, what), handler, what)
    return handler.properties()
