"""Boxes: opened by a click, placed by a script, frames, drawn tables, names with values."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import groupby

from uhhrag.documents.tables.values import YEAR
from uhhrag.documents.xml_trees import Element, is_bare, local
from uhhrag.text.fragments import is_ended, is_question

NAMES = {"h1", "h2", "h3", "h4", "h5", "h6", "dt", "summary", "legend"}
_OPENING = (
    "//*[@aria-expanded or @role='tab' or @onclick or @*[name()='epub:type'] = 'noteref'"
    " or @*[name()='data-toggle' or name()='data-bs-toggle'][contains('collapse tab pill', .)]"
    " or (self::label and preceding-sibling::*[1][@type='checkbox' or @type='radio'])"
    " or self::button[contains(@class, 'accordion') or contains(@class, 'collapsible')"
    " or parent::h2 or parent::h3 or parent::h4]]"
    "[not(@aria-haspopup)]"
)
_SILENT = "//span[@aria-hidden='true'][translate(., '0123456789▲▼△▽↑↓', '') != .]"
_IDS_IN_SCRIPT = re.compile(r"['\"]#?([\w-]+)['\"]")
_OPENS = re.compile(
    r"(?i)\W*(?:(?:show|read|see|view|more|less|menu|close|open|expand|toggle|search|mehr|alles?"
    r"|lire|voir|plus|ver|leer|mostra|leggi|toon|vis|visa|les|läs)\b|weiter)"
)
_TARGETS = ("aria-controls", "data-target", "data-bs-target", "href")
_NO_PANEL = {"dialog", "alertdialog", "menu", "listbox", "tooltip"}
_LINES = {"div", "p", "h2", "h3", "h4", "h5", "h6"}
PIECES = ("span", "font", "small", "b", "strong", "em", "i", "time", "label", "data", "cite")
_WITHIN = {*PIECES, "a", "br", "sup", "sub"}
"""What may hold a figure or its name; text elements; what may be within."""
_FIGURE = re.compile(
    r"[$€£¥]\s?\d[\d.,]*(?:[kmb]|[mb]n|\s?[mb]illion)?"
    r"|[+−-]?\s?\d[\d.,]*\s?(?:[%€]|[kmb]|[mb]n|[mb]illion)\+?"
    r"|(?:\d{1,3}(?:[,.\s]\d{3})+|\d{3,})\+?"
)
"""Large or with a unit, thus no step, rank or day: "€2.4m", "12 %", "41,000+"."""
_NAME, _VALUE = (
    re.compile(rf"(?:^|[\s_-])(?:{names})(?:$|[\s_-])", re.IGNORECASE)
    for names in ("label|term|key", "value|data|items?")
)
"""Classes of a name and of its value."""
_ZERO, _NUMBER = re.compile(r"\s*0(?:[.,]0+)?\s*"), re.compile(r"\s*\d[\d.,]*\s*")
_END = re.compile(
    r"data-(?:[\w-]{0,30}-)?(?:to|end|stop|target|goal|count|counter|number|num|value|final)"
    r"(?:-?(?:to|value|number))?"
)
"""Attributes with what a figure counts to."""
_BEGINS = re.compile(r"\W?\d")
_LEAST_ROWS, _MOST_CELLS, _MAX_CELL_CHARS = 3, 12, 60
"""Rows and cells of a table, characters of a cell."""
_STREAMED = re.compile(r"\$R[CRS]\(\s*[\"']([^\"']{1,60})[\"']\s*,\s*[\"']([^\"']{1,60})[\"']")
"""What React calls to put a part of a page in place, by their ids."""


def put_in_place(root: Element) -> None:
    """Puts parts that React sends behind the page where scripts put them, and frames' tables, such
    as charts', in place of the frames."""
    from lxml import etree, html

    scripts = "".join(one.text or "" for one in root.iter("script"))
    named = {one.get("id"): one for one in root.xpath("//*[@id]")} if "$R" in scripts else {}
    for ids in _STREAMED.findall(scripts):
        held = {local(named[one]) == "template": named[one] for one in ids if one in named}
        if len(held) < 2 or held[True] in held[False].iterdescendants():
            continue
        part, place = held[False], held[True]
        waits = list(place.itersiblings()) if place.get("id").startswith("B:") else []
        ends = [at for at, one in enumerate(waits) if not local(one) and one.text == "/$"]
        for old in waits[: min(ends, default=0)]:
            place.getparent().remove(old)
        place.tail, part.tail = None if ends else place.tail, None
        part.attrib.pop("hidden", None)
        place.addprevious(part)
    for frame in root.xpath("//iframe[contains(@srcdoc, '<th')]"):
        with suppress(etree.ParserError, ValueError, TypeError):
            shown = html.document_fromstring(frame.get("srcdoc")).find("body")
            etree.strip_elements(shown, "style", with_tail=False)
            shown.tag, shown.tail = "div", frame.tail
            frame.getparent().replace(frame, shown)


def panels_in(root: Element) -> set[Element]:
    """What a click opens, named by or next to its control; tab names go above."""
    named = {one.get("id"): one for one in root.iter("*") if "id" in one.attrib}
    panels = root.xpath("//*[@role='tabpanel']")
    for control in root.xpath(_OPENING):
        keys = _TARGETS[:-1] if "onclick" in control.attrib else _TARGETS  # links open pop-ups
        ids = " ".join(control.get(key, "") for key in keys).replace("#", "").split()
        ids += _IDS_IN_SCRIPT.findall(control.get("onclick", ""))
        held = [named[one] for one in ids if one in named]
        panels += [*held, *control.xpath("following::*[1]")]
        for panel in held or control.xpath("self::button/following-sibling::*[1]"):
            _name_panel(panel, control)
    for silent in root.xpath(_SILENT):  # what screen readers say in its place
        panels += silent.xpath("preceding-sibling::span[1] | following-sibling::span[1]")
    return {one for one in panels if (one.get("role") or local(one)) not in _NO_PANEL}


def _name_panel(panel: Element, control: Element) -> None:
    """Puts a tab's name, a link or button and thus no text, above its panel."""
    name = " ".join(control.text_content().split())
    around = [control, *control.iterancestors(), *panel.iter("h1")]
    shown = is_question(name) and local(control) == "button"
    read = panel in around or any(local(one) in NAMES for one in around) or shown
    told = read or _OPENS.match(name) or panel.text_content().lstrip().startswith(name)
    other = "onclick" in control.attrib and "tab" not in control.get("class", "")
    if not (told or other) and 2 < len(name) < 60 and local(panel) in ("div", "section"):
        heading = panel.makeelement("h6")
        heading.text, heading.tail, panel.text = name, panel.text, None
        panel.insert(0, heading)


def name_values(body: Element) -> None:
    """Turns boxes with a figure and its name into lists of terms, rows of boxes into tables; writes
    figures to which a script counts from 0."""
    for one in body.iter(*PIECES, "div", "p", "h2", "h3", "h4"):
        if not len(one) and _ZERO.fullmatch(one.text or ""):
            ends = [value for key, value in one.attrib.items() if _END.fullmatch(key)]
            one.text = next(filter(_NUMBER.fullmatch, ends), one.text)
    for box in list(body.iter("div", "main", "section", "article", "ul", "ol")):
        if is_bare(box):
            _set_rows(box)
            if len(box) == 2 and box.tag == "div":
                _name_figure(box)


def _set_rows(box: Element) -> None:
    """Turns rows of one class with equally many short cells into tables, or lists of terms if just
    two."""
    for (name, count), run in groupby(box, key=lambda row: (local(row), len(row))):
        rows = list(run) if name in ("div", "li") and 1 < count <= _MOST_CELLS else []
        kinds = {(row.get("class") or row.get("style", "")).split(" ")[0] for row in rows}
        runs = name == "li" and any(cell.text_content()[-1:] == " " for row in rows for cell in row)
        unlike = runs or len(kinds) > 1 or (name == "div" and "" in kinds)
        if len(rows) < _LEAST_ROWS or unlike or not is_bare(*rows):
            continue
        cells = [[*map(_cell, row)] for row in rows]
        plain = all(map(any, cells)) and not any(None in one for one in cells)
        if not plain or len({one[0] for one in cells}) < len(rows):
            continue
        pairs = count == 2 and all(map(all, cells))
        tags = ("dl", "div", "dt", "dd") if pairs else ("table", "tr", "td", "td")
        figures = [bool(_BEGINS.match(text or "")) for one in cells for text in one]
        table = box.makeelement(tags[0])
        rows[0].addprevious(table)
        box.tag = "div" if name == "li" else box.tag
        table.extend(rows)
        for row in rows:
            row.tag = tags[1]
            if pairs and figures == [True, False] * len(rows):
                row.append(row[0])
            for at, cell in enumerate(row):
                cell.tag = tags[2 + bool(at)]


def _cell(cell: Element) -> str | None:
    """Its text; None if it is no cell's."""
    text = cell.text_content().strip()
    within = {*map(local, cell.iterdescendants())}
    plain = local(cell) in _LINES | {"span"} and within <= _WITHIN - {"a"} | _LINES
    return text if plain and len(text) <= _MAX_CELL_CHARS and not is_ended(text) else None


def _name_figure(box: Element) -> None:
    texts = [one.text_content().strip() for one in box]
    figures = [bool(_FIGURE.fullmatch(text)) and not YEAR.fullmatch(text) for text in texts]
    named = [bool(_NAME.search(one.get("class", ""))) for one in box]
    valued = [bool(_VALUE.search(one.get("class", ""))) for one in box]
    if sum(figures) != 1 and sum(named) == sum(valued) == 1 and named != valued:
        figures = [value and not is_ended(text) for value, text in zip(valued, texts, strict=True)]
    if sum(figures) != 1 or not all(texts):
        return
    at = figures.index(False)
    within = {local(one) for part in box for one in part.iterdescendants()}
    if {*map(local, box)} <= _LINES and within <= _WITHIN and not is_ended(texts[at]):
        box[at].tag, box[1 - at].tag, box.tag = "dt", "dd", "dl"
        box.insert(0, box[at])
