"""Quarters and financial years that a text names, beside its days, months and years."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date
from functools import lru_cache

from uhhrag.text.numerals import ORDINAL_WORDS
from uhhrag.text.quantities import Quantity, QuantityKind, of_days, quantities

_DAYS = (QuantityKind.DAY, QuantityKind.DAY_OF_YEAR)
_YEAR = r"(?:19|20)\d\d"
_NTH = "|".join([*list(ORDINAL_WORDS)[:4], "1st", "2nd", "3rd", "4th", "last", "final"])
_PERIOD = re.compile(
    rf"\b(?:Q(?P<q>[1-4])(?:,? (?:of )?|[-/])(?P<qy>{_YEAR})"
    rf"|(?P<yq>{_YEAR})[ /-]{{0,2}}Q(?P<yn>[1-4])"
    rf"|(?P<nth>{_NTH}) quarter(?:,? (?:of |in )?(?P<ny>{_YEAR}))"
    rf"|(?:(?:the )?(?:FY|(?:financial|fiscal) year) ?)?(?P<from>{_YEAR})[/–-](?P<to>(?:\d\d)?\d\d)"
    rf"|(?:FY|(?:financial|fiscal) year) ?(?P<fy>{_YEAR})"
    rf"|year (?:to|ending|ended)(?: in)?(?: \d{{1,2}})? March (?P<my>{_YEAR}))(?![\w/-])",
    re.IGNORECASE,
)
_LAST = 4


@lru_cache(2**12)
def days_in(text: str) -> tuple[Quantity, ...]:
    """In order. A financial year ends in March of its last year.

    >>> [(date.fromordinal(int(one.low)).isoformat(), one.text) for one in days_in(
    ...     "In the first quarter of 2023, in Q2 2023, in 2022/23 and in May 2024")]
    [('2023-01-01', 'first quarter of 2023'), ('2023-04-01', 'Q2 2023'), \
('2022-04-01', '2022/23'), ('2024-05-01', 'in May 2024')]
    >>> [int(one.high - one.low) for one in days_in("FY 2023; the year to March 2023; 2019-05")]
    [364, 364]
    """
    found = [*_periods(text)]
    days = [one for one in quantities(text) if one.kind in _DAYS]
    days = [d for d in days if not any(d.start < p.end and p.start < d.end for p in found)]
    return tuple(sorted((*found, *days), key=lambda one: one.start))


def _periods(text: str) -> Iterator[Quantity]:
    for match in _PERIOD.finditer(text):
        if year := match["qy"] or match["yq"] or match["ny"]:
            nth = (match["q"] or match["yn"] or match["nth"]).lower()
            quarter = ORDINAL_WORDS.get(nth) or (int(nth[0]) if nth[0].isdecimal() else _LAST)
            first, last = (int(year), 3 * quarter - 2), (int(year), 3 * quarter)
        else:
            ends = match["fy"] or match["my"] or match["to"]
            year = match["from"] or str(int(ends) - 1)
            if (int(year) + 1) % 100 != int(ends) % 100:
                continue  # 2019-05
            first, last = (int(year), 4), (int(year) + 1, 3)
        last_day = date(*last, monthrange(*last)[1])
        yield of_days(date(*first, 1), last_day, *match.span(), match[0])
