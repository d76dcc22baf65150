"""What stands on a page: its sentences in the order in which a person reads them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle, islice
from typing import NamedTuple

PROSE = (
    "The survey of the estuary was carried out in the spring by two vessels and an aircraft. It "
    "covered 312 square kilometres of sea bed and forty-one kilometres of shore line. The vessels "
    "took 1,240 samples of mud, of which 96 were discarded because their labels had become "
    "unreadable.",
    "Mercury was found in a sixth of the samples that were taken near the old smelter. None was "
    "found in any sample that was taken more than nine kilometres from it. The county of Lunde had "
    "claimed in its report that the whole of the estuary was free of mercury.",
    "The council approved a budget of 42 million crowns for 2023. Mayor Ingrid Solheim called the "
    'vote "a good day for children" and thanked both parties. The opposition did not agree, and '
    "Councillor Peder Moe left the room before the vote.",
    "The ferry between Ostvik and Marholm made 5,120 crossings in 2021 and carried 311,000 "
    "passengers. Sixty-two crossings were cancelled because of storms. A ticket for a car costs "
    "180 crowns since January 2022, a third more than in the year before.",
    "Dr. Berg and Prof. Lie examined the wells of nineteen farms (see p. 14). Nitrate exceeded the "
    "limit of 50 mg in seven of them. The owners were told on 3 May 2019, but four of them had not "
    "been given any advice by the end of the year.",
    "The smelter was closed in 1979, and its slag was covered with clay in two stages. A third "
    "stage, which had been planned for 1996, was never begun because the company went bankrupt. "
    "The clay is thinner than twenty centimetres over a third of the area.",
    "Norrland Rail Inc. bought two of the older railcars for 3.5 million crowns. The third went to "
    "a museum in Tarva. Neither the price nor the name of the donor was published, although the "
    "museum is owned by the municipality.",
    "The hospital on Marholm has 24 beds and one operating room. In 2021 it treated 3,480 "
    "patients, 212 of them after accidents at sea. The maternity ward was closed in 2015, and "
    "births take place on the mainland since then.",
)
_END = re.compile(r"(?<=[.!?]) (?=[A-Z“\"])(?<!Dr. )(?<!Prof. )(?<!Inc. )")


class Said(NamedTuple):
    """A sentence as the program should give it, and with the letters of the page alone."""

    read: str
    plain: str


class Made(NamedTuple):
    """A page or more, and what they say."""

    source: str
    said: tuple[Said, ...]
    style: str = ""
    """What a page's program is told beside."""


def sentences(paragraph: str) -> tuple[Said, ...]:
    """
    >>> [one.read for one in sentences("Dr. Ek met Inc. It rained.")]
    ['Dr. Ek met Inc. It rained.']
    """
    return said(*_END.split(paragraph))


def said(*texts: str) -> tuple[Said, ...]:
    """Texts that are read as they stand."""
    return tuple(Said(text, text) for text in texts)


def prose(count: int, first: int = 0) -> list[str]:
    """So many paragraphs, from this one on."""
    return list(islice(cycle(PROSE), first, first + count))


def all_said(paragraphs: Iterable[str]) -> tuple[Said, ...]:
    """The sentences of paragraphs."""
    return tuple(one for paragraph in paragraphs for one in sentences(paragraph))


def table(names: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[Said]:
    """A table's row of names and its other rows, whose empty cells are not read."""
    yield Said("; ".join(names), " ".join(names))
    for row in rows:
        pairs = [(name, cell) for name, cell in zip(names, row, strict=True) if cell]
        yield Said("; ".join(map(": ".join, pairs)), " ".join(cell for _, cell in pairs))
