from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any

from uhhrag.records import Claim
from uhhrag.serve.sealing import change, checked, delete, insert, select
from uhhrag.system.checksummed_json import digest
from uhhrag.system.decode import json_object, shaped
from uhhrag.views.claim_row import ROW_FORMAT, row_of
from uhhrag.views.run_view import ClaimView, claim_view
from uhhrag.views.searched import Searched

_KEY = re.compile(r"check-([1-9][0-9]{0,17})")
_DAMAGED = "what was kept of this check is damaged; check it again"
_LOST = "What was kept of this claim is damaged; remove it from the desk, then ask it again"
_ASKED = "SELECT number, asked.seal, asked.at, ground, claim, date, speaker"
SELECT_ASKED = (
    f"{_ASKED}, outcomes.seal, outcomes.at, record FROM asked LEFT JOIN outcomes USING (number)"
)
WAITING = (
    f"{_ASKED}, NULL, NULL, NULL FROM asked "  # noqa: S608 - names of our own
    "WHERE number NOT IN (SELECT number FROM outcomes) ORDER BY number LIMIT ?"
)
EARLIER = "FROM earlier_outcomes WHERE number = ? ORDER BY place DESC"
_WITHOUT_ROW = (
    "SELECT number FROM asked WHERE number NOT IN (SELECT number FROM outcome_rows) AND "
    "(number IN (SELECT number FROM outcomes) OR number IN (SELECT number FROM earlier_outcomes))"
)
_BATCH = 100


@dataclass(frozen=True, slots=True)
class DeskCheck:
    number: int
    at: str
    """When asked: ISO, UTC."""
    target: str
    """A key of the targets."""
    claim: Claim
    record: Mapping[str, Any] | None = None
    """None while it waits."""
    fault: str = ""
    """Why it cannot be checked, or ""."""
    settled: str = ""
    """When it was decided, as `at`; "" while it waits."""


def view_of(check: DeskCheck) -> ClaimView:
    """Without a verdict if the record is damaged."""
    key = f"check-{check.number}"
    if check.fault:
        return ClaimView(check.claim, None, check.fault, key=key)
    try:
        record = dict(check.record or {})
        seconds = shaped(dict[str, float], record.get("seconds", {}))
        view = claim_view(record, seconds)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return ClaimView(check.claim, None, _DAMAGED, key=key, target=check.target)
    return replace(view, key=key, target=check.target, searched=_searched(check.record or {}))


def _searched(record: Mapping[str, Any]) -> Searched | None:
    try:
        return shaped(Searched, record["searched"])
    except (KeyError, TypeError, ValueError):
        return None


def check_of(number: int, seal: str, *row: Any) -> DeskCheck:
    *asked, outcome_seal, settled, record = row
    at, target, *claim = asked
    kept = None if record is None else decoded(number, outcome_seal, settled, record)
    if seal != digest(asked):
        return DeskCheck(number, at, "", Claim(number, _LOST), kept, _LOST)
    return DeskCheck(number, at, target, Claim(number, *claim), kept, settled=settled or "")


def number_of(key: str) -> int | None:
    """
    >>> number_of("check-3"), number_of("check-03"), number_of("claim-3")
    (3, None, None)
    """
    match = _KEY.fullmatch(key)
    return int(match[1]) if match else None


def decoded(number: int, seal: str, at: str, record: str) -> Mapping[str, Any]:
    """Empty if damaged."""
    sealed = seal == digest((number, at, record))
    return (json_object(record) if sealed else None) or {}


def latest(run: Any, check: DeskCheck) -> DeskCheck:
    """While it is checked again, with its last verdict, which the row keeps."""
    if check.record is not None:
        return check
    kept = run(f"SELECT seal, at, record {EARLIER} LIMIT 1", (check.number,)).fetchone()
    return replace(check, record=decoded(check.number, *kept)) if kept else check


def add_row(run: Any, number: int) -> None:
    asked = run(f"{SELECT_ASKED} WHERE number = ?", (number,)).fetchone()
    if asked is None or (check := latest(run, check_of(*asked))).record is None:
        return
    view = view_of(check)
    kept = run(f"SELECT seal, at, record {EARLIER}", (number,)).fetchall()
    earlier = kept if asked[-1] is not None else kept[1:]  # else the latest is `check`
    records = (decoded(number, *one) for one in earlier)
    before = (view_of(replace(check, record=record)) for record in records)
    row = replace(row_of(view), was=_was(view, before))
    insert(run, "outcome_rows", number, json.dumps(asdict(row)))


def _was(view: ClaimView, earlier: Iterable[ClaimView]) -> str:
    """The latest of `earlier` verdicts on the same words, or "" if equal."""
    same = (one for one in earlier if one.verdict and one.claim.text == view.claim.text)
    before = next(same, None)
    if before is None or before.verdict_text == view.verdict_text:
        return ""
    sure = "" if before.confidence is None else f" {before.confidence:.2f}"
    return before.verdict_text + sure


def insert_check(run: Any, claim: Claim, target: str) -> int:
    return insert(run, "asked", now(), target, claim.text, claim.date, claim.speaker)


def reword(run: Any, number: int, text: str) -> None:
    for place, *_ in select(run, "asked", "WHERE number = ?", number) if text else ():
        change(run, "asked", place, claim=text)


def make_rows(connection: sqlite3.Connection) -> None:
    """Make missing, damaged and older rows, in batches that survive interruption."""
    run = connection.execute
    made = run("SELECT value FROM kept WHERE name = 'rows'").fetchone()
    if made != (str(ROW_FORMAT),):
        with connection:
            run("DELETE FROM outcome_rows")
            run("INSERT OR REPLACE INTO kept VALUES ('rows', ?)", (str(ROW_FORMAT),))
    for table in ("outcome_rows", "draft_rows"):
        for number in [number for number, _, fault in checked(run, table) if fault]:
            delete(run, table, number=number)
    missing = run(_WITHOUT_ROW).fetchall()
    for start in range(0, len(missing), _BATCH):
        with connection:
            for (number,) in missing[start : start + _BATCH]:
                add_row(run, number)


def now() -> str:
    """ISO, UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")
