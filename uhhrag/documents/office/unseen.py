"""What Word and OpenDocument hide: in the colour behind it, white, or 1 pt high."""

from __future__ import annotations

from collections.abc import Iterator

from uhhrag.documents.office.shared import inherited, value_at
from uhhrag.documents.xml_trees import Element, attribute, local, named, whole_number

_WHITE, _BARE = ("ffffff", "white"), ("", "auto", "none", "nil", "ffffff", "white", "clear")
_MARKS, _NAMES = ("shd", "highlight"), {"black": "000000", "white": "ffffff"}
_HIGHEST = 2
"""Half points."""
_HOLDERS = {"p": "pPr", "tc": "tcPr", "tr": "tblPrEx", "tbl": "tblPr"}
_CLEAR, _TINY = ("", "transparent", "#ffffff"), ("0pt", "1pt")
_BOXES = ("frame", "text-box", "custom-shape", "rect", "ellipse", "polygon", "path", "caption")
"""They may have any colour."""


def unseen_in_word(root: Element, styles: Element) -> Iterator[Element]:
    """Runs; none is white where shapes or pictures may lie behind."""
    known = [*named(styles, "style")]
    based = {attribute(one, "styleId"): value_at(one, "basedOn") for one in known}
    shaded = {attribute(one, "styleId"): True for one in known if _is_shaded(one)}
    colours = {attribute(one, "styleId"): value_at(one, "rPr", "color").lower() for one in known}
    told = {name: True for name, colour in colours.items() if colour}
    white = {name: colours[name] in _WHITE for name in told}
    behind = any(attribute(one, "behindDoc") in ("1", "true") for one in named(root, "anchor"))
    behind = behind or any("z-index:-" in attribute(one, "style") for one in named(root, "shape"))
    paper = next(named(root, "background"), None) is None and not behind
    for run in named(root, "r"):
        style, line = value_at(run, "rPr", "rStyle"), next(run.iterancestors("{*}p"), None)
        named_by = style if inherited(style, based, told) else value_at(line, "pPr", "pStyle")
        colour, size = value_at(run, "rPr", "color").lower(), value_at(run, "rPr", "sz")
        pale = colour in _WHITE if colour else inherited(named_by, based, white)
        shade = pale and (_is_shaded(run) or inherited(style, based, shaded))
        if pale and paper and not shade:
            around = run.iterancestors("{*}txbxContent", *(f"{{*}}{name}" for name in _HOLDERS))
            if not any(_is_dark_in_word(one, based, shaded) for one in around):
                yield run
                continue
        marks = (attribute(one, "fill", attribute(one, "val")) for one in named(run, *_MARKS))
        covered = colour in (_NAMES.get(one, one.lower()) for one in marks) and colour
        if covered or (size and whole_number(size) <= _HIGHEST):
            yield run


def _is_dark_in_word(holder: Element, based: dict[str, str], shaded: dict[str, bool]) -> bool:
    if local(holder) not in _HOLDERS:
        return True  # a box may have any colour
    looks = holder.find(f"{{*}}{_HOLDERS[local(holder)]}")
    style = value_at(looks, "pStyle") or value_at(looks, "tblStyle")
    own = () if looks is None else looks.iterfind("{*}shd")
    return any(map(_is_shade, own)) or inherited(style, based, shaded)


def _is_shaded(holder: Element) -> bool:
    marked = (attribute(one, "val").lower() for one in named(holder, "highlight"))
    return any(map(_is_shade, named(holder, "shd"))) or any(one not in _BARE for one in marked)


def _is_shade(mark: Element) -> bool:
    return any(attribute(mark, name).lower() not in _BARE for name in ("fill", "val"))


def unseen_in_odt(text: Element, styles: Element) -> Iterator[Element]:
    """Spans and paragraphs; none is white on dark paper or before shapes."""
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
            white |= {name: paper and color.lower() == "#ffffff"} if color else {}
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
        around = [element, *element.iterancestors()]
        boxed = any(local(one) in _BOXES for one in around)
        shaded = any(inherited(attribute(one, "style-name"), based, dark) for one in around)
        if small or (pale and not (boxed or shaded)):
            yield element


def _is_dark(properties: Element) -> bool:
    fill = attribute(properties, "fill", "none")
    colors = [attribute(properties, "background-color")]
    colors += [attribute(properties, "fill-color")] if fill == "solid" else []
    return fill not in ("none", "solid") or any(one.lower() not in _CLEAR for one in colors)
