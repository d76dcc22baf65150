"""What DOCX, ODT and PPTX share."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from html import escape
from itertools import dropwhile, takewhile
from operator import itemgetter

from uhhrag.documents.archive import Package
from uhhrag.documents.blocks import document_of, without_hard_lines
from uhhrag.documents.document import HEADING_SEPARATOR, Document, some
from uhhrag.documents.marks import in_font, plain_runs, symbol
from uhhrag.documents.pandoc.blocks import ITEM, PAGE_BREAK, blocks_of_pandoc
from uhhrag.documents.pandoc.program import read_by_pandoc
from uhhrag.documents.pandoc.tables import TAB
from uhhrag.documents.pandoc.tex import bracketed
from uhhrag.documents.plain.printed_mail import printed_mail
from uhhrag.documents.plain.turns import with_speakers
from uhhrag.documents.segmentation import clean
from uhhrag.documents.sheets.cell_format import shown
from uhhrag.documents.xml_trees import Element, attribute, local, named, take_out, whole_number

SIGNS = {0xF000 + code: symbol(code) for code in range(0x20, 0x100)}
_WRITTEN = {code: escape(sign) for code, sign in SIGNS.items()}
TRACKED = "with tracked changes"
_OTHER = re.compile(r";|[0#?],+(?![0#?,])")
"""Formats of labels that hide numbers or scale them."""
_PLAIN = re.compile(r"[^\w✗✘✖❌☒☑☐]*|\(?\w{1,5}[.):]*")
"""Bullets but for those that deny or may be ticked, numbers."""
_Points = dict[int, str]
_DEEPEST = 50
"""Points around one."""
_LONGEST_TITLE, _MARKS = 300, re.compile(f"[{PAGE_BREAK}{TAB}{ITEM}]")
_OFF = {"0", "false", "off", "none"}


def handed_over(
    members: Mapping[str, bytes], form: str, about: Mapping[str, str], title: str, *, tracked: bool
) -> Document:
    """Pandoc's document of zip members, with fields `about` it, else its shown title, and a note if
    `tracked`."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, _with_signs(content))
    blocks = blocks_of_pandoc(read_by_pandoc(packed.getvalue(), form)["blocks"], code=True)
    blocks = with_speakers(without_hard_lines(printed_mail(blocks)))
    about = {**about, "title": about.get("title") or title}
    return document_of(blocks, note=TRACKED if tracked else "", **about)


def _with_signs(content: bytes) -> bytes:
    """UTF-8 XML with signs of symbol fonts for their codes, U+F020 to U+F0FF."""
    coded = any(start in content for start in (b"\xef\x80", b"\xef\x81", b"\xef\x82", b"\xef\x83"))
    return content.decode("utf-8", "replace").translate(_WRITTEN).encode() if coded else content


def letters(holder: Element) -> str:
    return "".join(part.text or "" for part in named(holder, "t"))


def drawn_texts(packed: Package, parts: Mapping[str, str], holder: Element) -> Iterator[str]:
    """Lines of diagrams and charts."""
    for mark in named(holder, "relIds", "chart"):
        part = parts.get(attribute(mark, "dm") or attribute(mark, "id"), "")
        if part in packed:
            root = packed.tree(part)
            take_out(*named(root, "extLst"))  # what a filter hides
            yield from filter(str.strip, map(_lines, _in_order(root)))
            yield from _chart_lines(root)


def _lines(holder: Element) -> str:
    return " ".join(map(drawn_text, [*named(holder, "p")] or [holder]))


def _in_order(root: Element) -> list[Element]:
    """A diagram's points by its links, each before those below."""
    links = {
        attribute(one, "destId"): (attribute(one, "srcId"), whole_number(attribute(one, "srcOrd")))
        for one in named(root, "cxn")
        if attribute(one, "type", "parOf") == "parOf"
    }

    def path(point: Element) -> list[int]:
        name, places = attribute(point, "modelId"), list[int]()
        while name in links and len(places) < _DEEPEST:
            name, place = links[name]
            places.insert(0, place)
        return places or [len(links)]

    return sorted(named(root, "pt"), key=path)


def _chart_lines(root: Element) -> Iterator[str]:
    yield from filter(str.strip, map(_lines, named(root, "title")))
    series = [(_points(one, "tx"), one, _values(one)) for one in named(root, "ser")]
    data = {attribute(one, "id"): one for one in named(root, "data")}
    for one in named(root, "dataId"):  # of charts since 2016
        held = data.get(attribute(one, "val"), one)
        texts = enumerate(part.text or "" for part in named(one.getparent(), "v"))
        series.append((dict(texts), held, _points(held, "numDim")))
    labels = [_points(one, "cat", "xVal", "strDim") for _, one, _ in series]
    joint = {at: label for one in labels for at, label in one.items()}
    rows: dict[tuple[int, str], list[str]] = {}
    for (called, _, values), own in zip(series, labels, strict=True):
        name = " ".join(called.values())
        for at, value in values.items():
            row = rows.setdefault((at, own.get(at, joint.get(at, ""))), [])
            row += [f"{name}: {value}" if name else value] if value else []
    for (_, label), said in sorted(rows.items(), key=lambda row: row[0][0]):
        yield "; ".join(filter(None, (label, *said)))


def _values(series: Element) -> _Points:
    """Numbers as labels show them: in their own format, or as shares."""
    near = (one for holder in (series, series.getparent()) for one in holder)
    labels = next((one for one in near if local(one) == "dLbls"), ())
    own = (one for one in labels if attribute(one, "sourceLinked") in _OFF)
    code = next((attribute(one, "formatCode") for one in own), "")
    shows = {local(one) for one in labels if is_on(one)}
    found = _points(series, "val", code="0.0#####")
    whole = local(series.getparent()).startswith(("pie", "doughnut"))
    whole = whole and not any(one[:1] == "-" for one in found.values())
    if "showVal" in shows or "showPercent" not in shows or not whole:
        known = shows & {"showVal", "showPercent"} == {"showVal"} and not _OTHER.search(code)
        return _points(series, "val", "yVal", code=code if known else "")
    parts = {at: float(one) for at, one in found.items() if one.replace(".", "").isdecimal()}
    total = sum(parts.values()) or 1
    return {at: shown(one / total, code or "0%") for at, one in parts.items()}


def _points(series: Element, *names: str, code: str = "") -> _Points:
    """Texts by position; of several levels, the last is outermost."""
    points: _Points = {}
    for part in (one for one in series if local(one) in names):
        code = code or next((one.text or "" for one in named(part, "formatCode")), "")
        around: _Points = {}
        for level in reversed([*named(part, "lvl")] or [part]):
            given = {whole_number(attribute(p, "idx")): _point(p, code) for p in named(level, "pt")}
            above, outer = "", around
            around = {}
            for at in sorted({*outer, *given}):
                above = outer.get(at, above)
                around[at] = HEADING_SEPARATOR.join(filter(None, (above, given.get(at, ""))))
        points |= around
    return points


def _point(point: Element, code: str) -> str:
    text = next((one.text for one in named(point, "v")), point.text) or ""
    with suppress(ValueError):
        return shown(float(text), code)
    return text


def drawn_text(paragraph: Element) -> str:
    """With a bullet that says something."""
    text = plain_runs([(in_font(_line(run), _font(run)), _how(run)) for run in paragraph])
    font = _font(paragraph, ("buFont",))
    marks = (in_font(attribute(one, "char"), font) for one in named(paragraph, "buChar"))
    return " ".join((*filter(is_shown, marks), text)) if text.strip() else text


def _font(element: Element, names: tuple[str, ...] = ("sym", "latin")) -> str:
    return next((attribute(one, "typeface") for one in named(element, *names)), "")


def _line(element: Element) -> str:
    if local(element) in ("t", "br"):
        return element.text or " "
    parts = [text for one in element if (text := _line(one))]
    if local(element) == "f":
        return "/".join(map(bracketed, parts))
    text = ("^" if local(element) == "sSup" else "").join(parts)
    return f"({text})" if local(element) == "d" else text


def _how(run: Element) -> str:
    """As in `plain_runs`."""
    look = next(named(run, "rPr"), run)
    if attribute(look, "strike", "noStrike") != "noStrike":
        return "struck"
    base = attribute(look, "baseline", "0").rstrip("%")
    return "" if base in ("0", "") else "subscript" if base.startswith("-") else "superscript"


def unread_objects(programs: Iterable[str]) -> Iterator[str]:
    """A clause on embedded objects, if any."""
    names = list(programs)
    if names:
        known = ", ".join(dict.fromkeys(filter(None, names)))[:100]
        yield f"{some(len(names), 'embedded object')} not read" + (f": {known}" if known else "")


def eq_fields(number: int) -> Iterator[str]:
    if number:
        yield f"{some(number, 'formula')} in a field EQ and not read"


def title_of(lines: Iterable[tuple[bool, str]]) -> str:
    """The first consecutive lines whose flag says that they are set as title."""
    titles = takewhile(itemgetter(0), dropwhile(lambda pair: not pair[0], lines))
    return clean(_MARKS.sub(" ", " ".join(text for _, text in titles)))[:_LONGEST_TITLE]


def set_below(box: Element, held: Iterable[Element]) -> None:
    """Moves elements behind the paragraph around a box."""
    above = next((one for one in box.iterancestors("{*}p")), None)
    if above is not None and above.getparent() is not None:
        for paragraph in reversed(list(held)):
            above.addnext(paragraph)


def inherited(name: str, based: Mapping[str, str], stated: Mapping[str, bool]) -> bool:
    """What a style or its nearest base says, else False."""
    seen: set[str] = set()
    while name and name not in stated and name not in seen:
        seen.add(name)
        name = based.get(name, "")
    return stated.get(name, False)


def is_shown(label: str) -> bool:
    """Whether a label tells more than that an item begins.

    >>> is_shown("☐"), is_shown("•")
    (True, False)
    """
    return not _PLAIN.fullmatch(label)


def is_on(mark: Element) -> bool:
    return attribute(mark, "val", "1").lower() not in _OFF


def value_at(element: Element | None, *path: str) -> str:
    """`val` of the child at a path, or ""."""
    found = None if element is None else element.find("/".join(f"{{*}}{name}" for name in path))
    return "" if found is None else attribute(found, "val")
