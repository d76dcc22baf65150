"""Boxes that are drawn as tables, or as names with their values."""

from __future__ import annotations

import re
from itertools import groupby

from uhhrag.documents.tables.values import YEAR
from uhhrag.documents.xml_trees import Element, is_bare, local
from uhhrag.text.fragments import is_ended

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
_LEAST_ROWS, _MOST_CELLS, _LONGEST = 3, 12, 60
"""Rows and cells of a table, characters of a cell."""


def name_values(body: Element) -> None:
    """Make boxes that hold a figure and its name lists of terms, and rows of boxes tables; write
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
    """Make rows of one class with as many short cells tables, or lists of terms if just two."""
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
    return text if plain and len(text) <= _LONGEST and not is_ended(text) else None


def _name_figure(box: Element) -> None:
    """Make a figure and its name, which a box holds, a list of terms."""
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
