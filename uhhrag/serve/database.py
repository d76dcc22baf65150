"""The desk on disk: claims, outcomes, reviews.

One private SQLite file; a change is a transaction. The latest review counts. Interrupted checks
stay queued."""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from uhhrag.errors import RunError
from uhhrag.records import Claim, Label
from uhhrag.serve.check_table import (
    SELECT_ASKED,
    WAITING,
    DeskCheck,
    add_row,
    check_of,
    decoded,
    delete_outcome,
    insert_check,
    now,
    number_of,
    require_seal,
    view_of,
    whole,
)
from uhhrag.serve.desk_file import FILE as FILE
from uhhrag.serve.desk_file import make_file, prepare
from uhhrag.system import locks
from uhhrag.system.checksummed_json import digest, sealed, unsealed
from uhhrag.views.claim_row import ClaimRow, decode_row
from uhhrag.views.review import PieceSide, Review
from uhhrag.views.run_view import ClaimView

_SELECT_REVIEWS = (
    "SELECT key, seen, at, label, wrong, note, marks, reviewer, appearance, kept, seal FROM reviews"
)
_EARLIER = "FROM earlier_outcomes WHERE number = ? ORDER BY place DESC"


class Database:
    """An open desk. Thread-safe."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._lock = threading.Lock()

    def ask(self, claim: Claim, target: str) -> int:
        """Queue a claim; its number, or that of the same claim if it waits already."""
        with self.transaction() as run:
            same = run(
                "SELECT number FROM asked WHERE claim = ? AND date IS ? AND speaker IS ? "
                "AND ground = ? AND number NOT IN (SELECT number FROM outcome_rows)",
                (claim.text, claim.date, claim.speaker, target),
            ).fetchone()
            return int(same[0]) if same else insert_check(run, claim, target)

    def save_outcome(self, number: int, record: Mapping[str, Any]) -> None:
        """Record an outcome, unless the check has one or was removed."""
        text = sealed(json.dumps(record))
        with self.transaction() as run:
            run(
                "INSERT OR IGNORE INTO outcomes SELECT number, ?, ? FROM asked WHERE number = ?",
                (now(), text, number),
            )
            add_row(run, number)

    def again(self, *numbers: int) -> None:
        """Queue claims again, keeping their outcomes as earlier ones."""
        with self.transaction() as run:
            for number in numbers:
                run(
                    "INSERT INTO earlier_outcomes (number, at, record) "
                    "SELECT number, at, record FROM outcomes WHERE number = ?",
                    (number,),
                )
                delete_outcome(run, number)

    def restore(self, number: int) -> bool:
        """Give a check without an outcome its latest earlier one; whether it has one now."""
        with self.transaction() as run:
            if run("SELECT 1 FROM outcomes WHERE number = ?", (number,)).fetchone():
                return True
            select = f"SELECT place, number, at, record {_EARLIER} LIMIT 1"
            latest = run(select, (number,)).fetchone()
            if latest is None:
                return False
            place, *outcome = latest
            run("INSERT INTO outcomes VALUES (?, ?, ?)", outcome)
            run("DELETE FROM earlier_outcomes WHERE place = ?", (place,))
            add_row(run, number)
        return True

    def earlier(self, check: DeskCheck) -> list[tuple[str, ClaimView]]:
        """Earlier outcomes and their times, latest first."""
        with self.transaction() as run:
            rows = run(f"SELECT at, record {_EARLIER}", (check.number,)).fetchall()
        return [(at, view_of(replace(check, record=decoded(record)))) for at, record in rows]

    def remove(self, number: int) -> None:
        """Delete a check; its reviews stay."""
        with self.transaction() as run:
            delete_outcome(run, number)
            run("DELETE FROM earlier_outcomes WHERE number = ?", (number,))
            run("DELETE FROM asked WHERE number = ?", (number,))

    @property
    def changes(self) -> int:
        """A number that grows with each change."""
        return self._connection.total_changes

    def asked(self) -> list[DeskCheck]:
        return self._asked(f"{SELECT_ASKED} ORDER BY number")

    def empty(self) -> bool:
        with self.transaction() as run:
            return run("SELECT 1 FROM asked LIMIT 1").fetchone() is None

    def waiting(self, most: int = -1) -> list[DeskCheck]:
        """Checks without an outcome, the running one included; all if `most` is negative."""
        return self._asked(WAITING, most)

    def waiting_before(self, number: int) -> int | None:
        """Checks queued before one, or None if it is not queued."""
        numbers = [check.number for check in self.waiting()]
        return numbers.index(number) if number in numbers else None

    def check(self, key: str) -> DeskCheck | None:
        """The check of a key, or None."""
        number = number_of(key)
        asked = self._asked(f"{SELECT_ASKED} WHERE number = ?", number) if number else []
        return next(iter(asked), None)

    def _asked(self, statement: str, *values: int) -> list[DeskCheck]:
        with self.transaction() as run:
            rows = run(statement, values).fetchall()
        with whole():
            return [check_of(*row) for row in rows]

    def rows(self) -> list[ClaimRow]:
        """Rows of settled checks, without reviews."""
        with self.transaction() as run:
            rows = run("SELECT row FROM outcome_rows ORDER BY number").fetchall()
        with whole():
            return [decode_row(unsealed(row)) for (row,) in rows]

    def review(self, key: str, seen: str, review: Review) -> None:
        """Add a review; `seen` is the fingerprint of the verdict seen."""
        values = (
            key,
            seen,
            now(),
            review.label,
            json.dumps(review.wrong),
            review.note,
            json.dumps({str(n): side for n, side in review.marks.items()}),
            review.reviewer,
            review.appearance,
            json.dumps(review.kept),
        )
        with self.transaction() as run:
            run(
                "INSERT INTO reviews (key, seen, at, label, wrong, note, marks, reviewer, "
                "appearance, kept, seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*values, digest(values)),
            )

    def reviews(self, *key: str) -> dict[str, tuple[str, Review]]:
        """Latest reviews by key, with fingerprints of their verdicts; of one claim if named."""
        of = "WHERE key = ?" if key else ""
        latest = f"WHERE number IN (SELECT max(number) FROM reviews {of} GROUP BY key)"  # noqa: S608
        return {key: (seen, review) for key, seen, review in self._reviews(latest, *key)}

    def history(self, key: str) -> list[tuple[str, Review]]:
        """A claim's reviews with fingerprints, oldest first."""
        rows = self._reviews("WHERE key = ? ORDER BY number", key)
        return [(seen, review) for _, seen, review in rows]

    def _reviews(self, which: str, *values: str) -> list[tuple[str, str, Review]]:
        with self.transaction() as run:
            rows = run(f"{_SELECT_REVIEWS} {which}", values).fetchall()
        with whole():
            for *values, seal in rows:
                require_seal(seal, *values)
            return [(key, seen, _review(*row)) for key, seen, *row, _ in rows]

    def secret(self) -> bytes:
        """The key that signs forms, 32 bytes; stored to outlive a restart."""
        select = "SELECT value FROM kept WHERE name = 'secret'"
        with self.transaction() as run:
            value = run(select).fetchone()
            if value is None:
                run("INSERT INTO kept VALUES ('secret', ?)", (secrets.token_hex(32),))
                value = run(select).fetchone()
        with whole():
            return bytes.fromhex(value[0])

    @contextmanager
    def transaction(self) -> Iterator[Any]:
        """Gives the function that executes statements in one transaction."""
        with self._lock, self._connection:
            yield self._connection.execute


def _review(
    at: str,
    label: str | None,
    wrong: str,
    note: str,
    marks: str,
    reviewer: str,
    appearance: str,
    kept: str,
) -> Review:
    return Review(
        label=Label(label) if label else None,
        wrong=tuple(json.loads(wrong)),
        note=note,
        at=at,
        marks={int(n): PieceSide(side) for n, side in json.loads(marks).items()},
        reviewer=reviewer,
        appearance=appearance,
        kept=tuple(int(position) for position in json.loads(kept)),
    )


@contextmanager
def open_database(file: Path) -> Iterator[Database]:
    """Open a desk for this process alone; a missing file is created.

    Raises RunError if it is open elsewhere, not writable or no desk."""
    try:
        with locks.sole_writer(
            locks.lock_beside(file),
            busy=RunError(f"{file}: another uhhrag serve has it open; stop it, or give --desk"),
            unwritable=lambda reason: RunError(
                f"{file}: cannot be written ({reason}); give another by --desk"
            ),
        ):
            make_file(file)
            connection = sqlite3.connect(file, check_same_thread=False)
            try:
                with whole():  # an error's text can be damaged, too
                    prepare(connection)
                yield Database(connection)
            finally:
                connection.close()
    except sqlite3.Error as error:
        raise RunError(
            f"{file}: cannot be used as a desk ({error}); give another by --desk"
        ) from error
