"""What the desk holds of a deleted file."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from uhhrag.records import Claim
from uhhrag.serve.check_table import DeskCheck, add_row, decoded, view_of
from uhhrag.serve.database import Database
from uhhrag.serve.sealing import change, delete, select, whole

_DELETED = "made with material that was deleted since; check it again"
_NO_NOTE = "[deleted with the file that it repeated]"
_OUTCOMES = ("outcomes", "earlier_outcomes")
_OF_TARGET = "WHERE number IN (SELECT number FROM asked WHERE ground = ?)"
_FILE = re.compile(r'"file": "([^"\\]+)"')
"""In a record, in whose texts quotation marks are escaped."""
_RUN = 6
"""Words in a row that make a repetition."""
Quotations = Mapping[str, Mapping[int, str]]


def find(database: Database, target: str, name: str, texts: Iterable[str]) -> Quotations:
    """Keys of claims by number: of `checks` with pieces of a file, its `attached` sentences, and
    `notes`, `claims` and `drafts` that repeat its `texts`."""
    with database.transaction() as run, whole():
        asked = select(run, "asked")
        own = {f"check-{number}" for number, _, ground, *_ in asked if ground == target}
        attached = [(n, key, source) for n, key, _, _, _, source, _ in select(run, "attached")]
        typed = {
            "notes": [(n, row[0], row[5]) for n, *row in select(run, "reviews")],
            "claims": [(n, f"check-{n}", text) for n, _, _, text, *_ in asked],
            "drafts": [(n, "", _drafted(text)) for n, _, _, text in select(run, "drafts")],
        }
        held = [row[1] for table in _OUTCOMES for row in _holding(run, table, target, name)]
    wanted = {words for rows in typed.values() for *_, text in rows for words in _runs(text)}
    said = {words for text in texts for words in _runs(text) if words in wanted}
    return {
        "checks": {number: f"check-{number}" for number in sorted(held)},
        "attached": {n: key for n, key, text in attached if key in own and name in _files(text)},
        **{
            kind: {n: key for n, key, text in rows if not said.isdisjoint(_runs(text))}
            for kind, rows in typed.items()
        },
    }


def files(database: Database, target: str) -> set[str]:
    """Percent-encoded names of those with pieces in current or earlier verdicts."""
    with database.transaction() as run:
        queries = [f"SELECT record FROM {table} {_OF_TARGET}" for table in _OUTCOMES]  # noqa: S608
        return {name for one in queries for (text,) in run(one, (target,)) for name in _files(text)}


def delete_pieces(database: Database, target: str, name: str) -> None:
    """Of verdicts with pieces of the file, only the label stays; so do reviews."""
    with database.transaction() as run:
        for table in _OUTCOMES:
            for place, number, seal, at, text in _holding(run, table, target, name):
                record = decoded(number, seal, at, text)
                was = view_of(DeskCheck(number, at, target, Claim(number, ""), record)).verdict_text
                kept = {key: record.get(key) for key in ("claim_date", "speaker")}
                kept |= {"claim_id": number, "claim": record.get("claim", "")}
                kept["error"] = f"the verdict was {was or 'none'}, {_DELETED}"
                change(run, table, place, record=json.dumps(kept))
                add_row(run, number)


def delete_typed(database: Database, quoted: Quotations) -> None:
    """Attached sentences, and the words of notes."""
    with database.transaction() as run:
        for number in quoted["attached"]:
            delete(run, "attached", number=number)
        for number in quoted["notes"]:
            change(run, "reviews", number, note=_NO_NOTE)


def _holding(run: Any, table: str, target: str, name: str) -> list[tuple[Any, ...]]:
    """Place, number, seal, time and record, of outcomes with pieces of the file."""
    query = f"SELECT rowid, number, seal, at, record FROM {table} {_OF_TARGET} AND instr(record, ?)"  # noqa: S608
    return list(run(query, (target, json.dumps({"file": name})[1:-1])))


def _files(record: str) -> list[str]:
    return _FILE.findall(record)


def _drafted(draft: str) -> str:
    return " ".join(one["text"] for one in json.loads(draft)["sentences"])


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    last: deque[str] = deque(maxlen=_RUN)
    for word in re.finditer(r"\w+", text.casefold()):
        last.append(word[0])
        if len(last) == _RUN:
            yield tuple(last)
