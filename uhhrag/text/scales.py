"""Units that count in thousands or millions: "£000", "€ million", "in thousands of pounds"."""

import re
from fractions import Fraction

from uhhrag.text.numerals import DIGITS

THOUSANDS = r"['’]?000(?:['’]?s)?"
_OF = r"(pound|euro|dollar)s"
_UNIT = re.compile(
    rf"(?<!per )(?<!\w)([£$€]) ?(?:in )?({THOUSANDS}|thousands?|k|m(?:n|illions?)?|bn|billions?)"
    rf"(?![\w'’])|(?:\b(?:{_OF} )?in |(?<=\())({THOUSANDS}|thousands|millions|billions)"
    rf"(?: of {_OF})?(?=\W*$|[),;:.]| except\b)(?!,? (?:except|unless) (?:as|where|otherwise)\b)",
    re.IGNORECASE,
)
_CELL = re.compile(rf" \(([^()]{{1,40}})\): ([-+−(]?)({DIGITS})(?![\w%:/–-]|[.,]\d| ?%)")
_SIGNS = {"pound": "£", "euro": "€", "dollar": "$"}
_SIZES = {"0": 10**3, "t": 10**3, "k": 10**3, "m": 10**6, "b": 10**9}


def unit_in(titles: str) -> str:
    """The last unit as it is written; "" without one, or if some columns have another.

    >>> unit_in("Budget by service (£000)"), unit_in("Sales, in thousands"), unit_in("A £3m gift")
    ('£000', 'in thousands', '')
    >>> unit_in("Amounts in thousands, except per share"), unit_in("In thousands, except as noted")
    ('in thousands', '')
    """
    return next((one[0] for one in reversed([*_UNIT.finditer(titles)])), "")


def in_full(row: str) -> str:
    """Figures of columns with such a unit as the verifier reads them.

    >>> in_full("Club: Fen; Income (£m): 1.3; Fans (in thousands): 41; T (£m): 4%")
    'Club: Fen; Income: £1,300,000; Fans: 41,000; T (£m): 4%'
    """
    return _CELL.sub(_written_out, row)


def _written_out(cell: re.Match[str]) -> str:
    unit = _UNIT.match(f"({cell[1]})", 1)
    if unit is None or unit.end() <= len(cell[1]):
        return cell[0]
    sign = unit[1] or _SIGNS.get((unit[3] or unit[5] or "").lower(), "")
    size = _SIZES[(unit[2] or unit[4]).lstrip("'’")[0].lower()]
    return f": {cell[2]}{sign}{float(Fraction(cell[3].replace(',', '')) * size):,.15g}"
