from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from uhhrag.documents.draft import Draft, with_checks
from uhhrag.records import Claim
from uhhrag.serve.check_table import insert_check, now
from uhhrag.serve.database import Database
from uhhrag.serve.sealing import delete, insert, select, whole
from uhhrag.system.decode import shaped


@dataclass(frozen=True, slots=True)
class DeskDraft:
    number: int
    target: str
    draft: Draft
    asked: int
    settled: int
    """Checks with an outcome."""


@dataclass(frozen=True, slots=True)
class DraftRow:
    number: int
    title: str
    claims: int
    """Sentences that seem to be claims."""
    asked: int
    settled: int


def add(database: Database, draft: Draft, target: str) -> int:
    with database.transaction() as run:
        number = insert(run, "drafts", now(), target, json.dumps(asdict(draft)))
        _add_row(run, number, draft)
        return number


_COUNTS = """
SELECT draft, count(asked.number), sum(asked.number IN (SELECT number FROM outcomes))
FROM draft_checks JOIN asked USING (number) GROUP BY draft
"""


def latest(database: Database) -> list[DraftRow]:
    """Newest first."""
    with database.transaction() as run:
        without = "WHERE number NOT IN (SELECT number FROM draft_rows)"
        for number, _, _, text in select(run, "drafts", without):
            _add_row(run, number, _decoded(number, text))
        kept = select(run, "draft_rows", "ORDER BY number DESC")
        counted = {draft: counts for draft, *counts in run(_COUNTS)}
    return [
        DraftRow(number, title, claims, *counted.get(number, (0, 0)))
        for number, _, title, claims in kept
    ]


def titles(database: Database) -> dict[str, str]:
    """Of the checks' drafts, by check's key."""
    known = {row.number: row.title for row in latest(database)}
    with database.transaction() as run:
        links = select(run, "draft_checks")
    return {f"check-{check}": known[draft] for _, draft, _, check in links if draft in known}


def _add_row(run: Any, number: int, draft: Draft) -> None:
    insert(run, "draft_rows", number, draft.title or draft.name, len(draft.claims))


def find(database: Database, number: int) -> DeskDraft | None:
    with database.transaction() as run:
        kept = select(run, "drafts", "WHERE number = ?", number)
        there = "WHERE draft = ? AND number IN (SELECT number FROM asked)"
        links = select(run, "draft_checks", there, number)
    if not kept:
        return None
    ((_, _, target, text),) = kept
    draft = _decoded(number, text)
    checks = {at: check for _, _, at, check in links}
    return DeskDraft(number, target, with_checks(draft, checks), *counts(database, number))


def keys_of(draft: Draft) -> list[str]:
    return [f"check-{one.check}" for one in draft.sentences if one.check is not None]


def _decoded(number: int, text: str) -> Draft:
    with whole():
        return shaped(Draft, json.loads(text), f"draft {number}")


def ask(
    database: Database, desk_draft: DeskDraft, positions: Sequence[int], said: Mapping[int, str]
) -> None:
    """Queue sentences by position, reworded by `said`, unless they wait or have a verdict."""
    with database.transaction() as run:
        rows = run(
            "SELECT position FROM draft_checks JOIN asked USING (number) "
            "LEFT JOIN outcome_rows USING (number) WHERE draft = ? AND "
            "(number NOT IN (SELECT number FROM outcomes) "
            "OR json_extract(row, '$.machine_label') IS NOT NULL)",
            (desk_draft.number,),
        )
        done = {position for (position,) in rows.fetchall()}
        for position in (one for one in positions if one not in done):
            one = desk_draft.draft.sentences[position]
            claim = Claim(0, said.get(position, one.claim), one.date, one.speaker)
            number = insert_check(run, claim, desk_draft.target)
            insert(run, "draft_checks", desk_draft.number, position, number)


def unfinished(database: Database, number: int) -> list[int]:
    return database.numbers(
        "SELECT number FROM draft_checks JOIN asked USING (number) "
        "WHERE draft = ? AND number NOT IN (SELECT number FROM outcomes)",
        number,
    )


def counts(database: Database, number: int) -> tuple[int, int]:
    with database.transaction() as run:
        found = run(f"{_COUNTS} HAVING draft = ?", (number,)).fetchone()
    return (int(found[1]), int(found[2])) if found else (0, 0)


def of_target(database: Database, target: str) -> list[int]:
    return database.numbers("SELECT number FROM drafts WHERE target = ?", target)


def remove(database: Database, *numbers: int) -> None:
    """Their checked claims stay."""
    with database.transaction() as run:
        for number in numbers:
            delete(run, "draft_checks", draft=number)
            delete(run, "draft_rows", "drafts", number=number)


def given_id(database: Database, check: int) -> str:
    """The check's name in its list, or ""."""
    number = holding(database, check)
    there = find(database, number) if number else None
    sentences = there.draft.sentences if there else ()
    return next((one.given_id for one in sentences if one.check == check), "")


def holding(database: Database, check: int) -> int | None:
    with database.transaction() as run:
        links = select(run, "draft_checks", "WHERE number = ?", check)
    return int(links[0][1]) if links else None
