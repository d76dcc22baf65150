"""An HTML text as a tree without hidden and struck-out parts; scripts are not run."""

from __future__ import annotations

import re
from collections.abc import Sequence

from uhhrag.documents.document import Unreadable
from uhhrag.documents.xml_trees import Element, local, take_out

_NO_TEXT = (
    *("script", "style", "template", "noscript", "svg", "object", "select", "head", "datalist"),
    *("button", "textarea", "iframe", "canvas", "audio", "video"),
    *("s", "strike", "del", "rp", "rt", "annotation", "annotation-xml"),
)
_NAMES = {"h1", "h2", "h3", "h4", "h5", "h6", "dt", "summary", "legend"}
_HIDING = re.compile(
    r"(?:^|[;{\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|mso-hide\s*:\s*all"
    r"|font-size\s*:\s*0(?:px|pt|em)?\s*(?:[;!}]|$)|opacity\s*:\s*0(?:\.0*)?\s*(?:[;!}]|$)"
    r"|(?:left|top|text-indent)\s*:\s*-\d{3,}|text-decoration(?:-line)?\s*:[^;}]*line-through)",
    re.IGNORECASE,
)
_RULE = re.compile(r"([^{}@]+)\{([^{}]*)\}")
_SIMPLE = re.compile(r"([a-z][a-z0-9]*)?((?:[.#][\w-]+)*)", re.IGNORECASE)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufdd0\ufffe\uffff]")
_MOST_RULES = 500
_Selector = tuple[re.Match[str], ...]
"""Its parts, from the last one up."""


def html_tree(text: str) -> Element:
    """The tree of an HTML text, or None if it is empty. Raises Unreadable if nested too deeply."""
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
        if name == "button" and any(local(one) in _NAMES for one in element.iterancestors()):
            continue  # one that opens what it names
        if (not name or name in _NO_TEXT or _is_hidden(element, hidden)) and not stated:
            take_out(element)
    return root


def _parser() -> Element:
    from lxml import html

    return html.HTMLParser(encoding="utf-8", no_network=True, huge_tree=True)


def _without_marks(text: str) -> str:
    return _CONTROLS.sub("", re.sub(r"\A\s*<\?xml[^>]*\?>", "", text))


def _rules(root: Element) -> list[_Selector]:
    """The simple selectors of the page's styles that hide or strike out."""
    found = []
    for style in root.iter("style"):
        for rule in _RULE.finditer(_COMMENT.sub("", style.text or "")):
            if _HIDING.search(rule[2]) and not _is_of_print(style, rule.start()):
                for selector in rule[1].split(","):
                    parts = [_SIMPLE.fullmatch(part) for part in selector.split() if part != ">"]
                    if parts and all(part and part[0] for part in parts):
                        found.append(tuple(filter(None, reversed(parts))))
    return found[:_MOST_RULES]


def _is_of_print(style: Element, at: int) -> bool:
    """Whether a rule stands within another (@media)."""
    text = _COMMENT.sub("", style.text or "")[:at]
    return text.count("{") > text.count("}") or "print" in (style.get("media") or "")


def _is_hidden(element: Element, rules: Sequence[_Selector]) -> bool:
    known = element.attrib
    if "hidden" in known or known.get("aria-hidden", "").strip().lower() == "true":
        return True
    if local(element) == "dialog" and "open" not in known:
        return True
    style = known.get("style", "")
    if style:
        return bool(_HIDING.search(style))
    return any(_selects(rule, element) for rule in rules)


def _selects(selector: _Selector, element: Element) -> bool:
    """Whether a selector fits: its last part the element, others those above."""
    last, *others = selector
    if not _fits(last, element):
        return False
    above = element.iterancestors()
    return all(any(_fits(part, one) for one in above) for part in others)


def _fits(part: re.Match[str], element: Element) -> bool:
    own = {f".{name}" for name in element.get("class", "").split()} | {f"#{element.get('id')}"}
    tag = part[1] in (None, "") or part[1].lower() == local(element)
    return tag and own.issuperset(re.findall(r"[.#][\w-]+", part[2]))
