"""What the readers of DOCX, ODT and PPTX share: unpack, tidy the XML, call pandoc."""

from __future__ import annotations

import io
import posixpath
import zipfile
from collections.abc import Iterable, Mapping

from uhhrag.documents.archive import has, member
from uhhrag.documents.blocks import document_of
from uhhrag.documents.document import Document
from uhhrag.documents.pandoc import read_by_pandoc
from uhhrag.documents.pandoc_blocks import blocks_of_pandoc
from uhhrag.documents.properties import Properties
from uhhrag.documents.xml_trees import Element, attribute, local, named, xml_tree
from uhhrag.text.dates import OF_FILE

TRACKED = "with tracked changes"


def handed_over(
    members: Mapping[str, bytes], form: str, about: Properties, *, tracked: bool
) -> Document:
    """Pandoc's document of these members of a zip. Raises Unreadable without text."""
    blocks = blocks_of_pandoc(read_by_pandoc(zipped(members), form)["blocks"], code=True)
    said = {"title": about.title, "author": about.author, "date": about.date}
    return document_of(blocks, dated_by=OF_FILE, note=TRACKED if tracked else "", **said)


def zipped(members: Mapping[str, bytes]) -> bytes:
    """The bytes of an archive of these members."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


def targets(packed: zipfile.ZipFile, part: str, what: str) -> dict[str, str]:
    """The members that a part refers to, by its names for them."""
    folder, name = posixpath.split(part)
    relations = f"{folder}/_rels/{name}.rels".lstrip("/")
    if not has(packed, relations):
        return {}
    found = named(xml_tree(member(packed, relations, what), what), "Relationship")
    return {
        attribute(one, "Id"): posixpath.normpath(
            posixpath.join("/", folder, attribute(one, "Target"))
        ).lstrip("/")
        for one in found
    }


def diagram_texts(root: Element) -> list[str]:
    """The texts of a diagram (SmartArt), a shape after another."""
    shapes = ("".join(part.text or "" for part in named(one, "t")) for one in named(root, "pt"))
    return [text for text in shapes if text.strip()]


def set_below(box: Element, held: Iterable[Element]) -> None:
    """Put a text box's paragraphs after the one it is anchored in."""
    above = next((one for one in box.iterancestors("{*}p")), None)
    if above is not None and above.getparent() is not None:
        for paragraph in reversed(list(held)):
            above.addnext(paragraph)


def inherited(name: str, based: Mapping[str, str], own: Mapping[str, bool]) -> bool:
    """What a style, or its nearest base, says."""
    seen: set[str] = set()
    while name and name not in own and name not in seen:
        seen.add(name)
        name = based.get(name, "")
    return own.get(name, False)


def whole_number(text: str) -> int:
    """Of digits, fewer than nine; 0 for another text."""
    return int(text) if text.isdecimal() and len(text) < 9 else 0


def value_at(element: Element | None, *path: str) -> str:
    """The `val` of the child at a path, "" without one."""
    for name in path:
        parts = () if element is None else element
        element = next((one for one in parts if local(one) == name), None)
    return "" if element is None else attribute(element, "val")
