"""Drafts in the desk's database."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from uhhrag.documents.draft import Draft, with_checks
from uhhrag.records import Claim
from uhhrag.serve.check_table import insert_check, now, whole
from uhhrag.serve.database import Database
from uhhrag.system.checksummed_json import sealed, unsealed
from uhhrag.views.draft_file import draft_in, draft_object


@dataclass(frozen=True, slots=True)
class DeskDraft:
    number: int
    target: str
    """Key of what it is checked against."""
    draft: Draft
    asked: int
    """Number of checks."""
    settled: int
    """Number of checks with an outcome."""


@dataclass(frozen=True, slots=True)
class DraftRow:
    number: int
    title: str
    claims: int
    """Number of sentences that seem to be claims."""
    asked: int
    """Number of checks."""
    settled: int
    """Number of checks with an outcome."""


def add(database: Database, draft: Draft, target: str) -> int:
    """Store a draft; its number."""
    with database.transaction() as run:
        cursor = run(
            "INSERT INTO drafts (at, target, draft) VALUES (?, ?, ?)",
            (now(), target, sealed(json.dumps(draft_object(draft)))),
        )
        number = int(cursor.lastrowid or 0)
        _add_row(run, number, draft)
        return number


_LISTED = 50
"""Drafts named on the first page."""
_COUNTS = """
LEFT JOIN draft_checks ON draft_checks.draft = drafts.number
LEFT JOIN asked ON asked.number = draft_checks.number
LEFT JOIN outcome_rows ON outcome_rows.number = asked.number
"""
_COUNTED = "count(asked.number), count(outcome_rows.number)"


def latest(database: Database) -> list[DraftRow]:
    """The latest drafts, newest first."""
    _make_rows(database)
    with database.transaction() as run:
        rows = run(
            f"SELECT drafts.number, title, claims, {_COUNTED} FROM drafts "  # noqa: S608
            f"JOIN draft_rows ON draft_rows.number = drafts.number {_COUNTS} "
            "GROUP BY drafts.number ORDER BY drafts.number DESC LIMIT ?",
            (_LISTED,),
        ).fetchall()
    return [DraftRow(*row) for row in rows]


def _make_rows(database: Database) -> None:
    """Make the rows of drafts of an earlier version."""
    with database.transaction() as run:
        without = run(
            "SELECT number, draft FROM drafts WHERE number NOT IN (SELECT number FROM draft_rows)"
        ).fetchall()
        for number, text in without:
            _add_row(run, number, _decoded(number, text))


def _add_row(run: Any, number: int, draft: Draft) -> None:
    title = draft.title or draft.name
    run("INSERT INTO draft_rows VALUES (?, ?, ?)", (number, title, len(draft.claims)))


def find(database: Database, number: int) -> DeskDraft | None:
    """A draft with check numbers, or None."""
    with database.transaction() as run:
        row = run(
            f"SELECT target, drafts.draft, {_COUNTED} FROM drafts {_COUNTS} "  # noqa: S608
            "WHERE drafts.number = ? GROUP BY drafts.number",
            (number,),
        ).fetchone()
        checks = run(
            "SELECT position, number FROM draft_checks JOIN asked USING (number) WHERE draft = ?",
            (number,),
        ).fetchall()
    if row is None:
        return None
    target, text, asked, settled = row
    draft = _decoded(number, text)
    last = len(draft.sentences)
    checks = {at: check for at, check in checks if 0 <= at < last}  # the file may be damaged
    return DeskDraft(number, target, with_checks(draft, checks), asked, settled)


def _decoded(number: int, text: str) -> Draft:
    with whole():
        return draft_in(json.loads(unsealed(text)), f"draft {number}")


def ask(
    database: Database,
    desk_draft: DeskDraft,
    positions: Sequence[int],
    said: Mapping[int, str] = MappingProxyType({}),
) -> None:
    """Queue the sentences at these positions, reworded as in `said`, but for those that wait or
    have a verdict."""
    with database.transaction() as run:
        rows = run(
            "SELECT position FROM draft_checks JOIN asked USING (number) "
            "LEFT JOIN outcome_rows USING (number) WHERE draft = ? AND "
            "(row IS NULL OR json_extract(row, '$.machine_label') IS NOT NULL)",
            (desk_draft.number,),
        )
        done = {position for (position,) in rows.fetchall()}
        for position in (one for one in positions if one not in done):
            one = desk_draft.draft.sentences[position]
            claim = Claim(0, said.get(position, one.text), one.date, one.speaker)
            number = insert_check(run, claim, desk_draft.target)
            run(
                "INSERT OR REPLACE INTO draft_checks VALUES (?, ?, ?)",
                (desk_draft.number, position, number),
            )


def unfinished(database: Database, number: int) -> list[int]:
    """Numbers of a draft's checks without an outcome."""
    with database.transaction() as run:
        rows = run(
            "SELECT number FROM draft_checks JOIN asked USING (number) "
            "LEFT JOIN outcome_rows USING (number) WHERE draft = ? AND row IS NULL",
            (number,),
        ).fetchall()
    return [check for (check,) in rows]


def counts(database: Database, number: int) -> tuple[int, int]:
    """How many checks a draft has, and how many are settled."""
    with database.transaction() as run:
        row = run(
            "SELECT count(asked.number), count(outcome_rows.number) FROM draft_checks "
            "JOIN asked USING (number) LEFT JOIN outcome_rows USING (number) WHERE draft = ?",
            (number,),
        ).fetchone()
    return int(row[0]), int(row[1])


def remove(database: Database, number: int) -> None:
    """Delete a draft; its checked claims stay."""
    with database.transaction() as run:
        run("DELETE FROM draft_checks WHERE draft = ?", (number,))
        run("DELETE FROM draft_rows WHERE number = ?", (number,))
        run("DELETE FROM drafts WHERE number = ?", (number,))


def holding(database: Database, check: int) -> int | None:
    """The number of a check's draft, or None."""
    with database.transaction() as run:
        row = run("SELECT draft FROM draft_checks WHERE number = ?", (check,)).fetchone()
    return int(row[0]) if row else None
