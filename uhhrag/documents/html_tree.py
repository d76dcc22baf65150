"""An HTML text as a tree of what a reader sees and what its author stands by.

Hidden and struck-out parts are taken out, raised and lowered letters become plain text (`marks`).
What scripts and style sheets of other files do is not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from uhhrag.documents.document import Unreadable
from uhhrag.documents.marks import lowered, raised
from uhhrag.documents.xml_trees import Element, local, take_out

_NO_TEXT = (
    *("script", "style", "template", "noscript", "svg", "object", "select", "head", "datalist"),
    *("s", "strike", "del", "rp", "rt", "annotation", "annotation-xml"),
)
_BLOCKS = {
    *("address", "article", "aside", "blockquote", "body", "br", "caption", "center", "dd", "div"),
    *("dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4"),
    *("h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre", "section", "summary"),
    *("table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul", "details", "legend"),
}
_HIDING = re.compile(
    r"(?:^|[;{\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|mso-hide\s*:\s*all"
    r"|font-size\s*:\s*0(?:px|pt|em)?\s*(?:[;!}]|$)|opacity\s*:\s*0(?:\.0*)?\s*(?:[;!}]|$)"
    r"|text-decoration(?:-line)?\s*:[^;}]*line-through)",
    re.IGNORECASE,
)
_RULE = re.compile(r"([^{}@]+)\{([^{}]*)\}")
_SIMPLE = re.compile(
    r"(?P<tag>[a-z][a-z0-9]*)?(?:\.(?P<kind>[\w-]+)|#(?P<id>[\w-]+))?", re.IGNORECASE
)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufdd0\ufffe\uffff]")
_MOST_RULES = 500
_BEFORE, _AFTER = 40, 12
"""Characters around a raised letter that say what it means."""


def html_tree(text: str) -> Element:
    """The tree of an HTML text, as described above; None where there is nothing in it. Raises
    Unreadable where it is nested too deeply."""
    from lxml import etree, html

    parser = _parser()
    try:
        root = html.document_fromstring(_without_marks(text).encode(), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return None
    if any("depth" in fault.message for fault in parser.error_log):
        raise Unreadable("is nested too deeply")
    hidden = _rules(root)
    body = root.find("body")
    for element in list((root if body is None else body).iter()):
        name = local(element)
        stated = name == "script" and "ld+json" in element.get("type", "")  # of what the page says
        if (not name or name in _NO_TEXT or _is_hidden(element, hidden)) and not stated:
            take_out(element)
    _write_marks(root)
    return root


def _parser() -> Element:
    from lxml import html

    return html.HTMLParser(encoding="utf-8", no_network=True, huge_tree=True)


def _without_marks(text: str) -> str:
    """A text without the declaration of its encoding, which is no longer so, and without control
    characters."""
    return _CONTROLS.sub("", re.sub(r"\A\s*<\?xml[^>]*\?>", "", text))


def _rules(root: Element) -> list[re.Match[str]]:
    """The selectors of the page's own styles that hide or strike out, as far as they are simple."""
    found = []
    for style in root.iter("style"):
        for rule in _RULE.finditer(_COMMENT.sub("", style.text or "")):
            if _HIDING.search(rule[2]) and not _is_of_print(style, rule.start()):
                each = (_SIMPLE.fullmatch(selector.strip()) for selector in rule[1].split(","))
                found += [selector for selector in each if selector and selector[0]]
    return found[:_MOST_RULES]


def _is_of_print(style: Element, at: int) -> bool:
    """Whether a rule stands within another one (@media), which holds for some screens only."""
    text = _COMMENT.sub("", style.text or "")[:at]
    return text.count("{") > text.count("}") or "print" in (style.get("media") or "")


def _is_hidden(element: Element, rules: Sequence[re.Match[str]]) -> bool:
    known = element.attrib
    if "hidden" in known or known.get("aria-hidden", "").strip().lower() == "true":
        return True
    if local(element) == "dialog" and "open" not in known:
        return True
    style = known.get("style", "")
    if style:
        return bool(_HIDING.search(style))
    return any(_selects(rule, element) for rule in rules)


def _selects(rule: re.Match[str], element: Element) -> bool:
    tag, kind, name = rule["tag"], rule["kind"], rule["id"]
    return (
        (not tag or tag.lower() == local(element))
        and (not kind or kind in element.get("class", "").split())
        and (not name or name == element.get("id"))
    )


def _write_marks(root: Element) -> None:
    """Write raised and lowered letters as plain text."""
    marks = [element for element in root.iter("sup", "sub") if element.getparent() is not None]
    before = _texts_before(root) if marks else {}
    for element in marks:
        mark = "".join(element.itertext())
        text = before[element]
        inside = next(element.iter("a"), None) is not None
        linked = inside or any(local(one) == "a" for one in element.iterancestors())
        made = (
            raised(text, mark, _text_after(element), linked=linked)
            if local(element) == "sup"
            else lowered(text, mark)
        )
        for child in list(element):
            element.remove(child)
        element.text = made
    for element in marks:
        take_out(element, keep=True)


def _texts_before(root: Element) -> dict[Element, str]:
    """The text before each raised or lowered letter in its block, as it stands in the page."""
    from lxml import etree

    found, text = {}, ""
    for event, element in etree.iterwalk(root, events=("start", "end")):
        name = local(element)
        if event == "start":
            if name in _BLOCKS:
                text = ""
            if name in ("sup", "sub"):
                found[element] = text[-_BEFORE:]
            text += _spaced(element.text)
        else:
            text = ("" if name in _BLOCKS else text) + _spaced(element.tail)
        text = text[-4 * _BEFORE :]
    return found


def _text_after(element: Element) -> str:
    """How the text goes on in its block after an element."""
    text, here = "", element
    while here is not None and len(text) < _AFTER:
        text += _spaced(here.tail)
        following = here.getnext()
        if following is None:
            here = here.getparent()
            if here is None or local(here) in _BLOCKS:
                break
            continue
        if local(following) in _BLOCKS:
            break
        text += "".join(_inner(following))
        here = following
    return text[:_AFTER]


def _inner(element: Element) -> Iterator[str]:
    yield from map(_spaced, element.itertext())


def _spaced(text: str | None) -> str:
    return re.sub(r"\s+", " ", text) if text else ""
