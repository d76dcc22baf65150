"""What styles hide, raise, lower or set apart on a wide screen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from html import escape
from itertools import islice, pairwise
from typing import NamedTuple
from urllib.parse import unquote, urljoin

from uhhrag.documents.xml_trees import Element, local
from uhhrag.text.fragments import is_banner

_STATED = re.compile(
    r"(?:^|[;\s])(display|visibility|mso-hide|font-size|font|opacity|left|top|text-indent|color"
    r"|clip|clip-path|transform|text-decoration|vertical-align|background|position)(?:-line|-color|-image)?"
    r"\s*:\s*([^;]*)",
    re.IGNORECASE,
)
_WHITE = (
    r"(?:white|transparent|#f{3,4}|#f{6}(?:ff)?|rgba?\(\s*255[\s,]+255[\s,]+255[\s,/1]*\)"
    r"|rgba\([^)]*[,/]\s*0(?:\.0*)?\s*\))"
)
_HIDING = re.compile(
    r"display:none|visibility:(?:hidden|collapse)|mso-hide:all|opacity:0(?:\.0*)?$"
    r"|font-size:(?:0*\.?0*(?:px|r?em|pt|%)?|1px)$|font:(?:.*\s)?0(?:px)?(?:/|\s)"
    r"|(?:left|top):-\d{3,}|text-indent:-\d{3,}(?![\d.]*pt)|text-decoration:.*line-through"
    r"|clip:\s*rect\((?:[01](?:px)?[\s,]*){4}\)|transform:.*scale[xy]?\(0(?:\.0*)?[,)]"
    r"|clip-path:(?:inset\((?:50|100)%|circle\(0|polygon\(\s*0(?:px)?\s+0(?:px)?(?:,|\s|0|px)*\))"
    rf"|color:{_WHITE}$|position:(?:absolute|fixed)",
    re.IGNORECASE | re.DOTALL,
)
_UNPAINTED = re.compile(rf"(?:{_WHITE}|none|initial|inherit|unset)$", re.IGNORECASE)
"""Backgrounds on which white is not seen."""
_SIZED = re.compile(r"(?:^|[;\s])(?:max-)?(?:width|height)\s*:")
_NO_SIZE = re.compile(
    r"(?=.*overflow\s*:\s*(?:hidden|clip))(?!.*(?:transition|padding|flex|min-|text-overflow))"
    r".*(?:^|[;\s])(?:max-)?(?:width|height)\s*:\s*(?:0(?:px|r?em|pt|%)?|1px)\s*(?:[;!]|$)",
    re.IGNORECASE | re.DOTALL,
)
"""Without room or means to get some."""
_MOVES = re.compile(
    r"animation|^(?!.*pointer-events)(?:.*translate|(?!.*(?:absolute|fixed)).*transition)", re.S
)
"""What comes into view on scrolling; menus and tips have `pointer-events` or a place."""
_LIFTED = re.compile(
    r"(?=.*font-size:\s*0?\.\d+em).*position:\s*relative.*\btop:\s*(-?)0?\.[2-9]\d*em",
    re.IGNORECASE | re.DOTALL,
)
"""LibreOffice's super- and subscript."""
INHERITED = {"visibility", "font-size", "color"}
RAISED = {"super": "sup", "sub": "sub"}
"""Value of `vertical-align` → element."""
BESIDE = "before", "after"
"""Of an element: texts that only its style states."""
MARKS = {*RAISED, *BESIDE, "block", "background", "position"}
"""Told like properties, but hide nothing; with "background" or "position", white may be seen."""
_LOOKS = {"color": "color", "bgcolor": "background", "background": "background"}
"""Attributes of old pages → properties."""
_BLOCK = re.compile(r"block|flex|grid|table|list-item|table-(?:row|cell|caption)|flow-root", re.I)
_RULE = re.compile(r"([^{}@]+)\{([^{}]*)\}")
_LINK = re.compile(r"<(?:link|iframe)\b[^>]*>", re.IGNORECASE)
_GROUP = re.compile(r"@(?:layer|supports(?!\s*not\b))\b[^{};]*\{", re.IGNORECASE)
"""A group whose rules count; its closing brace is ignored."""
_MEDIA = re.compile(r"@media([^{}]*)\{((?:[^{}]*\{[^{}]*\})*)[^{}]*\}", re.IGNORECASE)
_NO_SCREEN = re.compile(r"print|speech|max-|<|not\b|none|prefers|portrait|coarse", re.IGNORECASE)
"""Not a wide screen."""
_NEED = re.compile(r"\*|[.#]?(?:[\w-]|\\.)+|\[[\w-]+(?:=[^\]]*)?\]")
_NO_RULE = re.compile(
    r"/\*.*?\*/|@(?:charset|import|namespace|layer)\b[^{};(]{0,300}(?:\([^)]{0,999}\))?[^{};]{0,300};",
    re.DOTALL,
)
_OF_BESIDE = re.compile(r"::?(before|after)\s*$")
_CONTENT = re.compile(r"(?:^|[;\s])content\s*:((?:\"[^\"]*\"|'[^']*'|[^;\"'])*)", re.IGNORECASE)
_TEXTS = re.compile(
    r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'|attr\(\s*([\w-]+)\s*\)|[\w-]+\([^)]*\)|/.*"
)
_ESCAPED = re.compile(r"\\(?:([\da-f]{1,5})\s?|(.))", re.IGNORECASE)
_SAYS = re.compile(r"[^\W_]|[✓✔✗✘☑☒☐✅❌€£$¥%]")
"""Other signs are ornaments."""
_MAX_CONTENT_CHARS = 200
"""Characters of `content`, which may stand beside every element."""
_MOST_RULES = 500
"""Per last class, id or element."""
_Stated = list[tuple[str, bool, bool | str]]
"""Property, whether important, whether it hides (of `MARKS`: holds, or what is shown)."""


class _Rule(NamedTuple):
    parts: list[tuple[bool, set[str]]]
    """Last first: whether the next must be its parent, and what it needs."""
    weight: tuple[int, ...]
    stated: _Stated


class Styles:
    def __init__(self, root: Element) -> None:
        self._rules: dict[str, list[_Rule]] = {}
        self._own: dict[Element, set[str]] = {}
        self._known: dict[Element, dict[str, bool | str]] = {}
        rules = list(_rules(root))
        self._linked = any("stylesheet" in one.get("rel", "").lower() for one in root.iter("link"))
        self._pictures = next(root.iter("img", "picture", "video", "svg"), None) is not None
        given = [_stated(one.get("style", "")) for one in root.iter("*")]
        every = [one for stated in (*given, *(stated for _, stated in rules)) for one in stated]
        hiding = {name for name, _, hides in every if hides}
        for number, (selector, stated) in enumerate(rules):
            stated = [one for one in stated if one[0] in hiding]
            selector = selector.replace(":root", "html")
            apart = " ".join(selector.replace(">", " > ").split()).replace("> ", ">").split()
            parts = [(part[0] == ">", _needs(part.lstrip(">"))) for part in apart]
            if not (stated and parts and all(needs for _, needs in parts)):
                continue
            if "[" in selector:  # scripts change attributes
                stated = [one for one in stated if not one[2] or one[0] in MARKS]
            kinds = [need[0] for _, needs in parts for need in needs if need != "*"]
            ids, classes = kinds.count("#"), kinds.count(".") + kinds.count("[")
            weight = (0, ids, classes, len(kinds) - ids - classes, number)
            last = max(parts[-1][1], key=lambda need: need[0] in "#.")
            same = self._rules.setdefault(last, [])
            if len(same) < _MOST_RULES:
                same.append(_Rule(parts[::-1], weight, stated))

    def of(self, element: Element) -> dict[str, bool | str]:
        """Stated properties, and whether they hide the element."""
        if element not in self._known:
            self._known[element] = self._stated_of(element)
        return self._known[element]

    def _stated_of(self, element: Element) -> dict[str, bool | str]:
        stated = [
            (rule.weight, rule.stated)
            for key in self._own_of(element) & self._rules.keys()
            for rule in self._rules[key]
            if self._selects(rule, element)
        ]
        best: dict[str, tuple[tuple[int, ...], bool | str]] = {}
        looks = ";".join(f"{_LOOKS[key]}:{x}" for key, x in element.attrib.items() if key in _LOOKS)
        own = ((0,), _stated(looks)), *stated, ((1,), _stated(element.get("style", "")))
        for weight, each in own:
            for name, important, hides in each:
                rank = (important, *weight)
                if name not in best or rank >= best[name][0]:
                    best[name] = rank, hides
        return {name: hides for name, (_, hides) in best.items()}

    def may_be_painted(self, element: Element) -> bool:
        """Whether white text may be seen in it."""
        around = [self.of(one) for one in (*element.iterancestors(), *element.iter("*"))]
        placed = self._pictures and any(stated.get("position") for stated in around)
        return self._linked or placed or any(stated.get("background") for stated in around)

    def _selects(self, rule: _Rule, element: Element) -> bool:
        if not rule.parts[0][1] <= self._own_of(element):
            return False
        for (of_child, _), (_, needs) in pairwise(rule.parts):
            above = islice(element.iterancestors(), 1 if of_child else None)
            element = next((one for one in above if needs <= self._own_of(one)), None)
            if element is None:
                return False
        return True

    def _own_of(self, element: Element) -> set[str]:
        if element not in self._own:
            known = element.attrib
            own = {"*", local(element), f"#{known.get('id')}"}
            own |= {f".{name}" for name in known.get("class", "").split()}
            own |= {f"[{name}]" for name in known} | {f"[{name}={x}]" for name, x in known.items()}
            self._own[element] = own
        return self._own[element]


def with_styles(text: str, styles: Mapping[str, str], address: str) -> str:
    """Puts `styles` and frames' pages, by address, in place of links from `address`."""
    from lxml import html

    def style(link: re.Match[str]) -> str:
        known = html.fragment_fromstring(link[0]).attrib
        href = known.get("href", known.get("src", "")).strip()
        with suppress(ValueError):
            href = href if href in styles else urljoin(address, href)
        href = href if href in styles else unquote(href).removeprefix("./")
        if href not in styles or "alternate" in known.get("rel", "").lower():
            return link[0]
        if "src" in known:
            return f'<iframe srcdoc="{escape(styles[href])}"></iframe>'
        media = escape(known.get("media", ""))
        return f'<style media="{media}">{styles[href].replace("</", "")}</style>'

    return _LINK.sub(style, text) if styles else text


def _rules(root: Element) -> Iterator[tuple[str, _Stated]]:
    styles = [one for one in root.iter("style") if not _NO_SCREEN.search(one.get("media") or "")]
    text = _GROUP.sub("", _NO_RULE.sub("", "\n".join(one.text or "" for one in styles)))
    text = _MEDIA.sub(lambda part: "" if _NO_SCREEN.search(part[1]) else part[2], text)
    depth = at = 0
    for rule in _RULE.finditer(text):
        for brace in re.findall("[{}]", text[at : rule.start()]):
            depth = depth + 1 if brace == "{" else max(0, depth - 1)
        at = rule.end()
        stated = [] if depth else _stated(rule[2])
        for selector in () if depth else rule[1].split(","):
            beside = _OF_BESIDE.search(selector)
            shown = _shown_beside(beside[1], rule[2], stated) if beside else stated
            yield selector[: beside.start()] if beside else selector, shown


def _shown_beside(place: str, style: str, stated: _Stated) -> _Stated:
    """What `content` states, "" if hidden or an icon font's sign."""
    found = _CONTENT.search(style)
    hiding = {name for name, _, hides in stated if hides} - (MARKS - {"position"})
    shown = "" if hiding or "font-family" in style or not found else found[1][:_MAX_CONTENT_CHARS]
    return [(place, "!important" in style, shown)] if found or hiding else []


def text_beside(element: Element, content: str) -> str:
    """Words of a style's `content`, "" for ornaments, counters and pictures."""

    def text(part: re.Match[str]) -> str:
        return (part[1] or part[2] or "") + (element.get(part[3], "") if part[3] else "")

    def letter(escaped: re.Match[str]) -> str:
        return chr(int(escaped[1], 16)) if escaped[1] else escaped[2]

    if "counter" in content:
        return ""
    shown = _ESCAPED.sub(letter, "".join(map(text, _TEXTS.finditer(content))))
    return shown if _SAYS.search(shown) and not is_banner(shown) else ""


def _stated(style: str) -> _Stated:
    found = []
    for match in _STATED.finditer(style):
        value, important, _ = match[2].partition("!")
        value = value.strip()
        hides = bool(_HIDING.match(f"{match[1]}:{value}"))
        name, moves = match[1].lower(), bool(_MOVES.search(style))
        if name == "vertical-align":
            found += [(mark, bool(important), value.lower() == mark) for mark in RAISED]
            continue
        if name == "display":
            found.append(("block", bool(important), bool(_BLOCK.fullmatch(value))))
        elif name == "background":
            hides = not _UNPAINTED.match(value)
        name = "font-size" if name == "font" else name
        found.append((name, bool(important), hides and not (name == "opacity" and moves)))
    if _SIZED.search(style):
        found.append(("size", "!" in style, bool(_NO_SIZE.match(style))))
    if lifted := _LIFTED.match(style):
        found.append(("super" if lifted[1] else "sub", False, True))
    return found


def _needs(part: str) -> set[str]:
    """Needs of a selector's part; empty unless simple."""
    needs = _NEED.findall(part)
    if "".join(needs) != part:
        return set()
    plain = (re.sub(r"\\(.)|[\"']", r"\1", need) for need in needs)
    return {need if need[0] in ".#[" else need.lower() for need in plain}
