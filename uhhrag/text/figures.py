"""Figures of tables, and how two compare in view of the amount that a claim states."""

from __future__ import annotations

import re
from calendar import month_abbr, month_name
from collections.abc import Collection, Iterable
from enum import Enum, auto
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from uhhrag.text.numerals import DIGITS, NUMBER_WORD, in_one_notation, search_words

_FIGURE = re.compile(
    rf"([^\w\s+\u2212-]{{0,3}}|[A-Z]{{2,3}} ?|kr\.? ?)(?!(?<=[A-Z])[-+\u2212]|0\d)"
    rf"([-+\u2212]?{DIGITS})(\D{{0,12}})"
)
_MONTHS = month_abbr[1:]
TIME_UNITS = frozenset({"second", "minut", "hour", "day", "week", "month", "year"})
"""Stems of units of time."""
_AMBIGUOUS = re.compile(r"\D?[1-9]\d{0,2}\.\d{3}")
_TIMES = dict.fromkeys(("twice", "double", "doubled"), Fraction(2)) | {"halved": Fraction(1, 2)}
_TIMES |= dict.fromkeys(("triple", "tripled", "trebled"), Fraction(3))
_PARTS = {"half": Fraction(1, 2)} | {
    f"{many}{gap}{part}{'s' * (count > 1)}": Fraction(count, whole)
    for part, whole in (("third", 3), ("quarter", 4), ("fifth", 5), ("tenth", 10))
    for many, count in (("a", 1), ("one", 1), ("two", 2), ("three", 3), ("four", 4))
    for gap in " -"
}
_AS_MUCH = re.compile(rf"\b(?:{'|'.join(_TIMES)}|(\d+) times)\b")
_PART_OF = re.compile(
    rf"\b({'|'.join(_PARTS)}) (?:as|of|the|that|what|its)\b"
    rf"|\b(?:than|over|under|nearly|almost|about) ({'|'.join(_PARTS)})\b(?! an? )"
    r"|\bmost of (?:them|the|these|those)\b"
)
_BY_PART = re.compile(rf"\bby (?:\w+ ){{0,3}}({'|'.join(_PARTS)})\b")
_AHEAD = "more fewer less higher lower ahead behind above below"
_MORE = re.compile(rf"(?: [^\W\d_]+){{0,2}} (?:{'|'.join(_AHEAD.split())})\b")
_WORDS = re.compile(rf"\b(?:{DIGITS} )?(?:{NUMBER_WORD})(?:[ -](?:and )?(?:{NUMBER_WORD}))*\b")
_DAY = rf" (?:{'|'.join(month_name[1:])})\b"
_NUMBER = re.compile(rf"(?<![\w.,:/-]){DIGITS}(?![\w:/-]|[.,]\d|{_DAY})")
_BOUNDS = "than over above under below least most exceeds exceeded exceed beyond reached exactly"
_BOUND = re.compile(rf"\b(?i:{'|'.join(_BOUNDS.split())}) ?(?:\W|[A-Z]{{1,3}} )?$")
"""Stands before an amount that is not rounded."""
_CHANGES = "by within rose fell grew gained lost dropped up down"
_BY = re.compile(
    rf"\b(?:{'|'.join(_CHANGES.split())}) (?:\w+ ){{0,3}}(?<!\bto )(?<!\bat )(?<!\bfrom )$"
)
MOVES = (
    r"\b(?:(?:rose|ris(?:es?|en|ing)|f[ae]ll(?:s|en|ing)?|gr[eo]wn?|growing|shrank|cut|down)\b"
    r"|climb|drop|declin|decreas|increas|reduc)[^;:]{0,60}? "
)
_REACHED = re.compile(rf"{MOVES}(?:to|at|from) (?:\W|[A-Z]{{1,3}} )?$")
_RISES = frozenset(["rose", "rise", "risen", "grew", "grown", "climb", "increas", "gain", "up"])
_FALLS = frozenset(["fell", "fall", "fallen", "drop", "declin", "decreas", "cut", "reduc", "down"])
"""Stems."""
_SCALE = 50
"""An amount so many times another is counted in thousands or millions of it."""
_PER_CENT = re.compile(r" ?(?:%|per ?cent\b)")


class CellFigure(NamedTuple):
    unit: tuple[str, str]
    """What is written before and after it."""
    number: Fraction


class AmountKind(Enum):
    FIGURE = auto()
    GAP = auto()
    """Between two figures."""
    SHARE = auto()
    """A gap as a share of the second figure."""
    TIMES = auto()
    """The first figure as a multiple of the second."""
    SEVERAL = auto()
    """More than one number: none is measured by."""


class Amount(NamedTuple):
    kind: AmountKind
    value: Fraction
    text: str
    near: Fraction = Fraction(0)
    """What is less far from it is about the same: it may be rounded."""
    unit: str = ""
    """of time, its stem"""

    @property
    def is_part(self) -> bool:
        """Part of a whole, such as half."""
        return self.kind is AmountKind.TIMES and self.value < 1


@lru_cache(2**14)
def figure_in(cell: str) -> CellFigure | None:
    """None also for days, numbers of things, and 1.234, which may be 1,234.

    >>> figure_in("£4,350.50"), figure_in("5300 t").number, figure_in("-3%").number
    (CellFigure(unit=('£', ''), number=Fraction(8701, 2)), Fraction(5300, 1), Fraction(-3, 1))
    >>> [figure_in(cell) for cell in ("9 to 5", "9:15", "4 May", "1.234", "BW-73", "0073")]
    [None, None, None, None, None, None]
    """
    found = _FIGURE.fullmatch(in_one_notation(cell.strip()))
    if not found or _AMBIGUOUS.fullmatch(found[2]) or found[3].strip()[:3] in _MONTHS:
        return None
    number = found[2].replace(",", "").replace("\u2212", "-")
    return CellFigure((found[1].strip(), found[3].strip()), Fraction(number))


def amount_of(claim: str, names: Collection[str]) -> Amount | None:
    """Numbers of names, days and years are no amounts, nor is what something rose or fell to.

    >>> amount_of("Fen had more than double the points of Ash.", ())[:3]
    (<AmountKind.TIMES: 4>, Fraction(2, 1), 'twice')
    >>> amount_of("In 2024 sales fell by more than a third.", ())[:3]
    (<AmountKind.SHARE: 3>, Fraction(1, 3), 'a third')
    >>> amount_of("Some twenty-five thousand came.", ())[1:4]
    (Fraction(25000, 1), '25,000', Fraction(1000, 1))
    """
    if part := _BY_PART.search(claim.lower()):
        return Amount(AmountKind.SHARE, _PARTS[part[1]], part[1])
    if part := _PART_OF.search(claim.lower()):
        said = part[1] or part[2] or "half"
        return Amount(AmountKind.TIMES, _PARTS[said], said)
    claim = in_one_notation(_WORDS.sub(_in_digits, claim))
    if times := _AS_MUCH.search(claim.lower()):
        fold = Fraction(times[1] or _TIMES[times[0]])
        words = {Fraction(1, 2): "half", Fraction(2): "twice"}.get(fold, f"{fold} times")
        return Amount(AmountKind.TIMES, fold, words)
    known = {word for name in names for word in _NUMBER.findall(in_one_notation(name))}
    given = [one for one in _NUMBER.finditer(claim) if one[0] not in known]
    given = [one for one in given if not (one[0].isdecimal() and are_years([Fraction(one[0])]))]
    if len(given) != 1:
        return Amount(AmountKind.SEVERAL, Fraction(0), "") if given else None
    before, number, after = claim[: given[0].start()], given[0][0], claim[given[0].end() :]
    if _REACHED.search(before):
        return None
    value, step = Fraction(number.replace(",", "")), _step(number)
    near = Fraction(0) if _BOUND.search(before) else step
    kind = AmountKind.GAP if _BY.search(before) or _MORE.match(after) else AmountKind.FIGURE
    if not _PER_CENT.match(after):
        unit = next(iter(search_words(after.strip().partition(" ")[0])), "")
        return Amount(kind, value, number, near, unit if unit in TIME_UNITS else "")
    if kind is AmountKind.FIGURE:
        return Amount(kind, value, f"{number} %", near)
    return Amount(AmountKind.SHARE, value / 100, f"{number} %", near / 100)


def told(own: CellFigure, other: CellFigure, who: str, amount: Amount | None) -> str:
    """Compares with the figure of `who`, measured by an amount; "" if units differ, or the amount
    must have another scale.

    >>> nine, four = figure_in("9"), figure_in("4")
    >>> told(nine, four, "Ash", None)
    'more than Ash'
    >>> told(nine, four, "Ash", amount_of("Fen had twice the points of Ash.", ()))
    'more than twice that of Ash'
    """
    if own.unit != other.unit:
        return ""
    a, b = own.number, other.number
    if amount and amount.kind is AmountKind.TIMES:
        return f"{_measured(a, amount.value * b)} {amount.text} that of {who}"
    by = ""
    if amount and a != b and amount.kind in (AmountKind.GAP, AmountKind.SHARE):
        share = amount.kind is AmountKind.SHARE
        if not share and amount.value > _SCALE * max(abs(a), abs(b)):
            return ""
        gap = abs(a - b) / (abs(b) or 1 if share else 1)
        by = f"by {_measured(gap, amount.value, amount.near)} {amount.text} "
    return f"{by}{'the same as' if a == b else _measured(a, b)} {who}"


def since(own: CellFigure, other: CellFigure, value: str, then: str) -> str:
    """How a figure changed; "" if it did not, or units differ."""
    if own.unit != other.unit or own.number == other.number:
        return ""
    return f"{'up' if own.number > other.number else 'down'} from {value} {then}"


def is_turned(said: Collection[str], forms: Iterable[str]) -> bool:
    """Whether a figure rose that a claim of such words says fell, or the reverse."""
    rises, falls = (not words.isdisjoint(said) for words in (_RISES, _FALLS))
    way = "(up from" if falls else "(down from"
    return rises is not falls and any(way in form for form in forms)


def share_of(own: CellFigure, whole: CellFigure, amount: Amount, what: str = "the total") -> str:
    """A part measured by the share of the whole that an amount states; "" if it states none, or the
    figures are shares. Without the whole's figure, which would be misread.

    >>> share_of(figure_in("549"), figure_in("2108"), amount_of("A quarter of the nights.", ()))
    '(more than a quarter of the total)'
    >>> share_of(figure_in("5"), figure_in("9"), amount_of("Over 60 % of them.", ()), "Ships")
    '(less than 60 % of Ships)'
    """
    percent = amount.kind is AmountKind.FIGURE and amount.text.endswith("%")
    if not (percent or amount.is_part):
        return ""
    if (
        own.unit != whole.unit
        or "%" in "".join(own.unit)
        or not 0 <= own.number <= whole.number > 0
    ):
        return ""
    scale = 100 if percent else 1
    measured = _measured(scale * own.number / whole.number, amount.value, amount.near)
    return f"({measured} {amount.text} of {what})"


def are_years(numbers: Iterable[Fraction], first: int = 1500) -> bool:
    return all(number in range(first, 2101) for number in numbers)


def _measured(own: Fraction, other: Fraction, near: Fraction = Fraction(0)) -> str:
    if own == other:
        return "exactly"
    if abs(own - other) < near:
        return "about"
    return "more than" if own > other else "less than"


def _in_digits(words: re.Match[str]) -> str:
    """
    >>> _WORDS.sub(_in_digits, "1.5 million of them, two dozen, one of two hundred and ten")
    '1500000 of them, 24, one of 210'
    """
    numbers = search_words(words[0])
    return numbers[0] if len(numbers) == 1 and words[0] != "one" else words[0]


def _step(figure: str) -> Fraction:
    """What its last digit before noughts counts.

    >>> _step("25,000"), _step("1.5")
    (Fraction(1000, 1), Fraction(1, 10))
    """
    digits = figure.replace(",", "")
    _, _, decimals = digits.partition(".")
    noughts = 0 if decimals else len(digits) - len(digits.rstrip("0"))
    return Fraction(10) ** (noughts - len(decimals))
