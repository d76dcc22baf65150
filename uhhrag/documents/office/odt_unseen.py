"""What an OpenDocument text sets so that nobody sees it: white on white paper, or 1 pt high."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from uhhrag.documents.office.shared import inherited
from uhhrag.documents.xml_trees import Element, attribute, local, named

_WHITE, _BARE, _TINY = "#ffffff", ("", "transparent", "#ffffff"), ("0pt", "1pt")
_BOXES = ("frame", "text-box", "custom-shape", "rect", "ellipse", "polygon", "path", "caption")
"""They may have any colour."""


def unseen(text: Element, styles: Element) -> Iterator[Element]:
    """Spans and paragraphs. None is white where the paper is dark or shapes lie behind the text."""
    known = [one for root in (styles, text) for one in named(root, "style", "default-style")]
    pages = [one for root in (styles, text) for one in named(root, "page-layout-properties")]
    behind = (attribute(part, "run-through") == "background" for one in known for part in one)
    paper = not (any(map(_is_dark, pages)) or any(behind))
    based, white, tiny, dark = {}, dict[str, bool](), dict[str, bool](), dict[str, bool]()
    for style in known:
        name = attribute(style, "name")
        based[name] = attribute(style, "parent-style-name")
        for letters in named(style, "text-properties"):
            color, size = attribute(letters, "color"), attribute(letters, "font-size")
            white |= {name: paper and color.lower() == _WHITE} if color else {}
            tiny |= {name: size in _TINY} if size else {}
        dark |= {name: True} if any(map(_is_dark, style)) else {}
    if not any((*white.values(), *tiny.values())):
        return
    for element in named(text, "span", "p", "h"):
        name = attribute(element, "style-name")
        within = [attribute(one, "style-name") for one in named(element, "span")]
        small, pale = (
            inherited(name, based, looks) and all(looks.get(one, True) for one in within)
            for looks in (tiny, white)
        )
        around = (element, *element.iterancestors())
        if small or (pale and not any(_darkens(one, based, dark) for one in around)):
            yield element


def _is_dark(properties: Element) -> bool:
    fill = attribute(properties, "fill", "none")
    colors = [attribute(properties, "background-color")]
    colors += [attribute(properties, "fill-color")] if fill == "solid" else []
    return fill not in ("none", "solid") or any(one.lower() not in _BARE for one in colors)


def _darkens(holder: Element, based: Mapping[str, str], dark: Mapping[str, bool]) -> bool:
    return local(holder) in _BOXES or inherited(attribute(holder, "style-name"), based, dark)
