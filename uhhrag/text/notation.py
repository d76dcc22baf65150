"""One notation of whole numbers, for claim and evidence alike: 4350000, 4 350 000 and 4.350.000 are
4,350,000. The verifier takes what is written otherwise for another number."""

from __future__ import annotations

import re

_BEFORE, _AFTER = r"(?<![\w.,/:#-])", r"(?![\w/:-]|[.,]\d)"
_PLAIN = re.compile(rf"{_BEFORE}[1-9]\d{{3,11}}{_AFTER}")
_LAST_YEAR = 2100
_SPACE = r"[\u00a0\u202f\u2009'’]"
_APART = re.compile(
    rf"{_BEFORE}\d{{1,3}}(?:(?:{_SPACE}\d{{3}})+|(?: \d{{3}}){{2,}}|(?:\.\d{{3}}){{2,}})"
    rf"{_AFTER}(?!(?: |{_SPACE})\d)"
)


def in_one_notation(text: str) -> str:
    """
    >>> in_one_notation("Spent: 4350000; of 1 200 000 and 5.379.475; 5300 in 2019, 12.5 %")
    'Spent: 4,350,000; of 1,200,000 and 5,379,475; 5,300 in 2019, 12.5 %'
    >>> in_one_notation("Call 00441632960001, page 12 350, 3,141.59, A10000, 2024-10000")
    'Call 00441632960001, page 12 350, 3,141.59, A10000, 2024-10000'
    """
    text = _PLAIN.sub(_grouped, text)
    return _APART.sub(lambda found: re.sub(r"\D", ",", found[0]), text)


def _grouped(found: re.Match[str]) -> str:
    number = int(found[0])
    return f"{number:,}" if number > _LAST_YEAR else found[0]
