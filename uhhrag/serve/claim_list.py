from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from uhhrag.rules.label_words import KINDS
from uhhrag.serve.check_table import view_of
from uhhrag.serve.database import Database
from uhhrag.views.claim_row import ClaimRow, RowList, row_of
from uhhrag.views.counted import Counted
from uhhrag.views.review import Review
from uhhrag.views.run_view import ClaimView, RunView
from uhhrag.views.searched import changes_between, state_of_files

_Files = Mapping[str, str]
"""SHA-256 by name."""
_FileStates = Mapping[str, _Files | None]
"""By target; None if it cannot be told."""
PAGE = 100
_UNKNOWN, _GONE = "documents changed since", "documents not here"
_MAX_QUERY_CHARS = 500


class RowMemory:
    """Caches rows per state of database and run. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._run: _RunRows | None = None
        self._every: tuple[int, _FileStates, RowList] | None = None

    def rows(self, database: Database, run: RunView, current: _FileStates) -> RowList:
        with self._lock:
            changes = database.changes  # first: what changes from now on makes them anew
            known = self._rows_of(run)
            if self._every is None or self._every[:2] != (changes, current):
                reviews = database.reviews()
                claims = (*reversed(database.rows()), *known.rows)
                dated = _compared(database, current)
                marked = tuple(dated(_reviewed(row, reviews)) for row in claims)
                self._every = changes, current, Counted(run.name, run.header, marked)
            return self._every[2]

    def find(self, run: RunView, key: str) -> ClaimView | None:
        with self._lock:
            return self._rows_of(run).by_key.get(key)

    def _rows_of(self, run: RunView) -> _RunRows:
        if self._run is None or self._run.run != run:
            by_key = {view.anchor: view for view in run.claims}
            self._run = _RunRows(run, tuple(map(row_of, run.claims)), by_key)
            self._every = None
        return self._run


class _RunRows(NamedTuple):
    run: RunView
    rows: tuple[ClaimRow, ...]
    by_key: Mapping[str, ClaimView]


def _reviewed(row: ClaimRow, reviews: Mapping[str, Review]) -> ClaimRow:
    review = row.of(reviews)
    if review is None or review.withdrawn:
        return row
    return replace(row, review=replace(review, stale=review.seen != row.seen))


def _compared(database: Database, current: _FileStates) -> Callable[[ClaimRow], ClaimRow]:
    """Compares files searched with the current ones."""
    states = {key: state_of_files(now) for key, now in current.items() if now}
    read: dict[str, _Files] = {}

    def files_of(row: ClaimRow) -> _Files:
        """Read once per state; empty if damaged."""
        if row.files not in read:
            check = database.check(row.key)
            searched = view_of(check).searched if check else None
            read[row.files] = searched.files if searched else {}
        return read[row.files]

    def dated(row: ClaimRow) -> ClaimRow:
        now = current.get(row.target, {})
        if now is None or not row.files or row.pending:
            return row
        if not now or states[row.target] == row.files:
            return row if now else replace(row, gone=True, since=_GONE)
        before = files_of(row)
        changes = changes_between(before, now)
        since = changes.touching(row.cited, before, row.sided) if before and changes else _UNKNOWN
        return replace(row, since=since)

    return dated


_Order = Callable[[Sequence[ClaimRow]], list[ClaimRow]]
ORDERS: Mapping[str, tuple[str, _Order]] = {
    "id": ("latest first", list),
    "unsure": ("least sure first", lambda rows: sorted(rows, key=_sure)),
    "sure": ("most sure first", lambda rows: sorted(rows, key=_sure, reverse=True)),
}


def _sure(row: ClaimRow) -> tuple[int, float]:
    return _CLASSES.index(row.status), -1.0 if row.confidence is None else row.confidence


_CLASSES = ("waiting", "failed", "unclear", "clear")


@dataclass(frozen=True, slots=True)
class ListQuery:
    find: str = ""
    kinds: frozenset[str] | None = None
    """None for all."""
    unreviewed: bool = False
    order: str = "id"
    """A key of `ORDERS`."""
    page: int = 1
    changed: bool = False
    """Only verdicts that are not those of the check before."""

    def address(self, page: int) -> str:
        given: list[tuple[str, str]] = [("find", self.find)] if self.find else []
        if self.kinds is not None:
            given += [("kinds", "some"), *(("kind", kind) for kind in sorted(self.kinds))]
        only = {"unreviewed": self.unreviewed, "changed": self.changed}
        given += [(name, "on") for name, wanted in only.items() if wanted]
        given += [("order", self.order)] if self.order != "id" else []
        given += [("page", str(page))] if page > 1 else []
        return f"/?{urlencode(given)}#claims" if given else "/#claims"


def query_in(params: QueryParams) -> ListQuery:
    """Wrong values give defaults; `kinds=some` tells an empty choice from none."""
    page, order = params.get("page", ""), params.get("order", "")
    return ListQuery(
        find=params.get("find", "").strip()[:_MAX_QUERY_CHARS],
        kinds=frozenset(params.getlist("kind")) if params.get("kinds") == "some" else None,
        unreviewed=params.get("unreviewed") == "on",
        order=order if order in ORDERS else "id",
        page=max(1, int(page)) if page.isascii() and page.isdigit() and len(page) < 8 else 1,
        changed=params.get("changed") == "on",
    )


@dataclass(frozen=True, slots=True)
class Listed:
    rows: Sequence[ClaimRow]
    shown: int
    """Rows on all pages."""
    total: int
    """Claims without the filter."""
    page: int
    pages: int
    query: ListQuery


def listed(every: Sequence[ClaimRow], query: ListQuery) -> Listed:
    """The page asked for, or the last."""
    words = query.find.lower().split()
    rows = [row for row in every if _wanted(row, query, words)]
    rows = ORDERS[query.order][1](rows)
    pages = max(1, -(-len(rows) // PAGE))
    page = min(query.page, pages)
    cut = rows[(page - 1) * PAGE : page * PAGE]
    return Listed(cut, len(rows), len(every), page, pages, query)


def _wanted(row: ClaimRow, query: ListQuery, words: Sequence[str]) -> bool:
    if query.unreviewed and (row.reviewed or row.machine_label is None):
        return False
    if query.changed and not row.was:
        return False
    kind = KINDS[row.label] if row.label else "failed"
    if query.kinds is not None and kind not in query.kinds:
        return False
    return all(word in row.claim.text.lower() for word in words)


def beside(order: Sequence[ClaimRow], key: str) -> tuple[str, str]:
    """Keys of the claims before and after, or ""."""
    keys = ["", *(row.anchor for row in order), ""]
    at = keys.index(key) if key in keys else 0
    return (keys[at - 1], keys[at + 1]) if at else ("", "")
