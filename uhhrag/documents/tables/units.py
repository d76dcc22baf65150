"""Names of columns with the unit that a table's title gives: "Budget by service (£000)"."""

import re
from collections.abc import Sequence
from itertools import chain

from uhhrag.documents.tables.values import DIGIT, Row, is_figure
from uhhrag.text.scales import unit_in

_SIGN = re.compile(r"[£$€]|(?i:dollar|pound|euro)s")
_OTHER = re.compile(
    r"[%‰£$€]|^no\.?$|\((?:no\.?|number|[a-z]{1,2}[²³2]?|days|hours|tonnes)\)$|\b(?:per|percentage"
    r"|shares?|rates?|ratios?|index|average|mean|growth|ranks?|ages?|years?|pages?|notes?|codes?|id"
    r"|fte|wte|headcount|number of|no\.? of)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\b(?:number|count|staff|posts|employees|people|persons|members|pupils|students|patients|beds"
    r"|visit(?:or)?s|admissions|homes|households|cases|items|players|games|goals|points|seats|votes"
    r"|appointments|days|hours|weeks|passengers|meals|trips|customers|volunteers|residents)\b"
    r"(?!.*\b(?:costs?|spen[dt]|budget|income|pay|fees?|grants?)\b)",
    re.IGNORECASE,
)


def has_own(label: str) -> bool:
    """Whether the name of a column or row tells of another unit."""
    return bool(_OTHER.search(label) or unit_in(label))


def with_unit(names: Row, rows: Sequence[Row], unit: str) -> Row:
    """Names of columns that hold plain figures in rows below with it, but none of counts or shares.

    >>> rows = [{0: "Parks", 1: "880", 2: "14", 3: "£3"}]
    >>> with_unit({0: "Service", 1: "2024", 2: "Staff", 3: "Fee"}, rows, "£000")
    {0: 'Service', 1: '2024 (£000)', 2: 'Staff', 3: 'Fee'}
    """
    found, first = {**names}, min(chain(names, *rows), default=0)
    for at, name in names.items() if unit else ():
        values = [text for row in rows if DIGIT.search(text := row.get(at, ""))]
        plain = sum(is_figure(one) and "%" not in one for one in values)
        signed = any(map(_SIGN.search, values))
        other = has_own(name) or (_SIGN.search(unit) and _COUNTED.search(name))
        if at != first and 2 * plain > len(values) and not (signed or other):
            found[at] = f"{name} ({unit})"
    return found
