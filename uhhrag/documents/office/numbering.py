"""Labels of numbered paragraphs: "2.1", "Article 5", "(a)"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from uhhrag.documents.marks import numeral
from uhhrag.documents.office.shared import SIGNS, is_shown, value_at
from uhhrag.documents.pandoc.blocks import ITEM
from uhhrag.documents.xml_trees import Element, attribute, local, named, whole_number

_DEEPEST = 8
"""Of Word's levels, from 0."""


class Level(NamedTuple):
    form: str
    """As Word names it: "upperRoman", "bullet"."""
    text: str
    """The label, with %1 for the first level's number."""
    start: int = 1
    legal: bool = False
    """Levels above have Arabic numbers."""
    restarts: int = 9
    """After items of as many levels, the first of all."""


class Numbers:
    def __init__(self, levels: Mapping[int, Level], counted: Numbers | None = None) -> None:
        """`counted`: a list whose count it continues."""
        self.levels = levels
        self.reached: dict[int, int] = counted.reached if counted else {}
        self.first: dict[int, int] = counted.first if counted else {}
        """First number of adjacent items, by level."""

    def label(self, level: int, restart: int | None, *, apart: bool) -> str:
        """Or "" for a plain bullet. `restart`: its number if the count restarts; `apart`: no item
        of its list is right above."""
        for at in range(level + 1):
            start = self.levels[at].start if at in self.levels else 1
            self.reached.setdefault(at, start - (at == level))
        number = self.reached[level] + 1 if restart is None else restart
        for at in [at for at in self.reached if at > level]:
            if at not in self.levels or level < self.levels[at].restarts:
                del self.reached[at]
        self.reached[level] = number
        first = {at: one for at, one in self.first.items() if at < level + (restart is None)}
        self.first.clear()
        self.first |= {level: number} | ({} if apart else first)
        shown = self.levels[level]
        if shown.form in ("bullet", "none"):
            sign = shown.text.translate(SIGNS) if shown.form == "bullet" else ""
            return sign if is_shown(sign) else ""

        def number_of(place: re.Match[str]) -> str:
            at = int(place[1]) - 1
            form = self.levels[at].form if at in self.levels else ""
            plain = shown.legal and at < level
            return numeral(self.reached.get(at, 1), "" if plain else form)

        return re.sub("%([1-9])", number_of, shown.text).strip()


class Numbered(NamedTuple):
    paragraph: Element
    numbers: Numbers | None
    """Of its list, if any."""
    level: int
    """From 0, -1 outside of lists."""
    restart: int | None
    heading: bool


def labels(paragraphs: Iterable[Numbered]) -> Iterator[tuple[Element, str]]:
    """Paragraphs of lists, each with an ITEM per list around and any telling label."""
    before = None
    for paragraph, one, level, restart, heading in paragraphs:
        label = ""
        if one is not None and level in one.levels:
            label = one.label(level, restart, apart=one is not before)
            label = label if is_shown(label) or heading or one.first[level] != 1 else ""
        if label or level >= 0:
            yield paragraph, ITEM * (not heading) * (min(level, _DEEPEST) + 1) + label
        before = one


def word_numbered(root: Element, numbering: Element, styles: Element) -> Iterator[Numbered]:
    used = {attribute(one, "numId"): one for one in named(numbering, "num")}
    lists = _lists(numbering, used)
    restarts = {
        (number, whole_number(attribute(one, "ilvl"))): value_at(one, "startOverride")
        for number, use in used.items()
        for one in named(use, "lvlOverride")
    }
    by_name = {attribute(one, "styleId"): one for one in named(styles, "style")}
    for paragraph in named(root, "p"):
        holders = list(_holders(paragraph, by_name))
        told = [[value_at(one, "pPr", "numPr", of) for one in holders] for of in ("numId", "ilvl")]
        number, level = (next(filter(None, one), "") for one in told)
        one = lists.get(number)
        at = -1 if one is None else whole_number(level)
        restart = restarts.pop((number, at), "") if one is not None and at in one.levels else ""
        heading = any(value_at(part, "name").lower().startswith("heading") for part in holders)
        yield Numbered(paragraph, one, at, whole_number(restart) if restart else None, heading)


def _lists(numbering: Element, used: Mapping[str, Element]) -> dict[str, Numbers]:
    """By the numbers of their uses, which may have levels of their own."""
    kinds = {attribute(one, "abstractNumId"): one for one in named(numbering, "abstractNum")}
    styled = {value_at(one, "styleLink"): at for at, one in kinds.items()}
    of = {at: styled.get(value_at(one, "numStyleLink") or "-", at) for at, one in kinds.items()}
    known = {at: Numbers(_levels(kinds[held])) for at, held in of.items() if at == held}
    lists = {}
    for number, use in used.items():
        one, own = known.get(of.get(value_at(use, "abstractNumId"), "")), _levels(use)
        if one is not None:
            lists[number] = Numbers({**one.levels, **own}, one) if own else one
    return lists


def _levels(element: Element) -> dict[int, Level]:
    return {
        whole_number(attribute(one, "ilvl")): Level(
            value_at(one, "numFmt"),
            value_at(one, "lvlText"),
            whole_number(value_at(one, "start") or "1"),
            any(local(part) == "isLgl" for part in one),
            whole_number(value_at(one, "lvlRestart") or "9"),
        )
        for one in named(element, "lvl")
    }


def _holders(paragraph: Element, styles: Mapping[str, Element]) -> Iterator[Element]:
    yield paragraph
    name, left = value_at(paragraph, "pPr", "pStyle"), dict(styles)
    while (style := left.pop(name, None)) is not None:
        yield style
        name = value_at(style, "basedOn")
