"""Pages as texts at places, for programs that draw them in the order in which they are told."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from scripts.benchmarks.labelled.flowing import FLEET, SHIPS
from scripts.benchmarks.labelled.label import Said, all_said, prose, said, table

WIDE, TALL = 595.0, 842.0
_SIZE = 10.0


class Text(NamedTuple):
    """A text, or a filled box ("bar") or line ("line") instead; points from the upper left."""

    x: float
    y: float
    text: str
    size: float = _SIZE
    bold: bool = False
    angle: float = 0.0
    shape: str = ""
    """"" for text; else `size` is the height of a shape and `text` what lies under it."""


Page = list[Text]


class Drawn(NamedTuple):
    """Pages of texts, and what they say."""

    pages: list[Page]
    said: tuple[Said, ...]
    wide: bool = False


def width(text: str, size: float = _SIZE) -> float:
    """Of a text in Helvetica."""
    from fpdf import FPDF

    pdf = FPDF(unit="pt")
    pdf.set_font("helvetica", size=size)
    return float(pdf.get_string_width(text))


def wrapped(text: str, wide: float, size: float = _SIZE) -> list[str]:
    """A paragraph's lines."""
    lines = [""]
    for word in text.split():
        if lines[-1] and width(f"{lines[-1]} {word}", size) > wide:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _set(
    texts: Sequence[str], x: float, y: float, wide: float, lead: float = 13.0
) -> Iterator[Text]:
    for text in texts:
        for at, line in enumerate(wrapped(text, wide)):
            yield Text(x + 12 * (at == 0), y, line)
            y += lead


def _two(order: str) -> Drawn:
    texts = prose(14)
    lines = [*_set(texts, 50, 90, 225)]
    half = -(-len(lines) // 2)
    frames = [at for at, line in enumerate(lines) if line.x > 50]
    lines = [
        (line._replace(y=90 + 13.0 * (at % half), x=line.x + 270 * (at // half)))
        for at, line in enumerate(lines)
    ]
    head = Text(50, 60, "Mercury in the mud of the estuary", 18, bold=True)
    if order == "rows":
        lines.sort(key=lambda line: line.y)
    if order == "frames":
        parts = [lines[start:end] for start, end in pairwise((*frames, len(lines)))]
        random.Random(3).shuffle(parts)  # noqa: S311 - drawn to be drawn again
        lines = [line for part in parts for line in part]
    page = [*lines, head] if order != "columns" else [head, *lines]
    return Drawn([page], (*said(head.text), *all_said(texts)))


def columns_by_column() -> Drawn:
    return _two("columns")


def columns_by_row() -> Drawn:
    return _two("rows")


def frames_in_any_order() -> Drawn:
    """Paragraphs drawn in any order, as frames of a design program are."""
    return _two("frames")


def heads_last() -> Drawn:
    """Headings drawn after the text, as layers of a design program are."""
    parts = [("What was found", prose(3)), ("What it cost", prose(3, 3))]
    body: Page = []
    heads: Page = []
    y = 60.0
    for name, texts in parts:
        heads.append(Text(50, y, name, 15, bold=True))
        body += _set(texts, 50, y + 24, 480)
        y = body[-1].y + 40
    label = [(*said(name), *all_said(texts)) for name, texts in parts]
    return Drawn([[*body, *heads]], tuple(one for each in label for one in each))


def bill() -> Drawn:
    texts = prose(5)
    lines = [Text(100, line.y, line.text) for line in _set(texts, 100, 80, 400, 18)]
    page = [one for at, line in enumerate(lines, 1) for one in (Text(70, line.y, str(at)), line)]
    return Drawn([page], all_said(texts))


def table_by_rows() -> Drawn:
    return _table("rows")


def table_by_columns() -> Drawn:
    return _table("columns")


def _table(order: str) -> Drawn:
    columns = (50.0, 200.0, 260.0, 470.0)
    page, y = [], 80.0
    for row in (SHIPS, *FLEET):
        cells = [wrapped(cell, 205 if order == "columns" else 125) for cell in row]
        page += [
            Text(x, y + 12 * at, line)
            for x, lines in zip(columns, cells, strict=True)
            for at, line in enumerate(lines)
        ]
        y += 12 * max(map(len, cells)) + 8
    if order == "columns":
        page.sort(key=lambda one: one.x)
    return Drawn([page], tuple(table(SHIPS, FLEET)))


def running_heads_last() -> Drawn:
    texts, pages = prose(15), []
    lines = [*_set(texts, 50, 0, 480)]
    for number, start in enumerate(range(0, len(lines), 30), 1):
        part = lines[start : start + 30]
        page = [line._replace(y=90 + 20.0 * at) for at, line in enumerate(part)]
        pages.append([*page, Text(50, 40, "Annual report 2022", 8), Text(290, 810, str(number), 8)])
    return Drawn(pages, all_said(texts))


def initial() -> Drawn:
    first, *texts = prose(4)
    lines = [line.text for line in _set([first[1:]], 0, 0, 440)]
    page = [Text(50, 104, first[0], 32)]
    page += [Text(50 + 26 * (at < 2), 82 + 13.0 * at, line) for at, line in enumerate(lines)]
    page += _set(texts, 50, 82 + 13.0 * len(lines), 470)
    return Drawn([page], all_said([first, *texts]))


def stamp() -> Drawn:
    texts, note = prose(6), "Preprint 1903.0127, not reviewed"
    page = [Text(25, 500, note, 16, angle=90), *_set(texts, 60, 80, 470)]
    return Drawn([page], (*all_said(texts), *said(note)))


def bars() -> Drawn:
    """A struck figure, and a name under a black bar that is drawn over it."""
    first = "The witness, Ms. Anna Dahl of Tarva, saw the boat."
    before, name, after = first.partition("Anna Dahl of Tarva")
    second = "The fare is 25 35 crowns."
    place, left = 50 + width(before), 50 + width("The fare is ")
    page = [Text(50, 80, before), Text(place, 80, name), Text(place + width(name), 80, after)]
    page += [Text(place - 1, 71, name, 12, shape="bar"), Text(50, 100, second)]
    page += [Text(left, 96.5, "25", 0.8, shape="line")]
    return Drawn([page], said("The witness, Ms. , saw the boat.", "The fare is 35 crowns."))


def words_apart() -> Drawn:
    """Each word drawn by itself, as some programs do."""
    texts = prose(5)
    page = []
    for line in _set(texts, 50, 80, 470):
        x = line.x
        for word in line.text.split():
            page.append(line._replace(x=x, text=word))
            x += width(f"{word} ")
    return Drawn([page], all_said(texts))


def landscape() -> Drawn:
    texts = prose(5)
    page = [*_set(texts, 60, 80, 700)]
    return Drawn([page], all_said(texts), wide=True)


def slide() -> Drawn:
    """A title and a foot that are drawn last, boxes side by side."""
    left, right = prose(1), prose(1, 3)
    page = [*_set(left, 60, 200, 300, 15), *_set(right, 420, 200, 300, 15)]
    page.append(Text(60, 100, "What the survey found", 28, bold=True))
    return Drawn([page], (*said("What the survey found"), *all_said([*left, *right])), wide=True)


def numbers() -> Drawn:
    """Names with dots that lead to figures."""
    rows = (("Robbery", "102.1"), ("Murder and manslaughter", "8.9"), ("Arson", "6.1"))
    page = []
    for at, (name, figure) in enumerate((("Offence", "Rate"), *rows)):
        dots = " ." * int((300 - width(name)) / width(" .")) if at else ""
        page += [
            Text(50, 80 + 14 * at, name + dots),
            Text(380 - width(figure), 80 + 14 * at, figure),
        ]
    return Drawn([page], tuple(table(("Offence", "Rate"), rows)))


DRAWN: dict[str, Callable[[], Drawn]] = {
    make.__name__: make
    for make in (
        *(
            columns_by_column,
            columns_by_row,
            frames_in_any_order,
            heads_last,
            bill,
            initial,
            stamp,
        ),
        *(table_by_rows, table_by_columns, running_heads_last, bars, words_apart, landscape, slide),
        *(numbers,),
    )
}
