from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from uhhrag.errors import UsageError
from uhhrag.formats import submission
from uhhrag.formats.gold import read_claims
from uhhrag.formats.submission import Pairing
from uhhrag.system.text_files import require_apart, write_text


def convert(source: Path, target: Path, claims: Path | None, split: str) -> list[str]:
    """A claims file gives ids, texts and order, and drops others. Returns what was lost."""
    if target.suffix.lower() not in (".json", ".csv"):
        raise UsageError(f"{target}: its ending names no format; use .json or .csv")
    require_apart(target, *(file for file in (submission.file_of(source), claims) if file))
    predictions = submission.read_predictions(source)
    notes = []
    if claims is None:
        placed = enumerate(predictions)
        predictions = tuple(replace(p, id=place) if p.id is None else p for place, p in placed)
    else:
        wanted = read_claims(claims)
        pairing = submission.pair(wanted, predictions, str(source))
        pairs, notes = zip(wanted, pairing.predictions, strict=True), _left_out(pairing)
        predictions = tuple(replace(p, id=c.id, claim=c.text) for c, p in pairs if p)
    if target.suffix.lower() == ".json":
        write_text(target, submission.as_text(predictions))
        return notes
    submission.write_csv(target, predictions, split)
    lost = sum(bool(item.urls) for prediction in predictions for item in prediction.evidence)
    return [*notes, *([f"URLs are lost from evidence: {lost}"] if lost else [])]


def _left_out(pairing: Pairing) -> list[str]:
    faults = {
        "no prediction": pairing.missing,
        "several predictions, the first stays": pairing.doubled,
        "not in the claims file, left out": pairing.unknown,
        "another claim text, replaced": pairing.other_text,
    }
    return [f"{text}: {', '.join(map(str, ids))}" for text, ids in faults.items() if ids]
