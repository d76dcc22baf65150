"""What a claim says of how much, how long or when."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from uhhrag.text.quantities import Quantity, QuantityKind, quantities

DATED = (QuantityKind.DAY, QuantityKind.DAY_OF_YEAR, QuantityKind.TIME)


class Relation(Enum):
    """To the figure that the claim states."""

    MORE = auto()
    LESS = auto()
    AT_LEAST = auto()
    AT_MOST = auto()
    ABOUT = auto()
    JUST_LESS = auto()
    JUST_MORE = auto()
    INSIDE = auto()


class Condition(NamedTuple):
    relation: Relation
    quantity: Quantity | None
    """None for one of two figures of the text compared with the other."""
    start: int
    """Of all its words."""
    end: int
    other: str = ""
    """Words that name the other."""
    than: tuple[int, int] | None = None
    """Where these words stand, if apart from the word that compares."""
    dated: bool = False
    """Whether dates or times are compared, without `quantity`."""

    def covers(self, at: int) -> bool:
        first, last = self.than or (self.start, self.end)
        return self.start <= at < self.end or first <= at < last


_MORE = r"(?:well |far |slightly |a little |much )?"
_OF_FIGURES = {
    Relation.AT_MOST: r"no (?:more|longer|older) than|not more than|at most|up to|within(?: the)?",
    Relation.AT_LEAST: r"no (?:fewer|less) than|not (?:fewer|less) than|at least",
    Relation.JUST_LESS: r"nearly|almost|just (?:under|below)|close to|a little (?:under|less than)",
    Relation.JUST_MORE: r"just (?:over|above)|a little (?:over|more than)|slightly more than",
    Relation.MORE: rf"{_MORE}(?:over|above|(?:more|greater|longer|larger|higher|older) than)"
    "|upwards of",
    Relation.LESS: rf"{_MORE}(?:under|below|(?:less|fewer|shorter|smaller|lower|younger) than)",
    Relation.ABOUT: r"about|around|roughly|approximately|some",
}
_OF_DATES = {
    Relation.AT_MOST: r"(?:already )?by|no later than",
    Relation.AT_LEAST: r"no earlier than|at the earliest",
    Relation.LESS: r"(?:(?:even|well|shortly|just|long) )?before|prior to|earlier than",
    Relation.MORE: r"(?:(?:only|well|shortly|just|long) )?after|later than|past",
    Relation.INSIDE: r"in the|during the|in",
}
_AFTERWARDS = (
    (Relation.AT_LEAST, re.compile(r" or (?:more|longer|later|older)\b")),
    (Relation.AT_MOST, re.compile(r" or (?:less|fewer|earlier|younger)\b| at (?:the )?most\b")),
)
_TURN = r"(?:the (?P<turn>end|start|beginning) of )?"
_BEFORE = {
    dated: [
        (relation, re.compile(rf"(?:\bfor )?\b(?:{words}) {_TURN}$", re.IGNORECASE))
        for relation, words in (_OF_DATES if dated else _OF_FIGURES).items()
    ]
    for dated in (True, False)
}
_BETWEEN = "between "
_MAX_CLAIM_CHARS = 1000
"""Characters; longer ones are read as they stand."""
_MAX_CHARS_BEFORE = 60
"""Characters before a figure in which words that compare are looked for."""
_MAJORITY = re.compile(
    r"\b(?:[Mm]ost|(?:[Aa]|[Tt]he) majority)(?= of )|\b(?P<less>[Aa] minority)(?= of )|^Most\b"
)
_FOLD = re.compile(
    r"\b(?:(?P<over>more than|over) |(?P<nearly>nearly|almost) |(?:about|roughly) )?"
    r"(?P<fold>doubled|trebled|tripled|quadrupled|halved)\b",
    re.IGNORECASE,
)
_PAIR = re.compile(
    r"\b(?:(?P<more>more|longer|higher|larger|older|dearer|heavier|bigger|taller|deeper|further)"
    r"|fewer|less|shorter|lower|smaller|younger|cheaper|lighter)\b"
    r"(?P<what> [^,.;:]*?)?(?P<than> than (?!(?:one|once|twice|ever|just|a few)\b)[^,;:]*?)"
    r"(?=[.,;:]|$)",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"\b(?:(?P<more>after|later than)|before|earlier than) (?P<than>[^,;:]*?)(?=[.,;:]|$)",
    re.IGNORECASE,
)
_FOLDS = {
    "doubled": Fraction(2),
    "trebled": Fraction(3),
    "tripled": Fraction(3),
    "quadrupled": Fraction(4),
    "halved": Fraction(1, 2),
}
_NEGATED = re.compile(
    r"\b(?:not|never|no|nobody|none|neither|nor|without|\w+n[’']t)\b", re.IGNORECASE
)


@lru_cache(64)
def conditions(claim: str) -> tuple[Condition, ...]:
    """In order.

    >>> [one.relation.name for one in conditions("Over 300 came by 2019, most of them for free.")]
    ['MORE', 'AT_MOST', 'MORE']
    >>> len(conditions("Over 300 did not come.")), conditions("Over ten years nobody came.")
    (1, ())
    >>> [(one.start, one.than) for one in conditions("More men came in May than in June.")]
    [(0, (20, 33))]
    """
    if len(claim) > _MAX_CLAIM_CHARS:
        return ()
    found = quantities(claim)
    whole = [one for one in found if not any(one.is_part_of(other) for other in found)]
    said = [*_majorities(claim), *_folds(claim), *_ranges(claim, whole)]
    said += filter(None, (condition_of(claim, one) for one in whole))
    taken = [one.start for one in said]
    said += [one for one in _pairs(claim) if not any(map(one.covers, taken))]
    return tuple(sorted((n for n in said if not _denied(claim, n)), key=lambda one: one.start))


def _denied(claim: str, said: Condition) -> bool:
    """Whether "not" is about it: so many that did not come are as many."""
    counted = said.quantity and said.quantity.kind in (QuantityKind.AMOUNT, QuantityKind.SHARE)
    return bool(_NEGATED.search(claim[: said.start] + ("" if counted else claim[said.end :])))


def _majorities(claim: str) -> Iterator[Condition]:
    for match in _MAJORITY.finditer(claim):
        half = Quantity(QuantityKind.SHARE, Fraction(1, 2), Fraction(1, 2), *match.span(), "half")
        yield Condition(Relation.LESS if match["less"] else Relation.MORE, half, *match.span())


def _pairs(claim: str) -> Iterator[Condition]:
    for match in (*_PAIR.finditer(claim), *_ORDER.finditer(claim)):
        dated = match.re is _ORDER
        if not any(dated or one.kind not in DATED for one in quantities(match["than"])):
            relation = Relation.MORE if match["more"] else Relation.LESS
            pair = Condition(relation, None, *match.span(), match["than"], dated=dated)
            if dated or not match["what"]:
                yield pair
            else:
                yield pair._replace(end=match.start("what"), than=match.span("than"))


def _ranges(claim: str, found: Sequence[Quantity]) -> Iterator[Condition]:
    for first, last in pairwise(found):
        start = first.start - len(_BETWEEN)
        stands = claim[max(start, 0) : first.start].lower() == _BETWEEN
        if stands and claim[first.end : last.start] == " and " and first.kind is last.kind:
            both = last._replace(low=first.low, high=last.high, start=start)
            yield Condition(Relation.INSIDE, both, start, last.end)


def _folds(claim: str) -> Iterator[Condition]:
    for match in _FOLD.finditer(claim):
        fold = _FOLDS[match["fold"].lower()]
        over = Relation.LESS if fold < 1 else Relation.MORE
        nearly = Relation.JUST_MORE if fold < 1 else Relation.JUST_LESS
        relation = over if match["over"] else nearly if match["nearly"] else Relation.ABOUT
        ratio = Quantity(QuantityKind.RATIO, fold, fold, *match.span(), match["fold"])
        yield Condition(relation, ratio, *match.span())


def condition_of(text: str, quantity: Quantity) -> Condition | None:
    first = max(quantity.start - _MAX_CHARS_BEFORE, 0)
    for relation, words in _AFTERWARDS:
        if match := words.match(text, quantity.end):
            return Condition(relation, quantity, quantity.start, match.end())
    for relation, words in _BEFORE[quantity.kind in DATED]:
        if match := words.search(text, first, quantity.start):
            if relation is Relation.INSIDE and quantity.high - quantity.low < 370:
                return None
            if match["turn"]:
                edge = quantity.high if match["turn"] == "end" else quantity.low
                quantity = quantity._replace(low=edge, high=edge)
            return Condition(relation, quantity, match.start(), quantity.end)
    if quantity.kind is QuantityKind.SHARE and not quantity.text[:1].isdecimal():
        return Condition(Relation.ABOUT, quantity, quantity.start, quantity.end)
    return None
