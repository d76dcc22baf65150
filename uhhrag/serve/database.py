"""The desk on disk: a private SQLite file. Interrupted checks stay queued."""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from uhhrag.errors import RunError
from uhhrag.records import Claim, Source
from uhhrag.serve import check_table
from uhhrag.serve.check_table import EARLIER, SELECT_ASKED, DeskCheck, add_row, now
from uhhrag.serve.desk_file import FILE as FILE
from uhhrag.serve.desk_file import make_file, prepare
from uhhrag.serve.sealing import SEALED, among, checked, delete, insert, select, whole
from uhhrag.system import locks
from uhhrag.system.decode import shaped
from uhhrag.views.claim_row import ClaimRow, carried
from uhhrag.views.review import AttachedPiece, PieceSide, Review
from uhhrag.views.run_view import ClaimView

_Changed = Callable[[Mapping[str, Any]], Mapping[str, Any]]
_OF_REVIEW = SEALED["reviews"].columns[1:]
_OF_ATTACHED = ("number", *SEALED["attached"].columns)
_AS_JSON = ("wrong", "marks", "kept")
_AGAIN_WAITING = (
    "SELECT 1 FROM earlier_outcomes WHERE number NOT IN (SELECT number FROM outcomes) LIMIT 1"
)
_AGAIN_BEGINS = (
    "INSERT OR REPLACE INTO kept SELECT 'again', coalesce(max(place), 0) FROM earlier_outcomes"
)
_AGAIN_SETTLED = (
    "SELECT number FROM earlier_outcomes WHERE number IN (SELECT number FROM outcomes) AND "
    "place > (SELECT CAST(value AS INTEGER) FROM kept WHERE name = 'again')"
)


class Database:
    """Thread-safe."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._lock = threading.Lock()

    def ask(self, claim: Claim, target: str) -> int:
        """Queue a claim, unless it waits for its first verdict; gives its number."""
        with self.transaction() as run:
            same = run(
                "SELECT number FROM asked WHERE claim = ? AND date IS ? AND speaker IS ? "
                "AND ground = ? AND number NOT IN (SELECT number FROM outcome_rows)",
                (claim.text, claim.date, claim.speaker, target),
            ).fetchone()
            return int(same[0]) if same else check_table.insert_check(run, claim, target)

    def save_outcome(
        self, number: int, record: Mapping[str, Any], last: _Changed = lambda record: record
    ) -> None:
        """Save what `last` makes of it, unless the check has one or was removed."""
        with self.transaction() as run:
            text = json.dumps(last(record))
            waits = f"{SELECT_ASKED} WHERE number = ? AND record IS NULL"
            if waiting := run(waits, (number,)).fetchone():
                insert(run, "outcomes", number, now(), text)
                check = check_table.check_of(*waiting)
                both = check_table.latest(run, check), replace(check, record=json.loads(text))
                _carry_review(run, f"check-{number}", *map(check_table.view_of, both))
            add_row(run, number)

    def again(self, *numbers: int, text: str = "") -> None:
        """Queue checks again, reworded if there is a `text`; outcomes become earlier ones."""
        with self.transaction() as run:
            if not run(_AGAIN_WAITING).fetchone():
                run(_AGAIN_BEGINS)
            for number in numbers:
                check_table.reword(run, number, text)
                run(
                    "INSERT INTO earlier_outcomes (number, at, record, seal) "
                    "SELECT number, at, record, seal FROM outcomes WHERE number = ?",
                    (number,),
                )
                delete(run, "outcomes", number=number)

    def checked_again(self) -> set[int]:
        """Numbers that the last `again` has settled so far."""
        return set(self.numbers(_AGAIN_SETTLED))

    def restore(self, number: int) -> bool:
        """Give a check without outcome its latest earlier one; False if none."""
        with self.transaction() as run:
            if run("SELECT 1 FROM outcomes WHERE number = ?", (number,)).fetchone():
                return True
            outcomes = f"SELECT place, number, at, record, seal {EARLIER} LIMIT 1"
            latest = run(outcomes, (number,)).fetchone()
            if latest is None:
                return False
            place, *outcome = latest
            run("INSERT INTO outcomes VALUES (?, ?, ?, ?)", outcome)
            _, at, text, seal = outcome
            words = check_table.decoded(number, seal, at, text).get("claim", "")
            check_table.reword(run, number, words)
            delete(run, "earlier_outcomes", place=place)
            add_row(run, number)
        return True

    def latest(self, check: DeskCheck) -> DeskCheck:
        with self.transaction() as run:
            return check_table.latest(run, check)

    def earlier(self, check: DeskCheck) -> list[tuple[str, ClaimView]]:
        """Outcomes with times, latest first; "" and no verdict if damaged."""
        with self.transaction() as run:
            kept = run(f"SELECT number, seal, at, record {EARLIER}", (check.number,)).fetchall()
        records = [(at, check_table.decoded(n, seal, at, text)) for n, seal, at, text in kept]
        return [
            (at if record else "", check_table.view_of(replace(check, record=record)))
            for at, record in records
        ]

    def remove(self, *numbers: int) -> None:
        outcomes = ("outcomes", "outcome_rows", "earlier_outcomes")
        with self.transaction() as run:
            for number in numbers:
                delete(run, *outcomes, "draft_checks", "asked", number=number)
                delete(run, "reviews", "attached", key=f"check-{number}")

    def numbers(self, statement: str, *values: str | int) -> list[int]:
        with self.transaction() as run:
            return [number for (number,) in run(statement, values)]

    def asked_of(self, target: str) -> list[int]:
        return self.numbers("SELECT number FROM asked WHERE ground = ?", target)

    @property
    def changes(self) -> int:
        """Grows with each change."""
        return self._connection.total_changes

    def asked(self) -> list[DeskCheck]:
        return self._asked(f"{SELECT_ASKED} ORDER BY number")

    def empty(self) -> bool:
        with self.transaction() as run:
            return run("SELECT 1 FROM asked LIMIT 1").fetchone() is None

    def waiting(self, most: int = -1) -> list[DeskCheck]:
        """With the running check; all if `most` is negative."""
        return self._asked(check_table.WAITING, most)

    def waiting_before(self, number: int) -> int | None:
        """None if not waiting."""
        numbers = [check.number for check in self.waiting()]
        return numbers.index(number) if number in numbers else None

    def check(self, key: str) -> DeskCheck | None:
        number = check_table.number_of(key)
        asked = self._asked(f"{SELECT_ASKED} WHERE number = ?", number) if number else []
        return next(iter(asked), None)

    def _asked(self, statement: str, *values: int) -> list[DeskCheck]:
        with self.transaction() as run:
            found = run(statement, values).fetchall()
        with whole():
            return [check_table.check_of(*row) for row in found]

    def rows(self) -> list[ClaimRow]:
        """Checks that have or had a verdict, without reviews."""
        again = "SELECT number FROM outcome_rows WHERE number NOT IN (SELECT number FROM outcomes)"
        with self.transaction() as run:
            kept = select(run, "outcome_rows", "ORDER BY number")
            pending = {number for (number,) in run(again)}
        with whole():
            return [
                replace(shaped(ClaimRow, json.loads(row)), pending=number in pending)
                for _, number, row in kept
            ]

    def review_after(self, known: int | None, review: Review, *names: str) -> bool:
        """Save it under the first name, unless the number of reviews is not `known`."""
        with self.transaction() as run:
            count = f"SELECT count(*) FROM reviews {among(names)}"  # noqa: S608 - names of our own
            if run(count, names).fetchone() != (known,):
                return False
            _add_review(run, names[0], review)
        return True

    def reviews(self, *names: str) -> dict[str, Review]:
        """The latest by claim's name; all without `names`."""
        latest = f"SELECT max(number) FROM reviews {among(names)} GROUP BY key"  # noqa: S608
        return dict(self._reviews(f"WHERE number IN ({latest})", *names))

    def history(self, *names: str) -> list[Review]:
        """Oldest first."""
        return [review for _, review in self._reviews(f"{among(names)} ORDER BY number", *names)]

    def _reviews(self, which: str, *values: str) -> list[tuple[str, Review]]:
        with self.transaction() as run:
            kept = select(run, "reviews", which, *values)
        with whole():
            return [(key, _review(row)) for _, key, *row in kept]

    def attach(self, key: str, side: PieceSide, sentence: str, source: Source, by: str) -> None:
        """Attach a sentence, or change its side; NOTHING detaches it."""
        text = json.dumps(asdict(source), sort_keys=True)
        with self.transaction() as run:
            insert(run, "attached", key, now(), side, sentence, text, by)

    def attached(self, *names: str) -> dict[str, tuple[AttachedPiece, ...]]:
        """By claim's name, oldest first; all claims' without `names`."""
        latest = {(one.key, one.sentence, one.source.url): one for one in self.attachings(*names)}
        found: dict[str, tuple[AttachedPiece, ...]] = {}
        for piece in latest.values():
            if piece.side is not PieceSide.NOTHING:
                found[piece.key] = (*found.get(piece.key, ()), piece)
        return found

    def attachings(self, *names: str) -> list[AttachedPiece]:
        """With sentences turned or detached since, oldest first."""
        with self.transaction() as run:
            kept = select(run, "attached", f"{among(names)} ORDER BY number", *names)
        with whole():
            rows = [dict(zip(_OF_ATTACHED, row, strict=True)) for row in kept]
            return [shaped(AttachedPiece, r | {"source": json.loads(r["source"])}) for r in rows]

    def secret(self) -> bytes:
        """32 bytes that sign forms, stored to outlive a restart."""
        kept = "SELECT value FROM kept WHERE name = 'secret'"
        with self.transaction() as run:
            value = run(kept).fetchone()
            if value is None:
                run("INSERT INTO kept VALUES ('secret', ?)", (secrets.token_hex(32),))
                value = run(kept).fetchone()
        with whole():
            return bytes.fromhex(value[0])

    @contextmanager
    def transaction(self) -> Iterator[Any]:
        """Yields the function that executes statements."""
        with self._lock, self._connection:
            yield self._connection.execute


def _carry_review(run: Any, key: str, before: ClaimView, after: ClaimView) -> None:
    """Keep the latest review current, if it still applies."""
    latest = checked(run, "reviews", "WHERE key = ? ORDER BY number DESC LIMIT 1", key)
    for place, row, fault in list(latest):
        if not fault and (review := carried(_review(row[1:]), before, after)):
            delete(run, "reviews", number=place)
            _add_review(run, key, review)


def _add_review(run: Any, key: str, review: Review) -> None:
    fields = {name: getattr(review, name) for name in _OF_REVIEW} | {"at": review.at or now()}
    fields |= {name: json.dumps(fields[name]) for name in _AS_JSON}
    insert(run, "reviews", key, *fields.values())


def _review(row: Sequence[Any]) -> Review:
    fields = dict(zip(_OF_REVIEW, row, strict=True))
    fields |= {name: json.loads(fields[name]) for name in _AS_JSON}
    fields["marks"] = {int(n): side for n, side in fields["marks"].items()}
    return shaped(Review, fields | {"label": fields["label"] or None})


@contextmanager
def open_database(file: Path) -> Iterator[Database]:
    """For this process alone; made if missing. Raises RunError."""
    try:
        with locks.sole_writer(
            locks.lock_beside(file),
            busy=RunError(f"{file}: another uhhrag serve has it open; stop it, or give --desk"),
            unwritable=lambda reason: RunError(
                f"{file}: cannot be written ({reason}); give another by --desk"
            ),
        ):
            make_file(file)
            with closing(sqlite3.connect(file, check_same_thread=False)) as connection:
                with whole():  # an error's text can be damaged, too
                    prepare(connection)
                yield Database(connection)
    except sqlite3.Error as error:
        raise RunError(
            f"{file}: cannot be used as a desk ({error}); give another by --desk"
        ) from error
