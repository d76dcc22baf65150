"""HTML as a tree without hidden and struck-out parts; scripts are not run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import groupby, islice

from uhhrag.documents.document import Unreadable
from uhhrag.documents.plain.mail_lines import text_lines_of
from uhhrag.documents.web.boxes import NAMES, PIECES, name_values, panels_in, put_in_place
from uhhrag.documents.web.notes import mark_notes
from uhhrag.documents.web.styles import BESIDE, INHERITED, MARKS, RAISED, Styles, text_beside
from uhhrag.documents.whose_words import is_label
from uhhrag.documents.xml_trees import Element, is_bare, local, take_out
from uhhrag.text.fragments import is_ended, is_question

_NO_TEXT = (
    *("script", "style", "template", "noscript", "svg", "object", "head", "datalist"),
    *("button", "iframe", "canvas", "audio", "video"),
    *("s", "strike", "del", "rp", "rt", "annotation", "annotation-xml"),
)
_UNSEEN = re.compile(
    r"(?:^|[\s_-])(?:sr-only|visually-?hidden|screen-?reader(?:s|-only|-text)?|mw-editsection"
    r"|(?:tool-?tip|popover)[_-]{0,2}(?:text|content|body|inner))(?:$|\s)"
)
"""Classes of what only screen readers say or a pointer shows, and of links beside wiki headings."""
_COMMENTS = "//div[p[1]/a[1][@id][starts-with(@href, '#cmnt_ref')]]"
"""Of Google Docs."""
_FOLDED = "until-found"
"""Value of `hidden`: opens when searched for."""
_CONTROLS = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufdd0\ufffe\uffff\U000e0100-\U000e01ef]"
)
"""Characters that trees refuse, and marks of `html_article`."""
_WITHOUT_SCRIPTS = re.compile(
    r"<noscript\b[^<>]*>(?:(?!</?noscript|</?script|-->).){0,9999}</noscript\s*>",
    re.IGNORECASE | re.DOTALL,
)
"""Its unclosed tags would swallow what follows."""
_REFERENCE = re.compile(r"&#(?:x0*([\da-f]{1,6})|0*(\d{1,7}));?", re.IGNORECASE)
_APART = {"div", "a", "section", "header", "footer", "article", "aside", "summary"}
"""In which classed text elements stand apart."""
_BY_ITSELF = {"a", "time", "label", "data"}
_END, _BEGIN = re.compile(r"[\w:.,;!?%)]$"), re.compile(r"[\w$€£¥(]")
_ROLES = {
    role: name
    for name, roles in (
        *(("table", "table grid"), ("tbody", "rowgroup"), ("tr", "row"), ("td", "cell gridcell")),
        *(("th", "columnheader rowheader"), ("ul", "list"), ("li", "listitem")),
    )
    for role in roles.split()
}
"""ARIA role of a `div` or `span` → element."""
_QUOTES = re.compile(
    r"(?:^|\s)(?:(?!(?:\w+mail|get|request|stock|free|format)[_-])(?:[\w-]{1,40}[_-])?(?:block|pull)?quote"
    r"|quotecontent|testimonial|claim[_-]+(?:text|cont|content|statement))(?:$|\s)"
)
"""Classes of what pages set apart as others' words."""
_SAYS_QUOTE = re.compile(r"\s*(?:Quote|Zitat|Citation|Citat|Cita|Citaat|Цитата)\s?:\s*")
_POST = re.compile(r"(?:^|\s)(?:post|message)[_-]?(?:content|text|body)(?:$|\s)", re.IGNORECASE)
"""Class of a block quote that is a forum's own post."""
_HELD = {*NAMES, "th"}
_GOES_BEFORE, _GOES_ON = re.compile(r"\w,?\s$"), re.compile(r"\s[a-zß-ÿ]|[.,;:)]")
"""Text around a word amid a sentence."""
_MARKED = re.compile(r"\A\s*>\s*(?![\s\d>])")
_INDENTED = re.compile(r"\s*margin:\s*(?:0(?:px)? ){3}40px;\s*border:\s*(?:none|medium)", re.I)
"""As mail programs indent text of the sender's own."""


def html_tree(text: str) -> Element:
    """None without a body."""
    from lxml import etree, html

    parser = html.HTMLParser(encoding="utf-8", no_network=True, huge_tree=True)
    try:
        root = html.document_fromstring(_without_marks(text).encode(), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return None
    if any("depth" in fault.message for fault in parser.error_log):
        raise Unreadable("is nested too deeply")
    put_in_place(root)
    styles, panels, comments = Styles(root), panels_in(root), {*root.xpath(_COMMENTS)}
    if (body := root.find("body")) is None:
        return None
    for element in list(body.iterdescendants()):
        name = local(element)
        if name == "button" and any(local(one) in _HELD for one in element.iterancestors()):
            continue  # one that opens what it names, or sorts a column
        if name and (shown_as := _shown_as(element, name)) != name:
            element.tag = name = shown_as
        stated = styles.of(element) if name else {}
        hidden = bool(name) and _is_hidden(element, stated, styles)
        if hidden and element in panels:
            for key in ("hidden", "aria-hidden", "style"):  # which the extractor looks at too
                element.attrib.pop(key, None)
            hidden = False
        if name == "select" and not element.xpath("@multiple|.//@selected"):
            for first in islice(element.iter("option"), 1):
                first.set("selected", "")
        if name == "option":
            hidden, element.tag = "selected" not in element.attrib, "span"
        if not name or name in _NO_TEXT or hidden or element in comments:
            take_out(element)
            if name == "script" and "ld+json" in element.get("type", ""):
                element.tail = None  # what the page says of itself
                root.append(element)
            continue
        if any(map(stated.get, BESIDE)):
            _show_beside(element, stated)
        if name in PIECES and stated.get("block"):
            element.addprevious(element.makeelement("br"))
            element.addnext(element.makeelement("br"))
        elif name in PIECES and (mark := _mark(element, stated)):
            element.tag = mark
    for element in list(body.iterdescendants(*PIECES, "a")):
        if _is_apart(element, element.getnext()):
            element.tail = ": " if is_label(element.text_content()) else " "
    half = len(body.text_content()) / 2
    for element in list(body.iter("pre", "form")):
        if element.tag == "pre":
            _part_quoted(element)
        elif len(element.text_content()) > half:
            element.tag = "div"  # around the page, as ASP.NET sets it
    name_values(body)
    mark_notes(body)
    for box in body.xpath(".//fieldset[not(ancestor::form)]"):  # which the extractor leaves out
        box.tag = "div"
        for name in box.iterchildren("legend"):
            name.tag = "p" if is_question(name.text_content()) else "h6"
    return root


def _shown_as(element: Element, name: str) -> str:
    """The element that it stands for."""
    quoted = _QUOTES.search(element.get("class", ""))
    marked = name == "p" and _MARKED.match(element.text or "")
    titled = name in ("div", "table") and _is_below_quote(element)
    if titled or (name == "td" and quoted and len(element.getparent()) == 1):
        _set_apart(element, around=titled)
    if (name == "div" and quoted) or (marked and is_ended(element.text_content().strip())):
        element.text = _MARKED.sub("", element.text or "")
        return "blockquote"
    if name in ("div", "span"):
        return _ROLES.get(element.get("role"), name)
    if name == "button":
        return "p" if is_question(element.text_content()) else _button_shown_as(element)
    quoting = next(element.iterancestors("blockquote"), None) is not None
    if name == "cite" and quoting and is_bare(element.getparent()):
        element.text = f"— {(element.text or '').lstrip(' —–-')}"
    says_who = name == "footer" and quoting
    shadow = name == "template" and any(key.startswith("shadow") for key in element.attrib)
    own = name == "blockquote" and (
        _INDENTED.match(element.get("style", "")) or _POST.search(element.get("class", ""))
    )
    return "div" if says_who or shadow or own else name


def _button_shown_as(button: Element) -> str:
    """Text, if a word amid a sentence."""
    held = next(button.iterancestors("p", "li", "dd", "td"), button)
    before, _, after = held.text_content().partition(button.text_content() or "\n")
    return "span" if _GOES_BEFORE.search(before) and _GOES_ON.match(after) else "button"


def _is_below_quote(box: Element) -> bool:
    """Whether the line above says "Quote:", as in forums."""
    above = box.getprevious()
    alone = above is not None and len(above) < 2 and not (above.tail or "").strip()
    return alone and bool(_SAYS_QUOTE.fullmatch(above.text_content() or ""))


def _set_apart(box: Element, *, around: bool) -> None:
    """Sets a quotation around or within a box."""
    quote = box.makeelement("blockquote")
    if around:
        box.addprevious(quote)
        quote.tail, box.tail = box.tail, None
        quote.append(box)
    else:
        quote.text, box.text = box.text, None
        quote.extend(box)
        box.append(quote)


def _part_quoted(text: Element) -> None:
    """Sets a mail's `>` lines apart as quotes."""
    lines = text_lines_of(text.text_content().split("\n"))
    if not any(line.depth for line in lines) or next(text.iter("code"), None) is not None:
        return
    text.clear(keep_tail=True)
    text.tag = "div"
    for depth, run in groupby(lines, key=lambda line: line.depth):
        part = text.makeelement("pre")
        part.text = "\n".join(line.text for line in run)
        around = text.makeelement("blockquote" if depth else "div")
        around.append(part)
        text.append(around)


def _show_beside(element: Element, stated: Mapping[str, bool | str]) -> None:
    before, after = (
        _CONTROLS.sub("", text_beside(element, str(stated.get(place) or ""))) for place in BESIDE
    )
    within = element.text_content()
    if before[-1:].isalnum() and (within or element.tail or "")[:1].isalnum():
        before += " "
    if before:
        element.text = before + (element.text or "")
    if after and len(element):
        element[-1].tail = (element[-1].tail or "") + after
    elif after:
        element.text = (element.text or "") + after


def _is_apart(piece: Element, following: Element) -> bool:
    """Whether two words lack only a space."""
    if following is None or piece.tail or local(following) not in (*PIECES, "a"):
        return False
    text, other, parent = piece.text_content(), following.text_content(), piece.getparent()
    single = text.isalpha() and text not in "AI" and other[:1].islower()
    initial = len(text) == 1 and (len(other) == 1 or single)
    if initial or not (_END.search(text) and _BEGIN.match(other)):
        return False
    name = other[0].isupper() and not text[-1].isupper() and min(len(text), len(other)) > 1
    figure = other[0].isdigit() and text[-1].islower() and len(text) > 2
    classed = all("class" in one.attrib or local(one) in _BY_ITSELF for one in (piece, following))
    begins = classed and piece.getprevious() is None and not (parent.text or "").strip()
    if name or figure or begins or not other[0].isalnum() or local(piece) == "time":
        return True
    return classed and is_bare(parent) and local(parent) in _APART


def _without_marks(text: str) -> str:
    def referred(match: re.Match[str]) -> str:
        number = int(match[1], 16) if match[1] else int(match[2])
        return "" if number < 0x110000 and _CONTROLS.match(chr(number)) else match[0]

    text = _WITHOUT_SCRIPTS.sub("", re.sub(r"\A\s*<\?xml[^>]*\?>", "", text))
    text = _REFERENCE.sub(referred, text)
    return _CONTROLS.sub("", text.replace("\f", " "))


def _mark(element: Element, stated: Mapping[str, bool | str]) -> str:
    """An element of `RAISED`, or ""."""
    mark = next((name for value, name in RAISED.items() if stated.get(value)), "")
    within = mark and any(local(one) in RAISED.values() for one in element.iterancestors())
    return "" if within else mark


def _is_hidden(element: Element, stated: Mapping[str, bool | str], styles: Styles) -> bool:
    known = element.attrib
    if known.get("hidden", _FOLDED).strip().lower() != _FOLDED or _is_silent(element):
        return True
    silent = local(element) in (*PIECES, "p") and _UNSEEN.search(known.get("class", ""))
    closed = local(element) == "dialog" and "open" not in known
    if silent or closed or known.get("role") == "tooltip":
        return True
    hiding = {name for name, hides in stated.items() if hides} - MARKS
    if "color" in hiding and styles.may_be_painted(element):
        hiding -= {"color"}
    shown = hiding <= INHERITED and any(
        styles.of(one).get(name) is False for name in hiding for one in element.iterdescendants("*")
    )
    alone = [*map(local, element)] == ["math"] and not (element.text or "").strip()
    return bool(hiding) and not shown and not alone  # a formula, which a picture shows


def _is_silent(element: Element) -> bool:
    """Whether screen readers skip it, not just while a dialog is open."""
    silent = element.get("aria-hidden", "").strip().lower() == "true"
    behind = next(element.iterdescendants("main", "h1"), None) is not None
    return silent and not behind and not _is_word(element)


def _is_word(element: Element) -> bool:
    """A word of its text, not a sign."""
    around = element.getparent()
    plain = not any("class" in one.attrib for one in around)
    plain = plain and not {"i", "a", "button"} & {local(element), local(around)}
    word = (element.text or "").replace(" ", "").isalpha()
    return plain and word and not is_bare(around)
