"""Readers of a corpus's manifest and of the saved scores of Ev2R."""

from __future__ import annotations

import json
from pathlib import Path

from tests.fuzz.reader import Reader, jsons
from uhhrag.archive import manifest
from uhhrag.archive.manifest import (
    Approximate,
    ArchiveCounts,
    FileEntry,
    FileSet,
    Manifest,
    Segment,
    VectorPart,
    Vectors,
)
from uhhrag.formats.gold import Gold
from uhhrag.indexing.vectors import EmbedderId
from uhhrag.records import Claim, Label
from uhhrag.scores import ev2r_compare
from uhhrag.scores.ev2r import SHARES
from uhhrag.system import checksummed_json

_ENTRY = FileEntry(3, "0" * 64)
_STATE = Manifest(
    folders=("/documents",),
    number=2,
    counts=ArchiveCounts(1, 1, 2, 2),
    segments=(Segment("1", 0, 1, 0, 2, {"documents.jsonl": _ENTRY}),),
    text=FileSet("2", {"meta.json": _ENTRY}),
    files=FileSet("2", {"2.parquet": _ENTRY}),
    vectors=Vectors(
        EmbedderId("e", 16, "0" * 64),
        (VectorPart("1.f16", 0, 2, _ENTRY),),
        Approximate("1.ivf", 2, 1, _ENTRY),
    ),
    uhhrag="0",
)


def _with_checksum(content: bytes) -> bytes:
    try:
        body = json.loads(content)
        body.pop("seal", None)
        return checksummed_json.to_bytes(body)
    except (ValueError, TypeError, AttributeError, RecursionError):
        return content


_GOLD = [Gold(Claim(0, "It rained."), Label.REFUTED, ())]
_ROW = {"id": 0, "claim": "It rained.", **dict.fromkeys(SHARES, 0.5), "solved": 1, "right": 0}
_SAVED = {
    "measure": "ev2r",
    "run": "run",
    "judge": {"kind": "verifier", "model": "m"},
    "signature": "s",
    "beware": [],
    "per_claim": [_ROW],
}


def _saved(folder: Path) -> object:
    return ev2r_compare.read_judged(folder / "saved.json", _GOLD)


CORPORA = (
    Reader(
        "manifest of a corpus, hash made right",
        manifest.NAME,
        (manifest.to_bytes(_STATE), manifest.to_bytes(Manifest())),
        manifest.read,
        with_checksums=_with_checksum,
    ),
    Reader("saved scores of Ev2R", "saved.json", (jsons(_SAVED),), _saved),
)
