"""DOCX by pandoc, as Word shows it: tracked changes accepted, pages by saved breaks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from uhhrag.documents.archive import opened, read_properties
from uhhrag.documents.document import Document, Unreadable, some
from uhhrag.documents.office.numbering import labels, word_numbered
from uhhrag.documents.office.shared import (
    drawn_texts,
    eq_fields,
    handed_over,
    inherited,
    is_on,
    letters,
    set_below,
    title_of,
    unread_objects,
    value_at,
)
from uhhrag.documents.office.tables import even_out
from uhhrag.documents.office.unseen import unseen_in_word
from uhhrag.documents.pandoc.blocks import PAGE_BREAK
from uhhrag.documents.pandoc.tables import TAB
from uhhrag.documents.parts import inserted
from uhhrag.documents.xml_trees import (
    Element,
    attribute,
    kin,
    local,
    named,
    take_out,
    whole_number,
    written,
)

_NOUN = "a Word document"
_MAIN, _STYLES = "word/document.xml", "word/styles.xml"
_NOTES = ("word/footnotes.xml", "word/endnotes.xml")
_NUMBERING = "word/numbering.xml"
_OTHERS = ("[Content_Types].xml", "_rels/.rels")
"""What else pandoc is given, without numbering."""
_TRACKED = ("ins", "del", "moveFrom", "moveTo", "cellIns", "cellDel")
_GONE = ("del", "moveFrom")
_HIDING = ("vanish", "strike", "dstrike")
_UNWRAPPED = (
    *("fldSimple", "smartTag", "customXml", "bdo", "dir"),
    *("oMathPara", "AlternateContent", "Choice"),
)
_FORMER = ("rPrChange", "pPrChange", "tblPrChange", "trPrChange", "tcPrChange", "numberingChange")
"""Looks before a tracked change."""
_NO_TEXT = ("fldChar", "instrText", "Fallback", "tblStylePr", "ind", "sectPr", "ruby")
"""Field codes, second forms of text boxes, looks."""
_PICTURES = ("drawing", "pict", "object")
"""They hide their run's text from pandoc."""
_AS = {"cr": "br", "ptab": "t", "tab": "t", "symEx": "t", "lastRenderedPageBreak": "t"}
"""Elements unknown to pandoc, with substitutes."""
_POINTS = ("Start", "End", "Err")
"""Name endings of marks between paragraphs, such as bookmarkEnd."""
_LIFT, _LONGEST_MARK = 4, 3
"""Of raised or lowered marks: half points, characters."""
_CONTENTS = "toc ", "table of figures", "table of authorities", "index "
"""Beginnings of names of styles of lines that name what is elsewhere."""
_CALLED = dict.fromkeys(("title", "subtitle", "author", "date", "abstract"), "plain")
_CALLED |= {"quotations": "Quote", "caption": "plain", "table caption": "plain"}
"""Styles that pandoc would move to metadata, and LibreOffice's quote, as pandoc is to know them."""


def read_docx(path: Path) -> tuple[Document | str, ...]:
    with opened(path, _NOUN, ".docx") as packed:
        numbering = packed.tree(_NUMBERING) if _NUMBERING in packed else None
        about = read_properties(packed, "docProps/core.xml")
        mains = packed.targets("", "/officeDocument").values()
        main = next(filter(packed.__contains__, mains), _MAIN)
        relations = f"word/_rels/{main.rpartition('/')[2]}.rels"
        texts = {main: packed.tree(main)}
        bare = texts[main].makeelement(kin(texts[main], "styles"))
        styles = packed.tree(_STYLES) if _STYLES in packed else bare
        texts |= {name: packed.tree(name) for name in _NOTES if name in packed}
        parts = packed.targets(main)
        for mark in named(texts[main], "relIds", "chart"):
            drawn = drawn_texts(packed, parts, mark)
            set_below(mark, [_paragraph(texts[main], text) for text in drawn])
        objects = named(texts[main], "OLEObject")
        unread = [*unread_objects(attribute(one, "ProgID") for one in objects)]
        kept = [name for name in (*_OTHERS, relations) if name in packed]
        others = {name: packed.member(name) for name in kept}
        chunks = [parts.get(attribute(one, "id"), "") for one in named(texts[main], "altChunk")]
        held = {name: packed.member(name) for name in chunks if name in packed}
        if lost := len(chunks) - len(held):
            are = some(lost, "part")
            unread.append(f"{are} in another format and not read; save it anew by Word")
    codes = [one.text or "" for root in texts.values() for one in named(root, "instrText")]
    unread += eq_fields(sum(code.split()[:1] == ["EQ"] for code in codes))
    tracked = any(True for root in texts.values() for _ in named(root, *_TRACKED))
    known = named(styles, "style")
    titles = {attribute(one, "styleId") for one in known if value_at(one, "name") == "Title"}
    for root in texts.values():
        take_out(*unseen_in_word(root, styles))
    hidden = _hiding_styles(styles)
    for root in texts.values():
        _tidy(root, hidden)
    lines = named(texts[main], "p")
    title = title_of((value_at(one, "pPr", "pStyle") in titles, letters(one)) for one in lines)
    if numbering is not None:
        _write_labels(texts[main], numbering, styles)
    trees = {**texts, _STYLES: styles}
    members = others | {name: written(root) for name, root in trees.items()}
    within = [*inserted(held, about, unread)]
    try:
        own = [handed_over(members, "docx", about, title, tracked=tracked)]
    except Unreadable as error:
        if not within:
            raise Unreadable(unread[-1] if lost else str(error)) from error
        own = []
    return (*own, *within, *unread)


def _tidy(root: Element, styles: Mapping[str, bool]) -> None:
    contents = (one for one in named(root, "docPartGallery") if "Contents" in attribute(one, "val"))
    take_out(*named(root, *_FORMER), *(next(one.iterancestors("{*}sdt"), one) for one in contents))
    _without_codes(root)
    _join_paragraphs(root)
    for properties in named(root, "rPr"):
        run = properties.getparent()
        if local(run) == "r" and _is_hidden(properties, styles):
            take_out(run)
        for text in named(run, "t") if any(map(is_on, properties.iterfind("{*}caps"))) else ():
            text.text = (text.text or "").upper()
        for lift in properties.iterfind("{*}position"):
            _name_lift(lift, run)
    for mark in filter(is_on, named(root, "showingPlcHdr")):  # what asks for text
        take_out(*named(mark.getparent().getparent(), "t"))
    for properties in named(root, "pPr"):
        name = value_at(properties, "pStyle")
        if styles.get(name, name.lower().startswith("toc")):
            take_out(properties.getparent())
    for mark in filter(is_on, root.findall(".//{*}trPr/{*}hidden")):
        take_out(mark.getparent().getparent())
    for element in named(root, "cellDel"):  # a cell stays, for those after it
        for part in named(element.getparent().getparent(), "p"):
            part.clear()
    for element in named(root, *_TRACKED):
        gone, within = local(element) in _GONE, element.getparent()
        row = gone and local(within) == "trPr"  # whose text may bear no mark of its own
        take_out(within.getparent() if row else element, keep=not gone)
    for ruby in named(root, "ruby"):
        within = ruby.getparent() if local(ruby.getparent()) == "r" else ruby
        for one in reversed([one for base in named(ruby, "rubyBase") for one in base]):
            within.addnext(one)
    take_out(*named(root, *_NO_TEXT))
    take_out(*named(root, *_UNWRAPPED), keep=True)
    for table in named(root, "tbl"):
        even_out(table)
    for element in named(root, *_AS):
        name = local(element)
        if _AS[name] == "t":
            breaks = name == "lastRenderedPageBreak"
            element.text = _sign(element) if name == "symEx" else PAGE_BREAK if breaks else TAB
        element.tag = kin(root, _AS[name])
    for mark in reversed(list(named(root, "textpath"))):  # letters drawn as a shape
        set_below(mark, [_paragraph(root, attribute(mark, "string"))])
    for box in reversed(list(named(root, "txbxContent"))):
        set_below(box, box)
    take_out(*named(root, *_PICTURES))
    for mark in named(root, "footnoteReference", "endnoteReference"):
        alone = mark.makeelement(mark.getparent().tag)
        mark.getparent().addnext(alone)
        alone.append(mark)


def _name_lift(lift: Element, run: Element) -> None:
    up, before = attribute(lift, "val"), run.getprevious()
    short = len("".join(one.text or "" for one in named(run, "t"))) <= _LONGEST_MARK
    far = whole_number(up.lstrip("-")) >= _LIFT
    if short and far and before is not None and local(before) == "r":
        lift.tag = kin(run, "vertAlign")
        lift.set(kin(run, "val"), "subscript" if up.startswith("-") else "superscript")


def _write_labels(root: Element, numbering: Element, styles: Element) -> None:
    for paragraph, label in labels(word_numbered(root, numbering, styles)):
        texts = paragraph.iter(kin(root, "t"))
        first = next((one for one in texts if one.text and one.text not in (PAGE_BREAK, TAB)), None)
        if first is not None:
            first.text = f"{label} {first.text}"


def _paragraph(root: Element, text: str) -> Element:
    paragraph, run, letters = (root.makeelement(kin(root, name)) for name in "prt")
    letters.text = text
    run.append(letters)
    paragraph.append(run)
    return paragraph


def _join_paragraphs(root: Element) -> None:
    """Joins a paragraph whose end was deleted with the next."""
    for properties in named(root, "pPr"):
        if not any(local(one) in _GONE for one in properties.iterfind("{*}rPr/*")):
            continue
        paragraph = properties.getparent()
        after = (one for one in paragraph.itersiblings() if not local(one).endswith(_POINTS))
        following = next(after, None)
        if following is not None and local(following) == "p":
            first = len(following) and local(following[0]) == "pPr"
            held = [one for one in paragraph if one is not properties]
            following[int(first) : int(first)] = held
            take_out(paragraph)


def _without_codes(root: Element) -> None:
    """Keeps only results of fields, tick boxes and choices."""
    fields = [attribute(one, "fldCharType") for one in named(root, "fldChar")]
    codes: list[bool] = []
    for run in named(root, "r") if fields.count("begin") == fields.count("end") else ():
        for part in list(run):
            kind = attribute(part, "fldCharType") if local(part) == "fldChar" else ""
            if kind == "begin":
                if not any(codes):
                    _write_box(part)
                codes.append(True)
            elif kind == "separate" and codes:
                codes[-1] = False
            elif kind == "end" and codes:
                codes.pop()
            elif any(codes):
                take_out(part)


def _write_box(field: Element) -> None:
    shown = field.makeelement(kin(field, "t"))
    for box in named(field, "checkBox"):
        said = {local(one): is_on(one) for one in box}
        shown.text = "☒" if said.get("checked", said.get("default")) else "☐"
    for choice in named(field, "ddList"):
        chosen = [*named(choice, "result"), *named(choice, "default")]
        number = whole_number(attribute(chosen[0], "val")) if chosen else 0
        entries = [attribute(one, "val") for one in named(choice, "listEntry")]
        shown.text = "".join(entries[number : number + 1])
    if shown.text:
        field.addprevious(shown)


def _sign(element: Element) -> str:
    code = attribute(element, "char")
    sign = chr(int(code, 16)) if re.fullmatch("[0-9A-Fa-f]{1,5}", code) else ""
    return sign if sign.isprintable() else ""


def _is_hidden(properties: Element, styles: Mapping[str, bool]) -> bool:
    marks = [one for one in properties if local(one) in (*_HIDING, "specVanish")]
    if marks:
        return any(map(is_on, marks))
    return styles.get(value_at(properties, "rStyle"), False)


def _hiding_styles(styles: Element) -> dict[str, bool]:
    """Whether each style, or its base, hides text."""
    based, own = {}, {}
    for style in named(styles, "style"):
        name = attribute(style, "styleId")
        based[name] = value_at(style, "basedOn")
        hiding = [is_on(one) for one in style.iterfind("{*}rPr/*") if local(one) in _HIDING]
        called = next(style.iterfind("{*}name"), style)
        known = attribute(called, "val").lower()
        contents = known.startswith(_CONTENTS) or name.lower().startswith("toc")
        if hiding or contents:
            own[name] = any(hiding) or contents
        if known in _CALLED:
            called.set(kin(called, "val"), _CALLED[known])
    return {name: inherited(name, based, own) for name in based}
