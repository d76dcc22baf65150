"""What the desk holds of a file that is taken out: pieces in verdicts, and what people typed."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from uhhrag.records import Claim
from uhhrag.serve import draft_table
from uhhrag.serve.check_table import DeskCheck, add_row, decoded, view_of
from uhhrag.serve.database import Database
from uhhrag.serve.sealing import change, delete, select, whole

_DELETED = "made with material that was deleted since; check it again"
_NO_NOTE = "[deleted with the file that it repeated]"
_OUTCOMES = ("outcomes", "earlier_outcomes")
_ASKED = ("claim_id", "claim", "claim_date", "speaker")
_OF_TARGET = "WHERE number IN (SELECT number FROM asked WHERE ground = ?)"
_FILE = re.compile(r'"file": "([^"\\]+)"')
_RUN = 6
"""Words in a row that make a repetition."""
_Key = TypeVar("_Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Quotations:
    """Of one file."""

    checks: tuple[int, ...]
    """With pieces of it, in verdicts of now or earlier."""
    attached: Mapping[int, str]
    """The claim's key, by number of the attached sentence."""
    notes: Mapping[int, str]
    """The claim's key, by number of the review whose note repeats it."""
    claims: tuple[int, ...]
    """Checks of claims that repeat it."""
    drafts: tuple[int, ...]

    @property
    def some(self) -> bool:
        return any((self.checks, self.attached, self.notes, self.claims, self.drafts))


def find(database: Database, target: str, name: str, texts: Iterable[str]) -> Quotations:
    """`name` is percent-encoded; what people typed is compared with the file's `texts`."""
    typed: dict[tuple[str, int], str] = {}
    for number in database.numbers("SELECT number FROM drafts"):
        if drafted := draft_table.find(database, number):
            sentences = (f"{one.text} {one.claim}" for one in drafted.draft.sentences)
            typed["draft", number] = " ".join(sentences)
    with database.transaction() as run:
        asked, attached = select(run, "asked"), select(run, "attached")
        reviews = {number: (row[0], row[5]) for number, *row in select(run, "reviews")}
        held = [one for table in _OUTCOMES for one in _holding(run, table, target, name)]
    typed |= {("claim", number): text for number, _, _, text, *_ in asked}
    typed |= {("note", number): note for number, (_, note) in reviews.items()}
    found = sorted(_repeating(typed, texts))
    own = {f"check-{number}" for number, _, ground, *_ in asked if ground == target}
    with whole():
        pieces = {
            number: key
            for number, key, _, _, _, source, _ in attached
            if key in own and json.loads(source).get("file") == name
        }
    return Quotations(
        tuple(sorted({number for _, number, *_ in held})),
        pieces,
        {number: reviews[number][0] for kind, number in found if kind == "note"},
        tuple(number for kind, number in found if kind == "claim"),
        tuple(number for kind, number in found if kind == "draft"),
    )


def files(database: Database, target: str) -> set[str]:
    """Names, percent-encoded, of all files with pieces in verdicts of now and earlier."""
    with database.transaction() as run:
        queries = [f"SELECT record FROM {table} {_OF_TARGET}" for table in _OUTCOMES]  # noqa: S608
        records = (text for query in queries for (text,) in run(query, (target,)))
        return {name for text in records for name in _FILE.findall(text)}


def delete_pieces(database: Database, target: str, name: str) -> None:
    """In place of each verdict with pieces of the file stands what it was; reviews stay."""
    with database.transaction() as run:
        for table in _OUTCOMES:
            for place, number, seal, at, text in _holding(run, table, target, name):
                record = decoded(number, seal, at, text)
                was = view_of(DeskCheck(number, at, target, Claim(number, ""), record)).verdict_text
                kept = {key: record[key] for key in _ASKED if key in record}
                error = f"the verdict was {was or 'none'}, {_DELETED}"
                change(run, table, place, record=json.dumps({**kept, "error": error}))
                add_row(run, number)


def delete_typed(database: Database, quoted: Quotations) -> None:
    """Attached sentences, and the words of notes."""
    with database.transaction() as run:
        for number in quoted.attached:
            delete(run, "attached", number=number)
        for number in quoted.notes:
            change(run, "reviews", number, note=_NO_NOTE)


def _holding(run: Any, table: str, target: str, name: str) -> list[tuple[Any, ...]]:
    """Place, number, seal, time and record of outcomes that have the file as a source. Signs of
    JSON tell keys from texts, in which they are escaped."""
    said = (json.dumps({"file": name})[1:-1], f'"file:{name}"', f'"file:{name}#')
    rows = run(
        f"SELECT rowid, number, seal, at, record FROM {table} {_OF_TARGET} AND "  # noqa: S608
        "(instr(record, ?) OR instr(record, ?) OR instr(record, ?))",
        (target, *said),
    )
    return list(rows.fetchall())


def _repeating(typed: Mapping[_Key, str], texts: Iterable[str]) -> set[_Key]:
    """Those that have words in a row of a text."""
    keys: dict[tuple[str, ...], set[_Key]] = {}
    for key, words in typed.items():
        for run in _runs(words):
            keys.setdefault(run, set()).add(key)
    return {key for text in texts if keys for run in _runs(text) for key in keys.get(run, ())}


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    words = re.findall(r"\w+", text.casefold())
    return (tuple(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1))
