"""ODT (LibreOffice) by pandoc, with tracked changes accepted.

Page numbers are from the breaks that LibreOffice saved, if any. Left out: headers and footers,
comments, tables of contents, hidden and struck-out text.
"""

from __future__ import annotations

import re
import zipfile
from copy import deepcopy
from pathlib import Path

from uhhrag.documents.archive import has, member, opened
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.office import handed_over, inherited, set_below
from uhhrag.documents.pandoc_blocks import PAGE_BREAK
from uhhrag.documents.properties import read_properties
from uhhrag.documents.xml_trees import Element, attribute, local, named, take_out, written, xml_tree

_WHAT = "an OpenDocument text"
_MANIFEST = "META-INF/manifest.xml"
_TEXT, _STYLES = "content.xml", "styles.xml"
_OBJECT, _FORMULA = re.compile(r"[^/]+/content\.xml"), re.compile(rb"<(?:\w+:)?math[\s>]")
_ASIDE = (
    *("tracked-changes", "annotation", "annotation-end", "forms", "ruby-text"),
    *("table-of-content", "alphabetical-index", "illustration-index", "table-index"),
    *("object-index", "user-index", "bibliography"),
)
_SECTIONS = ("section", "p", "h", "table-row", "table-column")
_LINE = {"p", "h", "span", "a", "s", "tab", "line-break", "soft-page-break", "ruby", "ruby-base"}
_LINE |= {"note", "note-citation", "note-body", "list", "list-item", "list-header"}
_MARKS = ("bookmark", "reference", "change", "index", "toc-mark", "user-index", "alphabetical")
"""Elements of a line that are no fields."""
_SHAPES = ("custom-shape", "rect", "ellipse", "circle", "polygon", "path", "caption")
_HELD = ("p", "h", "list", "table", "section")
_QUOTATION = "Quotations"
_NO_STYLES = (
    b'<o:document-styles xmlns:o="urn:oasis:names:tc:opendocument:xmlns:office:1.0">'
    b"<o:font-face-decls/><o:styles/><o:automatic-styles/><o:master-styles/></o:document-styles>"
)


def read_odt(path: Path) -> tuple[Document, ...]:
    """The document of an ODT file. Raises Unreadable."""
    with opened(path, _WHAT, ".odt") as packed:
        _refuse_encrypted(packed)
        text = xml_tree(member(packed, _TEXT, _WHAT), _WHAT)
        styled = member(packed, _STYLES, _WHAT) if has(packed, _STYLES) else _NO_STYLES
        styles = xml_tree(styled, _WHAT)
        about = read_properties(packed, "meta.xml", _WHAT)
        names = filter(_OBJECT.fullmatch, packed.namelist())
        objects = {name: member(packed, name, _WHAT) for name in names}
    tracked = any(len(changes) for changes in named(text, "tracked-changes"))
    _tidy(text, styles)
    members = {"mimetype": b"application/vnd.oasis.opendocument.text", _TEXT: written(text)}
    members |= {name: one for name, one in objects.items() if _FORMULA.search(one[:2_000])}
    return (handed_over({**members, _STYLES: written(styles)}, "odt", about, tracked=tracked),)


def _refuse_encrypted(packed: zipfile.ZipFile) -> None:
    if has(packed, _MANIFEST) and b"encryption-data" in member(packed, _MANIFEST, _WHAT):
        raise Unreadable("is encrypted; save a copy without password")


def _tidy(text: Element, styles: Element) -> None:
    based, hiding = _styles_of(text, styles)
    for element in named(text, *_ASIDE):
        take_out(element)
    for element in named(text, "title", "desc"):  # of a picture; a field is called title, too
        if "svg" in element.tag:
            take_out(element)
    for element in named(text, "hidden-text", "hidden-paragraph"):
        hides = attribute(element, "is-hidden", str(local(element) == "hidden-text"))
        if hides.lower() == "true":
            line = next((one for one in element.iterancestors("{*}p", "{*}h")), element)
            take_out(element if local(element) == "hidden-text" else line)
    _write_fields(text)
    for element in named(text, "span", *_SECTIONS):
        shown = attribute(element, "display") or attribute(element, "visibility")
        name = attribute(element, "style-name")
        if shown in ("none", "collapse", "filter") or inherited(name, based, hiding):
            take_out(element)
    for element in named(text, "numbered-paragraph"):
        take_out(element, keep=True)
    for box in named(text, "text-box", *_SHAPES):
        _place(box)
    for cell in named(text, "table-cell", "covered-table-cell"):
        for _ in range(1, _times(cell)):
            cell.addnext(deepcopy(cell))
    for note in named(text, "note-body"):
        for element in named(note, "list", "list-item", "list-header"):
            take_out(element, keep=True)
    for table in reversed(list(named(text, "table"))):
        _move_out(table)
    for element in named(text, "soft-page-break"):
        _mark_page(element)
    for root in (text, styles):  # what is indented is no quotation for that
        for properties in named(root, "paragraph-properties"):
            name = attribute(properties.getparent(), "name")
            if not inherited(name, based, {_QUOTATION: True}):
                for key in [key for key in properties.attrib if "margin" in key]:
                    del properties.attrib[key]


def _write_fields(text: Element) -> None:
    """Leave what fields show as text, whatever they are."""
    for line in named(text, "p", "h"):
        for element in [one for one in line.iter("*") if "text:" in one.tag]:
            if local(element) not in _LINE and not local(element).startswith(_MARKS):
                take_out(element, keep=True)


def _place(box: Element) -> None:
    """Put a text box's paragraphs after its own, or in its place."""
    held = [one for one in box if local(one) in _HELD]
    if any(local(one) == "p" for one in box.iterancestors()):
        set_below(box, held)
        return
    frame = next((one for one in box.iterancestors() if local(one) == "frame"), box)
    for one in reversed(held):
        frame.addnext(one)


def _move_out(table: Element) -> None:
    """Put a table in a cell after the one around it: of cells, pandoc reads paragraphs and
    lists."""
    around = list(table.iterancestors("{*}table"))
    if around:
        around[-1].addnext(table)
    for element in named(table, "section"):
        take_out(element, keep=True)
    for element in named(table, "h"):
        element.tag = f"{element.tag.rpartition('}')[0]}}}p"


def _times(cell: Element) -> int:
    text = attribute(cell, "number-columns-repeated", "1")
    return min(int(text), 64) if text.isascii() and text.isdecimal() else 1


def _mark_page(mark: Element) -> None:
    inside = any(local(one) in ("p", "h") for one in mark.iterancestors())
    following = None if inside else next((one for one in mark.itersiblings()), None)
    target = next(named(following, "p", "h"), None) if following is not None else None
    if inside:
        mark.tail = PAGE_BREAK + (mark.tail or "")
    elif target is not None:
        target.text = PAGE_BREAK + (target.text or "")
    take_out(mark)


def _styles_of(text: Element, styles: Element) -> tuple[dict[str, str], dict[str, bool]]:
    """The base of each style, and whether it hides or strikes out text."""
    based, hiding = {}, {}
    common = (one for one in named(styles, "style") if local(one.getparent()) == "styles")
    for style in (*common, *named(text, "style")):
        name = attribute(style, "name")
        based[name] = attribute(style, "parent-style-name")
        for properties in named(style, "text-properties"):
            struck = attribute(properties, "text-line-through-style")
            shown = attribute(properties, "display")
            if struck or shown:
                hiding[name] = struck not in ("", "none") or shown == "none"
    return based, hiding
