"""What a claim says of how much, how long or when, and the claim with a text's own figures in its
place. Whether these are as the claim says is arithmetic."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from datetime import date
from enum import Enum, auto
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from uhhrag.text.measures import Kind, Measure, changes, measures, spans

_MOST = 6
"""Restatements by a text, those with figures nearest the claim's."""
_MOST_CONDITIONS = 3
_ENDLESS = 10**6
_DATED = (Kind.DAY, Kind.DAY_OF_YEAR, Kind.TIME)


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
    measure: Measure
    start: int
    """Of all its words."""
    end: int


class Figure(NamedTuple):
    """Of a text, in place of a condition."""

    measure: Measure
    met: bool | None
    """None where text or claim is too vague to tell."""
    words: str


class Restated(NamedTuple):
    claim: str
    met: bool | None
    """Whether all figures are as the claim says; None where that cannot be told."""
    far: float
    """The sum of the natural logarithms of the ratios between figures of the text and the claim."""
    told: str
    """Each figure, and what it is or is not."""


_MORE = r"(?:well |far |slightly |a little |much )?"
_OF_FIGURES = (
    (
        Relation.AT_MOST,
        r"no (?:more|longer|older) than|not more than|at most|up to|within(?: the)?",
    ),
    (Relation.AT_LEAST, r"no (?:fewer|less) than|not (?:fewer|less) than|at least"),
    (
        Relation.JUST_LESS,
        r"nearly|almost|just (?:under|below)|close to|a little (?:under|less than)",
    ),
    (Relation.JUST_MORE, r"just (?:over|above)|a little (?:over|more than)|slightly more than"),
    (
        Relation.MORE,
        rf"{_MORE}(?:over|above|(?:more|greater|longer|larger|higher|older) than)|upwards of",
    ),
    (Relation.LESS, rf"{_MORE}(?:under|below|(?:less|fewer|shorter|smaller|lower|younger) than)"),
    (Relation.ABOUT, r"about|around|roughly|approximately|some"),
)
_OF_DATES = (
    (Relation.AT_MOST, r"(?:already )?by|no later than"),
    (Relation.AT_LEAST, r"no earlier than|at the earliest"),
    (Relation.LESS, r"(?:(?:even|well|shortly|just|long) )?before|prior to|earlier than"),
    (Relation.MORE, r"(?:(?:only|well|shortly|just|long) )?after|later than|past"),
    (Relation.INSIDE, r"in the|during the|in"),
)
_AFTERWARDS = (
    (Relation.AT_LEAST, re.compile(r" or (?:more|longer|later|older)\b")),
    (Relation.AT_MOST, re.compile(r" or (?:less|fewer|earlier|younger)\b| at (?:the )?most\b")),
)
_TURN = r"(?:the (?P<turn>end|start|beginning) of )?"
_BEFORE = {
    dated: [
        (relation, re.compile(rf"(?:\bfor )?\b(?:{words}) {_TURN}$", re.IGNORECASE))
        for relation, words in (_OF_DATES if dated else _OF_FIGURES)
    ]
    for dated in (True, False)
}
_MAJORITY = re.compile(
    r"\b(?P<more>most(?= of )|a majority(?= of ))|\b(?P<less>a minority(?= of ))|^(?P<first>Most)\b"
)
_FOLD = re.compile(
    r"\b(?:(?P<over>more than|over) |(?P<nearly>nearly|almost) |(?:about|roughly) )?"
    r"(?P<fold>doubled|trebled|tripled|quadrupled|halved)\b",
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
_CHANGED = re.compile(
    r"\b(?:by|(?:increase|rise|growth|cut|drop|fall|decrease|reduction|loss) of) $", re.IGNORECASE
)
_BETWEEN = re.compile(
    r"(?: \w+){0,2}? (?:more|fewer|less|higher|lower|later|earlier|older|younger|after|before|ahead"
    r"|behind|above|below|short)\b"
)
"""Follows what lies between two figures or dates."""
_LEADS = re.compile(r"\b(?:for|in|on|at|by) $")


def restated(claim: str, text: str) -> list[Restated]:
    """By each choice of figures of the text for what it has figures for.

    >>> restated("More than 300 people came to the fair.", "On Friday 312 visitors came.")[0][:2]
    ('312 people came to the fair.', True)
    >>> restated("The depot opened before May 2019.", "It was opened on 4 May 2019.")[0].told
    'on 4 May 2019: not before May 2019'
    >>> restated("Fewer than half of the eels came back.", "Of 186 eels, 114 came back.")[0][:2]
    ('114 of 186 of the eels came back.', False)
    >>> restated("She taught for over ten years.", "She taught from 1950 to 1959.")[0][:2]
    ('She taught from 1950 to 1959.', False)
    >>> restated("The rent rose by more than half.", "The rent, £22 until now, will be £28.")[0][:2]
    ('The rent rose from £22 to £28.', False)
    """
    said = conditions(claim)[:_MOST_CONDITIONS]
    if not said:
        return []
    found = [_bounded(one, text) for one in measures(text)]
    found += spans(found)
    options = [_nearest(_figures(condition, claim, found), condition) for condition in said]
    told = [_with(claim, said, choice) for choice in product(*options) if any(choice)]
    return sorted(told, key=lambda one: one.far)[:_MOST]


@lru_cache(64)
def conditions(claim: str) -> tuple[Condition, ...]:
    """In order.

    >>> [one.relation.name for one in conditions("Over 300 came by 2019, most of them for free.")]
    ['MORE', 'AT_MOST', 'MORE']
    >>> conditions("It did not cost more than £300."), conditions("312 people came in May 2019.")
    ((), ())
    """
    found = measures(claim)
    whole = [one for one in found if not any(_is_part(one, other) for other in found)]
    said = [*_majorities(claim), *_folds(claim)]
    said += [condition for one in whole if (condition := _condition(claim, one))]
    kept = [one for one in said if not _NEGATED.search(claim[: one.start] + claim[one.end :])]
    return tuple(sorted(kept, key=lambda one: one.start))


def _is_part(one: Measure, other: Measure) -> bool:
    return one is not other and other.start <= one.start and one.end <= other.end


def _majorities(claim: str) -> Iterator[Condition]:
    for match in _MAJORITY.finditer(claim):
        half = Measure(Kind.SHARE, Fraction(1, 2), Fraction(1, 2), *match.span(), "half")
        yield Condition(Relation.LESS if match["less"] else Relation.MORE, half, *match.span())


def _folds(claim: str) -> Iterator[Condition]:
    for match in _FOLD.finditer(claim):
        fold = _FOLDS[match["fold"].lower()]
        over = Relation.LESS if fold < 1 else Relation.MORE
        nearly = Relation.JUST_MORE if fold < 1 else Relation.JUST_LESS
        relation = over if match["over"] else nearly if match["nearly"] else Relation.ABOUT
        ratio = Measure(Kind.RATIO, fold, fold, *match.span(), match["fold"])
        yield Condition(relation, ratio, *match.span())


def _condition(text: str, measure: Measure) -> Condition | None:
    before, after = text[: measure.start], text[measure.end :]
    for relation, words in _AFTERWARDS:
        if match := words.match(after):
            return Condition(relation, measure, measure.start, measure.end + match.end())
    for relation, words in _BEFORE[measure.kind in _DATED]:
        if match := words.search(before):
            if relation is Relation.INSIDE and measure.high - measure.low < 370:
                return None
            if match["turn"]:
                edge = measure.high if match["turn"] == "end" else measure.low
                measure = measure._replace(low=edge, high=edge)
            return Condition(relation, measure, match.start(), measure.end)
    if measure.kind is Kind.SHARE and not measure.text[:1].isdecimal():
        return Condition(Relation.ABOUT, measure, measure.start, measure.end)
    return None


def _bounded(one: Measure, text: str) -> Measure:
    """What the text says of it: more than 300 is not 300."""
    said = _condition(text, one)
    if said is None or one.kind in _DATED or one.low <= 0:
        return one
    low, high, step = one.low, one.high, _step(one.low)
    bounds = {
        Relation.MORE: (high * (1 + Fraction(1, _ENDLESS**2)), high * _ENDLESS),
        Relation.LESS: (low / _ENDLESS, low * (1 - Fraction(1, _ENDLESS**2))),
        Relation.AT_LEAST: (low, high * _ENDLESS),
        Relation.AT_MOST: (low / _ENDLESS, high),
        Relation.ABOUT: (low - step / 2, high + step / 2),
        Relation.JUST_LESS: (low * Fraction(9, 10), high),
        Relation.JUST_MORE: (low, high * Fraction(11, 10)),
    }
    if one.kind is Kind.SHARE and said.start == one.start:
        return one
    low, high = bounds[said.relation]
    unit = "" if one.kind is Kind.DURATION else one.unit
    words = text[said.start : said.end]
    return one._replace(low=low, high=high, text=words, unit=unit)


def _figures(condition: Condition, claim: str, found: Sequence[Measure]) -> list[Figure]:
    own = condition.measure
    changed = own.kind is Kind.RATIO or _CHANGED.search(claim[: condition.start])
    figures: list[Figure] = []
    for one in found:
        if own.kind is Kind.DAY_OF_YEAR and one.kind is Kind.DAY and one.high - one.low < 32:
            one = _without_year(one)
        like = one.kind is own.kind and (one.unit == own.unit or own.kind is Kind.DURATION)
        if like and not _BETWEEN.match(claim[condition.end :]):
            figures.append(Figure(one, meets(one, condition), one.text))
    if changed:
        for first, last in changes(found):
            if (size := _change(own, first, last)) is not None:
                one = last._replace(kind=own.kind, low=size, high=size)
                words = f"from {first.text} to {last.text}"
                figures.append(Figure(one, meets(one, condition), words))
    return figures


def _nearest(figures: Sequence[Figure], condition: Condition) -> Sequence[Figure | None]:
    nearest = sorted(figures, key=lambda one: _apart(one.measure, condition.measure))
    return nearest[:_MOST] or [None]


def _change(own: Measure, first: Measure, last: Measure) -> Fraction | None:
    """How much more or less, as the claim counts it."""
    if own.kind is Kind.RATIO:
        return last.low / first.low
    gap = abs(last.low - first.low)
    if own.kind is Kind.SHARE and first.kind is Kind.AMOUNT:
        return gap / first.low
    return gap if (own.kind, own.unit) == (first.kind, first.unit) and gap else None


def _without_year(day: Measure) -> Measure:
    first, last = (date.fromordinal(int(one)) for one in (day.low, day.high))
    low, high = (Fraction(31 * one.month + one.day) for one in (first, last))
    return day._replace(kind=Kind.DAY_OF_YEAR, low=low, high=high)


def meets(one: Measure, condition: Condition) -> bool | None:
    """None where the text or the claim is too vague to tell."""
    own = condition.measure
    if one.unit and one.unit == own.unit:  # three years are three years, whatever their days
        one, own = one._replace(high=one.low), own._replace(high=own.low)
    more, less = one.low > own.high, one.high < own.low
    inside = own.low <= one.low and one.high <= own.high
    match condition.relation:
        case Relation.MORE:
            return True if more else False if less or inside else None
        case Relation.LESS:
            return True if less else False if more or inside else None
        case Relation.AT_LEAST:
            return True if one.low >= own.low and one.high >= own.high else False if less else None
        case Relation.AT_MOST:
            return True if one.high <= own.high and one.low <= own.low else False if more else None
        case Relation.INSIDE:
            return True if inside else False if more or less else None
        case Relation.JUST_LESS:
            return _near(one, own, Fraction(1, 10), Fraction(0))
        case Relation.JUST_MORE:
            return _near(one, own, Fraction(0), Fraction(1, 10))
        case Relation.ABOUT:
            near = max(Fraction(1, 20), _step(own.low) / own.low / 2 if own.low else Fraction(0))
            return _near(one, own, near, near)


def _near(one: Measure, own: Measure, under: Fraction, over: Fraction) -> bool | None:
    """Within these shares of the claim's figure; None up to twice as far."""
    least, most, size = one.low - own.high, one.high - own.low, abs(own.low)
    if -under * size <= most and least <= over * size:
        return True
    far = 2 * max(under, over) * size
    return None if -far <= most and least <= far else False


def _step(number: Fraction) -> Fraction:
    """What its last digit before noughts counts; 0 for fractions.

    >>> _step(Fraction(25000)), _step(Fraction(312)), _step(Fraction(5, 2))
    (Fraction(1000, 1), Fraction(1, 1), Fraction(0, 1))
    """
    if number.denominator > 1 or not number:
        return Fraction(0)
    digits = str(number.numerator)
    return Fraction(10) ** (len(digits) - len(digits.rstrip("0")))


def _with(claim: str, said: Sequence[Condition], choice: Sequence[Figure | None]) -> Restated:
    taken = [(condition, one) for condition, one in zip(said, choice, strict=True) if one]
    met = [one.met for _, one in taken]
    far = sum(_apart(one.measure, condition.measure) for condition, one in taken)
    told = "; ".join(_told(claim, condition, one) for condition, one in taken)
    text = claim
    for condition, one in reversed(taken):
        before = text[: condition.start]
        if one.words.startswith("from "):
            before = _CHANGED.sub("", before)
        if one.words.startswith(("from ", "in ", "on ", "at ")):
            before = _LEADS.sub("", before)
        verb = "rose " if condition.measure.kind is Kind.RATIO else ""
        if verb and condition.measure.low < 1:
            verb = "fell "
        text = f"{before}{verb}{one.words}{text[condition.end :]}"
    whole = False if False in met else None if None in met else True
    return Restated(text[:1].upper() + text[1:], whole, far, told)


def _apart(one: Measure, own: Measure) -> float:
    if own.kind in _DATED or one.low <= 0 or own.low <= 0:
        return 0.0
    return abs(math.log(one.low / own.low))


def _told(claim: str, condition: Condition, one: Figure) -> str:
    words = claim[condition.start : condition.end]
    return f"{one.words}: {'' if one.met else 'not '}{words[:1].lower()}{words[1:]}"
