"""ODT by pandoc, as LibreOffice shows it: tracked changes accepted, pages by saved breaks."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from functools import partial
from pathlib import Path

from uhhrag.documents.archive import opened, read_properties
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.marks import FORMS, in_font
from uhhrag.documents.office.numbering import Level, Numbered, Numbers, labels
from uhhrag.documents.office.shared import (
    handed_over,
    inherited,
    set_below,
    title_of,
    unread_objects,
)
from uhhrag.documents.office.tables import fill_first_row, move_out
from uhhrag.documents.office.unseen import unseen_in_odt
from uhhrag.documents.pandoc.blocks import PAGE_BREAK
from uhhrag.documents.pandoc.tables import TAB
from uhhrag.documents.xml_trees import (
    Element,
    attribute,
    count,
    is_struck,
    local,
    named,
    take_out,
    whole_number,
    written,
    xml_tree,
)

_NOUN = "an OpenDocument text"
_MANIFEST = "META-INF/manifest.xml"
_TEXT, _STYLES = "content.xml", "styles.xml"
_OBJECT, _FORMULA = re.compile(r"[^/]+/content\.xml"), re.compile(rb"<(?:\w+:)?math[\s>]")
_ASIDE = (
    *("tracked-changes", "annotation", "annotation-end", "forms", "ruby-text", "placeholder"),
    *("table-of-content", "alphabetical-index", "illustration-index", "table-index"),
    *("object-index", "user-index", "bibliography", "script"),
)
_LISTS = ("list", "list-item", "list-header")
_SECTIONS = ("section", "p", "h", "table-row", "table-column")
_VARIABLES = ("variable-set", "variable-get", "user-field-get", "expression")
_LINE = {"p", "h", "span", "a", "s", "tab", "line-break", "soft-page-break"}
_LINE |= {"note", "note-citation", "note-body"}
_MARKS = ("bookmark", "reference", "change", "index", "toc-mark", "user-index", "alphabetical")
_SHAPES = {"custom-shape", "rect", "ellipse", "circle", "polygon", "path", "caption", "line"}
_SHAPES |= {"polyline", "connector", "measure", "regular-polygon"}
_HELD = ("p", "h", "table", "section")
_QUOTATIONS = dict.fromkeys(("Quotations", "Quote", "Intense_20_Quote", "Block_20_Text"), True)
_NO_STYLES = (
    b'<o:document-styles xmlns:o="urn:oasis:names:tc:opendocument:xmlns:office:1.0">'
    b"<o:font-face-decls/><o:styles/><o:automatic-styles/><o:master-styles/></o:document-styles>"
)


def read_odt(path: Path) -> tuple[Document | str, ...]:
    with opened(path, _NOUN, ".odt") as packed:
        if _MANIFEST in packed and b"encryption-data" in packed.member(_MANIFEST):
            raise Unreadable("is encrypted; save a copy without password")
        text = packed.tree(_TEXT)
        styles = packed.tree(_STYLES) if _STYLES in packed else xml_tree(_NO_STYLES, _NOUN)
        about = read_properties(packed, "meta.xml")
        names = filter(_OBJECT.fullmatch, packed.namelist())
        objects = {name: packed.member(name) for name in names}
    tracked = any(len(changes) for changes in named(text, "tracked-changes"))
    formulas = {name: one for name, one in objects.items() if _FORMULA.search(one[:2_000])}
    unread = [*unread_objects("" for _ in named(text, "object-ole"))]
    for mark in named(text, "object"):
        _write_object(mark, {name: objects[name] for name in objects.keys() - formulas.keys()})
    take_out(*unseen_in_odt(text, styles))
    based = _tidy(text, styles)
    lines = ((attribute(one, "style-name"), one) for one in named(text, "p", "h"))
    title = title_of(
        (inherited(name, based, {"Title": True}), "".join(one.itertext())) for name, one in lines
    )
    members = {"mimetype": b"application/vnd.oasis.opendocument.text", _TEXT: written(text)}
    members |= {_STYLES: written(styles), **formulas}
    return (handed_over(members, "odt", about, title, tracked=tracked), *unread)


def _write_object(mark: Element, objects: Mapping[str, bytes]) -> None:
    for key, value in mark.items():
        mark.set(key, value.rstrip("/"))  # pandoc reads no "Formula-0/", as it writes it
    content = objects.get(posixpath.normpath(f"{attribute(mark, 'href')}/{_TEXT}"))
    if content is not None:
        root = xml_tree(content, _NOUN)
        titles = [line for title in named(root, "title") for line in named(title, "p")]
        set_below(mark, [*titles, *named(root, "table")])


def _tidy(text: Element, styles: Element) -> Mapping[str, str]:
    """Returns the base of each style."""
    based, hiding, capitals, fonts = _styles_of(text, styles)
    _write_forms(text)
    take_out(*named(text, *_ASIDE))
    for element in named(text, "hidden-text", "hidden-paragraph"):
        hides = attribute(element, "is-hidden", str(local(element) == "hidden-text"))
        if hides.lower() == "true":
            line = next(element.iterancestors("{*}p", "{*}h"), element)
            take_out(element if local(element) == "hidden-text" else line)
    for control in named(text, "content-control"):
        take_out(control, keep=attribute(control, "showing-place-holder") != "true")
    for element in named(text, "span", *_SECTIONS, *_VARIABLES):
        shown = attribute(element, "display") or attribute(element, "visibility")
        name, hidden = attribute(element, "style-name"), attribute(element, "is-hidden") == "true"
        if hidden or shown in ("none", "collapse", "filter") or inherited(name, based, hiding):
            take_out(element)
        elif inherited(name, based, capitals):
            _rewrite(element, str.upper)
        elif local(element) == "span" and (font := fonts.get(name)):
            _rewrite(element, partial(in_font, font=font))
    for line in named(text, "p", "h"):
        for element in [one for one in line.iter("*") if "text:" in one.tag]:
            if local(element) not in _LINE and not local(element).startswith(_MARKS):
                take_out(element, keep=True)  # of a field
    for tab in named(text, "tab"):
        _show(tab, TAB)
    for paragraph, label in labels(_numbered(text, styles, based)):
        paragraph.text = f"{label} {paragraph.text or ''}"
    take_out(*named(text, "numbered-paragraph", *_LISTS), keep=True)
    for box in named(text, "text-box", *_SHAPES):
        _place(box)
    for cell in named(text, "table-cell", "covered-table-cell"):
        for _ in range(1, count(cell, "number-columns-repeated", 64)):
            cell.addnext(deepcopy(cell))
    for table in reversed(list(named(text, "table"))):
        move_out(table)
    take_out(*named(text, "table-rows", "table-row-group"), keep=True)
    for table in named(text, "table"):
        fill_first_row(table)
    for element in named(text, "soft-page-break"):
        _mark_page(element)
    for root in (text, styles):  # what is indented is no quotation for that
        for properties in named(root, "paragraph-properties"):
            name = attribute(properties.getparent(), "name")
            if not inherited(name, based, _QUOTATIONS):
                for key in [key for key in properties.attrib if "margin" in key]:
                    del properties.attrib[key]
    return based


def _numbered(text: Element, styles: Element, based: Mapping[str, str]) -> Iterator[Numbered]:
    looks = [
        (attribute(one, "name"), one) for root in (styles, text) for one in named(root, "style")
    ]
    plain = {
        name: not one.get(key) for name, one in looks for key in one.attrib if "}list-s" in key
    }
    outline = Numbers(next(map(_levels, named(styles, "outline-style")), {}))
    lists = _lists(text, styles)
    for line in named(text, "p", "h"):
        around = [one for one in line.iterancestors() if local(one) in _LISTS]
        heading, counted = local(line) == "h", line
        numbers, level = None, whole_number(attribute(line, "outline-level", str(int(heading)))) - 1
        if around:
            counted = around[0]
            first = local(counted) == "list-item" and line.getprevious() is None
            numbers = next((lists[one] for one in around if one in lists), None) if first else None
            level = sum(local(one) == "list" for one in around) - 1
        elif heading and not inherited(attribute(line, "style-name"), based, plain):
            numbers = outline
        restart = attribute(counted, "start-value")
        yield Numbered(line, numbers, level, int(restart) if restart.isdecimal() else None, heading)


def _lists(text: Element, styles: Element) -> dict[Element, Numbers]:
    known = [one for root in (styles, text) for one in named(root, "list-style")]
    levels = {attribute(one, "name"): _levels(one) for one in known}
    by_name: dict[str, Numbers] = {}
    lists = {}
    for one in named(text, "list"):
        style, before = attribute(one, "style-name"), attribute(one, "continue-list")
        if style in levels:
            before = before or (style if attribute(one, "continue-numbering") == "true" else "")
            numbers = by_name.get(before) or Numbers(levels[style])
            by_name |= {name: numbers for name in (style, attribute(one, "id")) if name}
            lists[one] = numbers
    return lists


def _levels(style: Element) -> dict[int, Level]:
    levels = {}
    for one in style:
        level = whole_number(attribute(one, "level"))
        first = level + 1 - whole_number(attribute(one, "display-levels", "1"))
        numbers = ".".join(f"%{at}" for at in range(max(1, first), level + 1))
        text = f"{attribute(one, 'num-prefix')}{numbers}{attribute(one, 'num-suffix')}"
        form = {**FORMS, "": "none"}.get(attribute(one, "num-format"), "decimal")
        if "number" not in local(one) and "outline" not in local(one):
            form, text = "bullet", attribute(one, "bullet-char")
        levels[level - 1] = Level(form, text, whole_number(attribute(one, "start-value", "1")))
    return levels


def _place(box: Element) -> None:
    held = [one for one in box if local(one) in _HELD]
    if any(local(one) == "p" for one in box.iterancestors()):
        set_below(box, held)
        return
    for one in reversed(held):
        next(box.iterancestors("{*}frame"), box).addnext(one)


def _mark_page(mark: Element) -> None:
    below = (line for one in mark.itersiblings() for line in named(one, "p", "h"))
    if next(mark.iterancestors("{*}p", "{*}h"), None) is not None:
        mark.tail = PAGE_BREAK + (mark.tail or "")
    elif (target := next(below, None)) is not None:
        target.text = PAGE_BREAK + (target.text or "")
    take_out(mark)


def _rewrite(element: Element, change: Callable[[str], str]) -> None:
    for one in element.iter():
        one.text = one.text and change(one.text)
        one.tail = one.tail and (one.tail if one is element else change(one.tail))


def _styles_of(
    text: Element, styles: Element
) -> tuple[dict[str, str], dict[str, bool], dict[str, bool], dict[str, str]]:
    based, hiding, capitals, fonts = {}, {}, {}, {}
    common = (one for one in named(styles, "style") if local(one.getparent()) == "styles")
    for style in (*common, *named(text, "style")):
        name = attribute(style, "name")
        based[name] = attribute(style, "parent-style-name")
        for properties in named(style, "text-properties"):
            shown = attribute(properties, "display")
            fonts[name] = attribute(properties, "font-name")
            if how := attribute(properties, "text-transform"):
                capitals[name] = how == "uppercase"
            if shown or any("line-through" in key for key in properties.attrib):
                hiding[name] = is_struck(properties) or shown == "none"
    return based, hiding, capitals, fonts


def _write_forms(text: Element) -> None:
    """Replaces fields and controls by what they show."""
    for field in named(text, "fieldmark"):
        kind = attribute(field, "type")
        given = [(attribute(one, "name"), attribute(one, "value")) for one in named(field, "param")]
        chosen = dict(given)
        if kind.endswith("FORMCHECKBOX"):
            _show(field, "☒" if chosen.get("Checkbox_Checked") == "true" else "☐")
        elif kind.endswith("FORMDROPDOWN") and "Dropdown_Selected" in chosen:
            number = whole_number(chosen["Dropdown_Selected"])
            entries = [value for name, value in given if name == "Dropdown_ListEntry"]
            _show(field, "".join(entries[number : number + 1]))
    controls = {attribute(one, "id"): one for forms in named(text, "forms") for one in forms.iter()}
    for mark in named(text, "control"):
        control = controls.get(attribute(mark, "control"))
        if control is not None and next(mark.iterancestors("{*}p", "{*}h"), None) is not None:
            _show(mark, _shown(control))


def _show(mark: Element, text: str) -> None:
    mark.tail = text + (mark.tail or "")
    take_out(mark)


def _shown(control: Element) -> str:
    kind, label = local(control), attribute(control, "label")
    if kind in ("checkbox", "radio"):
        state = attribute(control, "current-state", attribute(control, "state"))
        ticked = state == "checked" or attribute(control, "current-selected") == "true"
        return f"{'☒' if ticked else '☐'} {label}"
    if kind == "fixed-text":
        return label
    options = (one for one in named(control, "option") if attribute(one, "current-selected"))
    chosen = [attribute(one, "label") for one in options]
    value = attribute(control, "current-value", attribute(control, "value"))
    return ", ".join(chosen) or ("" if kind in ("button", "hidden") else value)
