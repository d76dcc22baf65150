"""A row of a table whose columns are times."""

from __future__ import annotations

from uhhrag.evidence.comparisons import ClaimedRows, claimed
from uhhrag.evidence.row_times import time_of
from uhhrag.evidence.rows import Row
from uhhrag.text.figures import figure_in

_MIN_TIMES = 3
"""Times; two are compared as columns."""


def over_time(row: Row, claim: str) -> ClaimedRows | None:
    """A row with figures in columns of three times or more, as a table with a row for each.

    >>> row = {"Catch": "Cod (t)", "2021": "90", "2022": "40", "2023": "70"}
    >>> table = over_time(row, "The cod catch was lowest in 2022.")
    >>> [table.cells(line)[0].forms for line in table.named] if table else []
    [('Period: 2022; Cod (t): 40 (the lowest of all)',)]
    >>> over_time({"Catch": "Cod", "2021 (t)": "9", "2021 (£)": "40", "2022 (t)": "8"}, "It fell.")
    """
    label, *columns = row
    times = {name: one for name in columns if figure_in(row[name]) and (one := time_of(name))}
    apart = {(one.low, one.high) for one in times.values()}
    if not _MIN_TIMES <= len(times) == len(apart) or not row[label][:1].isalpha():
        return None
    rows = ({"Period": name, row[label]: row[name]} for name in times)
    return claimed(dict(enumerate(rows)), claim)
