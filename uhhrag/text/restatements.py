"""Claims with a text's own figures in place of what they say of how much, how long or when. Whether
these are as claimed is arithmetic."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import NamedTuple

from uhhrag.text.conditions import DATED, Condition, Relation, condition_of, conditions
from uhhrag.text.figures import MOVES
from uhhrag.text.numerals import search_words
from uhhrag.text.quantities import Quantity, QuantityKind, quantities, without_year

_MAX_CHOICES, _MAX_CONDITIONS = 6, 3
"""Restatements, and figures for a condition: those nearest the claim's are kept."""
_ENDLESS, _VAGUE = 10**6, Fraction(1, 20)
_ROUNDED = Fraction(3, 20)
"""The most, as a share, that a figure may be rounded by."""
_CHANGED = re.compile(
    r"\b(?:by|(?:increase|rise|growth|cut|drop|fall|decrease|reduction|loss) of) $", re.IGNORECASE
)
_APART = re.compile(
    r"(?: \w+){0,2}? (?:more|fewer|less|higher|lower|later|earlier|older|younger|after|before|ahead"
    r"|behind|above|below|short)\b"
)
"""Follows what lies between two figures or dates."""
_MOVED = re.compile(rf"{MOVES}(by|to|from) (?:about |nearly |almost )?$", re.IGNORECASE)
_ROW, _IN_NAME = re.compile(r"[^:;]+: [^;]*(?:; [^:;]+: [^;]*)+"), re.compile(r"[^:;]*: ")
_LEADS = re.compile(r"\b(?:for|in|on|at|by) $")


class Figure(NamedTuple):
    """Of a text, in place of a condition."""

    quantity: Quantity
    met: bool | None
    """None where text or claim is too vague to tell."""
    words: str
    other: str = ""
    """The text's other figure, if the two are compared."""


class Restated(NamedTuple):
    claim: str
    met: bool | None
    """Whether all figures are as the claim says; None where that cannot be told."""
    far: float
    """The sum of the natural logarithms of the ratios between figures of the text and the claim."""
    told: str
    """Each figure, and what it is or is not."""


def restated(claim: str, text: str) -> list[Restated]:
    """One per choice of the text's figures, nearest the claim's first.

    >>> restated("The depot opened before May 2019.", "It was opened on 4 May 2019.")[0].told
    'on 4 May 2019: not before May 2019'
    """
    said = conditions(claim)[:_MAX_CONDITIONS]
    if not said:
        return _moved_otherwise(claim, text)
    found = quantities(text)
    if _ROW.fullmatch(text):  # without figures in names of columns
        found = [one for one in found if one.kind in DATED or not _IN_NAME.match(text, one.end)]
    found = [_bounded(one, text) for one in found]
    found += _spans(found)
    figures = [_figures(condition, claim, found, text) for condition in said]
    options = [_nearest(own, condition) for own, condition in zip(figures, said, strict=True)]
    told = [_with(claim, said, choice) for choice in product(*options) if any(choice)]
    return sorted(told, key=lambda one: one.far)[:_MAX_CHOICES]


def _moved_otherwise(claim: str, text: str) -> list[Restated]:
    """Of what rose by the figure, the text says that it rose to it, or the like."""
    for own in (one for one in quantities(claim) if one.kind not in DATED):
        said = _MOVED.search(claim, 0, own.start)
        found = (one for one in quantities(text) if said and one[:3] == own[:3])
        moves = [_MOVED.search(text, 0, one.start) for one in found]
        words = [move[1] for move in moves if move]
        if said and words and said[1] not in words and all(moves):
            as_told = f"{claim[: said.start(1)]}{words[0]}{claim[said.end(1) :]}"
            told = f"{words[0]} {own.text}: not {said[1]} {own.text}"
            return [Restated(as_told, False, 0.0, told)]
    return []


def _bounded(one: Quantity, text: str) -> Quantity:
    """What the text says of it: more than 300 is not 300."""
    said = condition_of(text, one)
    if said is None or one.kind in DATED or one.low <= 0:
        return one
    if one.kind is QuantityKind.SHARE and said.start == one.start:  # "a third", without such words
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
    low, high = bounds[said.relation]
    unit = "" if one.kind is QuantityKind.DURATION else one.unit
    words = text[said.start : said.end]
    return one._replace(low=low, high=high, text=words, unit=unit)


def _figures(
    condition: Condition, claim: str, found: Sequence[Quantity], text: str
) -> list[Figure]:
    own = condition.quantity
    if own is None:
        named = {*search_words(condition.other)} & {*search_words(text)}
        # Columns of a row need not be of the same kind.
        told = [one for one in found if not text.endswith(": ", 0, one.start)]
        return list(_of_two(condition, told)) if named else []
    changed = own.kind is QuantityKind.RATIO or _CHANGED.search(claim, 0, condition.start)
    alike = [like for one in found if (like := _as_claimed(one, own))]
    apart = _APART.match(claim, condition.end)
    between = claim.lower().startswith("between", condition.start)
    lasting = between and own.kind is QuantityKind.DAY and len(alike) > 1
    if apart or lasting:  # what lasted from one day to another is not between others
        alike = []
    figures = [Figure(one, meets(one, condition), one.text) for one in alike]
    if changed:
        for first, last in _changes(found):
            if (size := _change(own, first, last)) is not None:
                one = last._replace(kind=own.kind, low=size, high=size)
                words = f"from {first.text} to {last.text}"
                figures.append(Figure(one, meets(one, condition), words))
    return figures


def _as_claimed(one: Quantity, own: Quantity) -> Quantity | None:
    """As the claim counts it; None if of another kind or unit."""
    exact = one.kind is QuantityKind.DAY and one.high - one.low < 32
    if own.kind is QuantityKind.DAY_OF_YEAR and exact:
        one = without_year(one)
    if own.kind is QuantityKind.AMOUNT and one.unit == "year" and one.text.isdecimal():  # aged 47
        age = Fraction(one.text)
        one = one._replace(kind=own.kind, low=age, high=age, unit="")
    like = one.kind is own.kind and (one.unit == own.unit or own.kind is QuantityKind.DURATION)
    return one if like else None


def _of_two(condition: Condition, found: Sequence[Quantity]) -> Iterator[Figure]:
    """Each of the two figures of a kind and unit that has no more."""
    groups: dict[tuple[QuantityKind, str], list[Quantity]] = {}
    for one in found:
        if (one.kind in DATED) is condition.dated:
            unit = one.unit if one.kind is QuantityKind.AMOUNT else ""
            groups.setdefault((one.kind, unit), []).append(one)
    for group in groups.values():
        if len(group) == 2 and group[0].end <= group[1].start:
            for one, other in (group, reversed(group)):
                met = meets(one, condition._replace(quantity=other))
                yield Figure(one, met, one.text, other.text)


def _spans(found: Sequence[Quantity]) -> Iterator[Quantity]:
    """Durations between one date or time and the next; of years alone to half a year.

    >>> (span,) = _spans(quantities("It was shut from 2009 to 2021."))
    >>> span.text, int(span.low / 365), int(span.high / 365)
    ('from 2009 to 2021', 11, 12)
    """
    for kind, unit in ((QuantityKind.DAY, 1), (QuantityKind.TIME, 1440)):
        for first, last in pairwise(one for one in found if one.kind is kind):
            if first.high < last.low:
                middle = (last.low + last.high - first.low - first.high) / 2
                vague = (last.high - last.low + first.high - first.low) / 4
                low, high = (middle - vague) / unit, (middle + vague) / unit
                began, ended = (day.text.partition(" ")[2] for day in (first, last))
                words = f"from {began} to {ended}"
                yield Quantity(QuantityKind.DURATION, low, high, first.start, last.end, words)


def _changes(found: Sequence[Quantity]) -> Iterator[tuple[Quantity, Quantity]]:
    """Amounts or shares and the next of the same unit."""
    for kind in (QuantityKind.AMOUNT, QuantityKind.SHARE):
        for first, last in pairwise(one for one in found if one.kind is kind):
            if first.unit == last.unit and first.low > 0 and first.end <= last.start:
                yield first, last


def _nearest(figures: Sequence[Figure], condition: Condition) -> Sequence[Figure | None]:
    nearest = sorted(figures, key=lambda one: _apart(one.quantity, condition.quantity))
    return nearest[:_MAX_CHOICES] or [None]


def _change(own: Quantity, first: Quantity, last: Quantity) -> Fraction | None:
    """How much more or less, as the claim counts it."""
    if own.kind is QuantityKind.RATIO:
        return last.low / first.low
    gap = abs(last.low - first.low)
    if own.kind is QuantityKind.SHARE and first.kind is QuantityKind.AMOUNT:
        return gap / first.low
    return gap if (own.kind, own.unit) == (first.kind, first.unit) and gap else None


def meets(one: Quantity, condition: Condition) -> bool | None:
    """None if the text or the claim is too vague."""
    own = condition.quantity or one
    if one.unit == own.unit != "" and condition.relation is not Relation.INSIDE:  # as years are
        one, own = one._replace(high=one.low), own._replace(high=own.low)
    more, less = one.low > own.high, one.high < own.low
    inside = own.low <= one.low and one.high <= own.high
    told = {
        Relation.MORE: (more, less or inside),
        Relation.LESS: (less, more or inside),
        Relation.AT_LEAST: (one.low >= own.low and one.high >= own.high, less),
        Relation.AT_MOST: (one.high <= own.high and one.low <= own.low, more),
        Relation.INSIDE: (inside, more or less),
    }
    if condition.relation in told:
        met, unmet = told[condition.relation]
        return True if met else False if unmet else None
    rounded = _step(own.low) / own.low / 2 if own.low else Fraction(0)
    near, tenth = min(max(_VAGUE, rounded), _ROUNDED), Fraction(1, 10)
    just = {Relation.JUST_LESS: (tenth, Fraction(0)), Relation.JUST_MORE: (Fraction(0), tenth)}
    return _near(one, own, *just.get(condition.relation, (near, near)))


def _near(one: Quantity, own: Quantity, under: Fraction, over: Fraction) -> bool | None:
    """Within these shares of the claim's figure; None up to twice as far, or a twentieth."""
    least, most, size = one.low - own.high, one.high - own.low, abs(own.low)
    if -under * size <= most and least <= over * size:
        return True
    far_under, far_over = (max(2 * share, _VAGUE) * size for share in (under, over))
    return None if -far_under <= most and least <= far_over else False


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
    far = sum(_apart(one.quantity, condition.quantity) for condition, one in taken)
    told = "; ".join(_told(claim, condition, one) for condition, one in taken)
    text = claim
    for start, end, words in sorted(_edits(taken), reverse=True):
        before = text[:start]
        if words.startswith("from "):
            before = _CHANGED.sub("", before)
        if words.startswith(("from ", "in ", "on ", "at ")):
            before = _LEADS.sub("", before)
        text = before + words + text[end:]
    whole = False if False in met else None if None in met else True
    return Restated(text[:1].upper() + text[1:], whole, far, told)


def _edits(taken: Sequence[tuple[Condition, Figure]]) -> Iterator[tuple[int, int, str]]:
    """Parts of the claim, and what stands there instead."""
    for condition, one in taken:
        own, words = condition.quantity, one.words
        if own and own.kind is QuantityKind.RATIO:
            words = f"{'rose' if own.low > 1 else 'fell'} {words}"
        yield condition.start, condition.end, words
        if condition.than:
            yield *condition.than, ""


def _apart(one: Quantity, own: Quantity | None) -> float:
    if own is None or own.kind in DATED or one.low <= 0 or own.low <= 0:
        return 0.0
    return abs(math.log(one.low / own.low))


def _told(claim: str, condition: Condition, one: Figure) -> str:
    words = claim[condition.start : condition.end].removeprefix("for ")
    if one.other:
        more, less = ("later", "earlier") if condition.dated else ("more", "less")
        than = more if (condition.relation is Relation.MORE) is one.met else less
        return f"{one.words}: {than} than {one.other}"
    return f"{one.words}: {'' if one.met else 'not '}{words[:1].lower()}{words[1:]}"
