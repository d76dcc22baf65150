"""Texts of diagrams (SmartArt), charts and shapes, as Word and PowerPoint draw them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from uhhrag.documents.archive import Package
from uhhrag.documents.document import HEADING_SEPARATOR
from uhhrag.documents.marks import in_font, plain_runs
from uhhrag.documents.office.numbering import is_shown
from uhhrag.documents.office.shared import OFF, is_on
from uhhrag.documents.pandoc.tex import bracketed
from uhhrag.documents.sheets.cell_format import shown
from uhhrag.documents.xml_trees import Element, attribute, local, named, take_out, whole_number

_OTHER = re.compile(r";|[0#?],+(?![0#?,])")
"""Formats of labels that hide numbers or scale them."""


def drawn_texts(packed: Package, parts: Mapping[str, str], holder: Element) -> Iterator[str]:
    """Lines of the diagrams and charts in an element."""
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
    """The points of a diagram as its links order them: each before those below it."""
    below: dict[str, list[tuple[int, str]]] = {}
    for link in named(root, "cxn"):
        if attribute(link, "type", "parOf") == "parOf":
            place = whole_number(attribute(link, "srcOrd")), attribute(link, "destId")
            below.setdefault(attribute(link, "srcId"), []).append(place)
    points = list(named(root, "pt"))
    left = [attribute(one, "modelId") for one in points if attribute(one, "type") == "doc"]
    ranks: dict[str, int] = {}
    while left:
        name = left.pop()
        if name not in ranks:
            ranks[name] = len(ranks)
            left += [one for _, one in sorted(below.get(name, ()), reverse=True)]
    return sorted(points, key=lambda one: ranks.get(attribute(one, "modelId"), len(ranks)))


def _chart_lines(root: Element) -> Iterator[str]:
    yield from filter(str.strip, map(_lines, named(root, "title")))
    series = list(named(root, "ser"))
    names = [" ".join(_points(one, "tx").values()) for one in series]
    labels = [_points(one, "cat", "xVal") for one in series]
    values = [_values(one) for one in series]
    for one in named(root, "series"):  # of charts since 2016
        number = next((attribute(part, "val") for part in named(one, "dataId")), "")
        data = next((part for part in named(root, "data") if attribute(part, "id") == number), one)
        names.append(" ".join(part.text or "" for part in named(one, "v")))
        labels.append(_points(data, "strDim"))
        values.append(_points(data, "numDim"))
    every = [*zip(names, labels, values, strict=True)]
    joint = {at: label for one in labels for at, label in one.items()}
    agree = all(joint[at] == label for one in labels for at, label in one.items())
    for held in [every] if agree else [[one] for one in every]:
        yield from _rows(held)


def _rows(series: Sequence[tuple[str, dict[int, str], dict[int, str]]]) -> Iterator[str]:
    """Of series, each a name, its labels and its values."""
    labels = {at: label for _, known, _ in series for at, label in known.items()}
    for at in sorted({at for *_, values in series for at in values}):
        pairs = [(name, values.get(at, "")) for name, _, values in series]
        said = (f"{name}: {value}" if name else value for name, value in pairs if value)
        yield "; ".join(filter(None, (labels.get(at, ""), *said)))


def _values(series: Element) -> dict[int, str]:
    """Numbers as labels show them, if any: in a format of their own, or as shares of the whole."""
    near = (one for holder in (series, series.getparent()) for one in holder)
    labels = next((one for one in near if local(one) == "dLbls"), ())
    own = (one for one in labels if attribute(one, "sourceLinked") in OFF)
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


def _points(series: Element, *names: str, code: str = "") -> dict[int, str]:
    """Texts by place; of several levels, the last is the outermost."""
    points: dict[int, str] = {}
    for part in (one for one in series if local(one) in names):
        code = code or next((one.text or "" for one in named(part, "formatCode")), "")
        around: dict[int, str] = {}
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
    """Of a paragraph of a shape, with its bullet if that says something."""
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
    """How a run is set, as in `plain_runs`."""
    look = next(named(run, "rPr"), run)
    if attribute(look, "strike", "noStrike") != "noStrike":
        return "struck"
    base = attribute(look, "baseline", "0").rstrip("%")
    return "" if base in ("0", "") else "subscript" if base.startswith("-") else "superscript"
