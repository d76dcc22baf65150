"""Sentences that a person attached to claims, in the desk's database."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from uhhrag.records import Source
from uhhrag.serve.check_table import now, require_seal, whole
from uhhrag.serve.database import Database
from uhhrag.system.checksummed_json import digest
from uhhrag.system.decode import shaped
from uhhrag.views.review import AttachedPiece, PieceSide

_SELECT = "SELECT number, seal, key, at, side, sentence, source FROM attached"


def attach(database: Database, key: str, side: PieceSide, sentence: str, source: Source) -> None:
    """Attach a sentence to a claim, or change its side."""
    text = json.dumps(asdict(source), sort_keys=True)
    values = (key, now(), side, sentence, text)
    with database.transaction() as run:
        run(
            "DELETE FROM attached WHERE key = ? AND sentence = ? AND source = ?",
            (key, sentence, text),
        )
        run(
            "INSERT INTO attached (key, at, side, sentence, source, seal) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (*values, digest(values)),
        )


def detach(database: Database, key: str, number: int) -> None:
    with database.transaction() as run:
        run("DELETE FROM attached WHERE key = ? AND number = ?", (key, number))


def attached_to(database: Database, key: str = "") -> dict[str, tuple[AttachedPiece, ...]]:
    """Attached sentences by claim key, oldest first; without a key those of all claims."""
    where, values = (" WHERE key = ?", (key,)) if key else ("", ())
    with database.transaction() as run:
        rows = run(f"{_SELECT}{where} ORDER BY number", values).fetchall()
    found: dict[str, tuple[AttachedPiece, ...]] = {}
    with whole():
        for number, seal, *values in rows:
            require_seal(seal, *values)
            of, at, side, sentence, source = values
            found[of] = (*found.get(of, ()), _piece(number, at, side, sentence, source))
    return found


def _piece(number: int, at: str, side: str, sentence: str, source: str) -> AttachedPiece:
    fields: Any = json.loads(source)
    return AttachedPiece(number, sentence, shaped(Source, fields), PieceSide(side), at)
