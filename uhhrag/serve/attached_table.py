"""Sentences that people attached to claims."""

from __future__ import annotations

import json
from dataclasses import asdict

from uhhrag.records import Source
from uhhrag.serve.check_table import now
from uhhrag.serve.database import Database
from uhhrag.serve.sealing import among, insert, select, whole
from uhhrag.system.decode import shaped
from uhhrag.views.review import AttachedPiece, PieceSide


def attach(database: Database, key: str, side: PieceSide, sentence: str, source: Source) -> None:
    """Attach, or change the side."""
    text = json.dumps(asdict(source), sort_keys=True)
    with database.transaction() as run:
        run(
            "DELETE FROM attached WHERE key = ? AND sentence = ? AND source = ?",
            (key, sentence, text),
        )
        insert(run, "attached", key, now(), side, sentence, text)


def detach(database: Database, key: str, number: int) -> None:
    with database.transaction() as run:
        run("DELETE FROM attached WHERE key = ? AND number = ?", (key, number))


def attached_to(database: Database, *names: str) -> dict[str, tuple[AttachedPiece, ...]]:
    """By claim's name, oldest first; all claims' without `names`."""
    with database.transaction() as run:
        kept = select(run, "attached", f"{among(names)} ORDER BY number", *names)
    found: dict[str, tuple[AttachedPiece, ...]] = {}
    with whole():
        for number, of, at, side, sentence, source in kept:
            where = shaped(Source, json.loads(source))
            piece = AttachedPiece(number, sentence, where, PieceSide(side), at)
            found[of] = (*found.get(of, ()), piece)
    return found
