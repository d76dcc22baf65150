from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from uhhrag.archive.file_table import live, rows_of
from uhhrag.archive.snapshot import Snapshot
from uhhrag.archive.text_index import TextFilter
from uhhrag.records import Claim
from uhhrag.store.filters import Limits, below, kept_by, last_day, matches

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    text: TextFilter
    staying: Mask | None
    """Mask over documents; None for all."""
    removed: Mapping[str, int]
    """Limit → number of passages that it removes."""
    kept: Mapping[str, int] = field(default_factory=dict)
    """As in `EvidenceSource`."""


NO_FILTER = DocumentFilter(TextFilter(), None, {})


class ArchiveLimits:
    """`files`: as in `rows_of`, None for all. Raises InputError for an unknown one."""

    def __init__(
        self, snapshot: Snapshot, limits: Limits, files: Sequence[str] | None = None
    ) -> None:
        self._snapshot, self._limits = snapshot, limits
        self._hosts = frozenset(entry for entry in limits.sites if "*" not in entry)
        patterns = tuple(entry for entry in limits.sites if "*" in entry)
        self._by_site = np.zeros(len(snapshot.day), bool)
        self._without: tuple[int, ...] = ()
        if self._hosts:
            self._by_site = _of_distinct(
                snapshot.by_document("host"), lambda host: below(host, self._hosts)
            )
        if patterns:
            urls = snapshot.by_document("url")
            matching = _of_distinct(urls, lambda url: matches(url, patterns))
            self._without = tuple(np.flatnonzero(matching & ~self._by_site).tolist())
            self._by_site = self._by_site | matching
        self._files = None
        if files is not None:
            rows = (rows_of(name, snapshot.files, snapshot.folder) for name in files)
            self._files = tuple(dict.fromkeys(row.name for held in rows for row in held))

    def for_claim(self, claim: Claim) -> DocumentFilter:
        """Counts removals by site, then missing date, then date; an undated claim has no limit."""
        if not self._limits and self._files is None:
            return NO_FILTER
        last = last_day(self._limits, claim)
        number = int(last.strftime("%Y%m%d")) if last else None
        undated, file_dates = self._limits.undated, self._limits.file_dates
        day = np.abs(self._snapshot.day) if file_dates else np.maximum(self._snapshot.day, 0)
        by_date = {"undated": (day == 0) & (not undated)}
        by_date["date"] = day > number if number else np.zeros(len(day), bool)
        removed = {"site": self._by_site} | {n: m & ~self._by_site for n, m in by_date.items()}
        staying = ~np.logical_or.reduce(list(removed.values()))
        if self._files is not None:
            table = self._snapshot.table
            named = pc.is_in(table["name"], pa.array(self._files, pa.string()))
            staying &= live(table.filter(named), len(day))
        hosts = tuple(sorted(self._hosts))
        text = TextFilter(number, undated, file_dates, hosts, self._without, self._files)
        passages = ((name, self._passages_of(mask)) for name, mask in removed.items())
        kept = kept_by(self._passages_of((day == 0) & staying & (number is not None)))
        return DocumentFilter(text, staying, {n: count for n, count in passages if count}, kept)

    def _passages_of(self, documents: Mask) -> int:
        gone = documents & self._snapshot.live
        return int(gone[self._snapshot.document].sum()) if gone.any() else 0


def _of_distinct(column: pa.ChunkedArray, holds: Callable[[str], bool]) -> Mask:
    distinct = pc.unique(column)
    answers = np.array([holds(value) for value in distinct.to_pylist()], bool)
    chosen: Mask = answers[pc.index_in(column, value_set=distinct).to_numpy()]
    return chosen
