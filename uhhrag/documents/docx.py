"""DOCX, by pandoc: what Word shows, with tracked changes as accepted.

A page number is where Word itself last broke the page, if it noted that; else there is none. Left
out: heads and feet of pages, comments, tables of contents, pictures, hidden and struck-out text.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from uhhrag.documents.archive import has, member, opened
from uhhrag.documents.blocks import document_of
from uhhrag.documents.document import Document
from uhhrag.documents.pandoc import read_by_pandoc
from uhhrag.documents.pandoc_blocks import PAGE_BREAK, blocks_of_pandoc
from uhhrag.documents.properties import read_properties
from uhhrag.documents.xml_trees import Element, attribute, local, named, take_out, written, xml_tree
from uhhrag.text.dates import OF_FILE

_WHAT = "a Word document"
_RELATIONS, _MAIN, _STYLES = "_rels/.rels", "word/document.xml", "word/styles.xml"
_NOTES = ("word/footnotes.xml", "word/endnotes.xml")
_OTHERS = ("[Content_Types].xml", _RELATIONS, "word/numbering.xml")
"""What else pandoc is given; pictures, comments, heads and feet of pages are not."""
_TRACKED = ("ins", "del", "moveFrom", "moveTo")
TRACKED = "with tracked changes"
_OFF = {"0", "false", "off", "none"}
_UNWRAPPED = ("fldSimple", "smartTag", "customXml")
_NO_TEXT = ("fldChar", "instrText", "Fallback", "tblStylePr", "ind", "sectPr")
"""Fields without what they show, the second form of a text box, what styles say of looks."""


def read_docx(path: Path) -> tuple[Document, ...]:
    """The document of a DOCX file. Raises Unreadable where it is encrypted, damaged or would
    unpack to more than any text does."""
    with opened(path, _WHAT, ".docx") as packed:
        styles = xml_tree(member(packed, _STYLES, _WHAT), _WHAT) if has(packed, _STYLES) else None
        about = read_properties(packed, "docProps/core.xml", _WHAT)
        main = _main_part(packed)
        relations = f"word/_rels/{main.rpartition('/')[2]}.rels"
        texts = {
            name: xml_tree(member(packed, name, _WHAT), _WHAT)
            for name in (main, *_NOTES)
            if name == main or has(packed, name)
        }
        tracked = any(True for root in texts.values() for _ in named(root, *_TRACKED))
        hidden = _kept_styles(styles, texts.values()) if styles is not None else {}
        for root in texts.values():
            _tidy(root, hidden)
        trees = texts if styles is None else {**texts, _STYLES: styles}
        kept = [name for name in (*_OTHERS, relations) if has(packed, name)]
        others = {name: member(packed, name, _WHAT) for name in kept}
    content = zipped({**others, **{name: written(root) for name, root in trees.items()}})
    blocks = blocks_of_pandoc(read_by_pandoc(content, "docx")["blocks"], code=True)
    return (
        document_of(
            blocks,
            title=about.title,
            author=about.author,
            date=about.date,
            dated_by=OF_FILE,
            note=TRACKED if tracked else "",
        ),
    )


def _main_part(packed: zipfile.ZipFile) -> str:
    """The name of the member that holds the text."""
    if has(packed, _RELATIONS):
        for relation in named(xml_tree(member(packed, _RELATIONS, _WHAT), _WHAT), "Relationship"):
            target = attribute(relation, "Target").lstrip("/")
            if attribute(relation, "Type").endswith("/officeDocument") and has(packed, target):
                return target
    return _MAIN


def _tidy(root: Element, styles: Mapping[str, bool]) -> None:
    """Take out of a text what Word does not show, and mark where it broke pages."""
    for properties in named(root, "rPr"):
        run = properties.getparent()
        if local(run) == "r" and _is_hidden(properties, styles):
            take_out(run)
    for properties in named(root, "pPr"):
        style = next(named(properties, "pStyle"), None)
        name = attribute(style, "val") if style is not None else ""
        if styles.get(name) or name.lower().startswith("toc"):
            take_out(properties.getparent())
    for element in named(root, *_TRACKED):
        within = local(element.getparent()) if element.getparent() is not None else ""
        gone = local(element) in ("del", "moveFrom")
        if within == "trPr" and gone:
            take_out(element.getparent().getparent())
        elif within not in ("rPr", "trPr", "pPr", "numPr"):  # where it is of text, not of a mark
            take_out(element, keep=not gone)
    for element in named(root, *_NO_TEXT):
        take_out(element)
    for element in named(root, *_UNWRAPPED):
        take_out(element, keep=True)
    for element in named(root, "lastRenderedPageBreak"):
        space = element.tag.rpartition("}")[0]
        element.tag, element.text = f"{space}}}t", PAGE_BREAK
    for box in named(root, "txbxContent"):
        _set_below(box)


def _set_below(box: Element) -> None:
    """Put the paragraphs of a text box after the one that it hangs on."""
    above = next((one for one in box.iterancestors("{*}p")), None)
    if above is not None and above.getparent() is not None:
        for paragraph in reversed(list(box)):
            above.addnext(paragraph)


def _is_hidden(properties: Element, styles: Mapping[str, bool]) -> bool:
    """Whether the properties of a run hide it or strike it out."""
    for element in properties:
        name = local(element)
        if name in ("vanish", "strike", "dstrike", "specVanish"):
            return attribute(element, "val", "1").lower() not in _OFF
    style = next(named(properties, "rStyle"), None)
    return style is not None and styles.get(attribute(style, "val"), False)


def _kept_styles(styles: Element, texts: Iterable[Element]) -> dict[str, bool]:
    """Take out the styles that no text uses, which are most, and what styles say of looks. Tells of
    the others whether they hide or strike out their text, themselves or by those they are based
    on."""
    by_name = {attribute(style, "styleId"): style for style in named(styles, "style")}
    based, own = {}, {}
    for name, style in by_name.items():
        base = next((one for one in style if local(one) == "basedOn"), None)
        based[name] = attribute(base, "val") if base is not None else ""
    used = {attribute(one, "val") for root in texts for one in named(root, "pStyle", "rStyle")}
    for name in list(used):
        while (name := based.get(name, "")) not in used:
            used.add(name)
    for element in list(styles):
        name = attribute(element, "styleId")
        if local(element) != "style" or not (name in used or attribute(element, "default")):
            styles.remove(element)
    for element in named(styles, *_NO_TEXT):
        take_out(element)
    for name in used & by_name.keys():
        style = by_name[name]
        properties = next((one for one in style if local(one) == "rPr"), None)
        marks = [] if properties is None else properties
        for mark in marks:
            if local(mark) in ("vanish", "strike", "dstrike"):
                own[name] = attribute(mark, "val", "1").lower() not in _OFF
    return {name: inherited(name, based, own) for name in based}


def inherited(name: str, based: Mapping[str, str], own: Mapping[str, bool]) -> bool:
    """What a style says itself, or the nearest of those it is based on."""
    seen: set[str] = set()
    while name and name not in own and name not in seen:
        seen.add(name)
        name = based.get(name, "")
    return own.get(name, False)


def zipped(members: Mapping[str, bytes]) -> bytes:
    """The bytes of an archive of these members."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()
