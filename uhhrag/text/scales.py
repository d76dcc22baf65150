"""Units that count in thousands or millions: "£000", "€ million", "in thousands of pounds"."""

import re
from fractions import Fraction

from uhhrag.text.numerals import DIGITS

THOUSANDS = r"['’]?000(?:['’]?s)?"
_WORDS = r"(?:u\.?s\.? |[a-z]{3,12} (?=franc|kro))?(pound|euro|dollar|franc|kroner|kronor)s?"
_MONEY = r"(?:u\.?s\.? ?|hk|nz|[ac])?\$|[£€]|(?:EUR|GBP|USD|CHF|NOK|SEK|DKK)(?=[\s),;:.]|$)"
_UNIT = re.compile(
    rf"(?<!per )(?<!\w)({_MONEY}) ?(?:in )?({THOUSANDS}|thousands?|k|m(?:n|illions?)?|bn|billions?)"
    rf"(?![\w'’])|(?:(\b(?:{_WORDS} )?in |(?<=\())|^|(?<=[;,] ))"
    rf"({THOUSANDS}|thousands?|millions?|billions?|mio\.?)(?: (?:of )?(?:{_WORDS}|({_MONEY})))?"
    rf"(?(3)(?=\W*$|[),;:.]| except\b)|(?=;|$))"
    rf"(?!,? (?:except|unless) (?:as|where|otherwise)\b)|(?<!\w)([ktm])({_MONEY})(?!\w)",
    re.IGNORECASE,
)
_CELL = re.compile(rf" \(([^()]{{1,40}})\): ([-+−(]?)([£$€]?) ?({DIGITS})(?![\w%:/–-]|[.,]\d| ?%)")
_SIGNS = {"pound": "£", "euro": "€", "dollar": "$", "eur": "€", "gbp": "£", "usd": "$", "us$": "$"}
_SIZES = {"0": 10**3, "t": 10**3, "k": 10**3, "m": 10**6, "b": 10**9}


def unit_in(titles: str) -> str:
    """The last unit, as written; "" without one, or if some columns have another.

    >>> unit_in("Budget by service (£000)"), unit_in("Sales, in thousands"), unit_in("A £3m gift")
    ('£000', 'in thousands', '')
    >>> unit_in("Sales, EUR million"), unit_in("In millions of U.S. dollars"), unit_in("MSEK; 2024")
    ('EUR million', 'In millions of U.S. dollars', 'MSEK')
    >>> unit_in("Amounts in thousands, except per share"), unit_in("In thousands, except as noted")
    ('in thousands', '')
    """
    return next((one[0] for one in reversed([*_UNIT.finditer(titles)])), "")


def in_full(row: str) -> str:
    """Figures of columns with such a unit as the verifier reads them.

    >>> in_full("Club: Fen; Income (£m): 1.3; Fans (in thousands): 41; T (£m): 4%")
    'Club: Fen; Income: £1,300,000; Fans: 41,000; T (£m): 4%'
    >>> in_full("2023 (EUR million): 1.5; 2024 (million CHF): 2; 2025 (US$ bn): $ 3")
    '2023: €1,500,000; 2024: CHF 2,000,000; 2025: $3,000,000,000'
    """
    return _CELL.sub(_written_out, row)


def _written_out(cell: re.Match[str]) -> str:
    unit = _UNIT.match(f"({cell[1]})", 1)
    if unit is None or unit.end() <= len(cell[1]):
        return cell[0]
    money = unit[1] or unit[4] or unit[6] or unit[7] or unit[9] or ""
    bare = money.lower().replace(".", "").replace(" ", "")
    sign = _SIGNS.get(bare, f"{money} " if len(bare) == 3 else money if len(bare) < 3 else "")
    if cell[3] not in ("", sign) and money:
        return cell[0]
    size = _SIZES[(unit[2] or unit[5] or unit[8]).lstrip("'’")[0].lower()]
    number = float(Fraction(cell[4].replace(",", "")) * size)
    return f": {cell[2]}{sign or cell[3]}{number:,.15g}"
