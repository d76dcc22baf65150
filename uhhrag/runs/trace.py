"""Lines of trace and timings: JSON with the SHA-256 of its other fields. Fields missing in older
lines are unknown, new ones are ignored."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from uhhrag.errors import RunError
from uhhrag.evidence.context import Answers, window
from uhhrag.formats.submission import Prediction, prediction_of
from uhhrag.records import Claim, Evidence, Failure, Grade, Label, Source, Verdict, Vote
from uhhrag.rules.rules import RULES, OptionMeanings
from uhhrag.system.checksums import sha256
from uhhrag.system.decode import shaped
from uhhrag.system.writing import extended_file

Record = dict[str, Any]
TRACE, TIMINGS = "trace.jsonl", "timings.jsonl"


def as_record(verdict: Verdict, origin: Record) -> Record:
    """`origin` comes from `RunFolder.origin`."""
    return {
        **claim_record(verdict.claim),
        "label": str(verdict.label),
        "leaning": verdict.leaning and str(verdict.leaning),
        "confidence": verdict.confidence,
        "evidence": [_evidence(e) for e in verdict.evidence],
        "votes": [_vote(v) for v in verdict.votes],
        "vote_per_piece": verdict.vote_per_piece,
        "notes": list(verdict.notes),
        "removed": dict(verdict.removed),
        **_graded(verdict.grade),
        **_shares("probabilities", verdict.probabilities),
        **_shares("reading", verdict.reading),
        **origin,
    }


def claim_record(claim: Claim) -> Record:
    record = {"claim_id": claim.id, "claim": claim.text, "claim_date": claim.date}
    given = {"given_id": claim.given_id} if claim.given_id else {}
    return {**record, "speaker": claim.speaker, **given}


def _shares(key: str, probabilities: Mapping[Label, float]) -> Record:
    shares = {str(label): share for label, share in probabilities.items()}
    return {key: shares} if shares else {}


def verdict_in(record: Record) -> Verdict:
    """Raises TypeError."""
    verdict = shaped(Verdict, {**record, "claim": _claim(record)})
    if "vote_per_piece" in record:
        if verdict.vote_per_piece and len(verdict.votes) != len(verdict.evidence):
            raise TypeError(f"it.votes are {len(verdict.votes)}, not one per piece of evidence")
        return verdict
    # Older traces lack `vote_per_piece` and `meanings`: as many votes as pieces meant one each.
    votes = tuple(replace(vote, meanings=_meanings(vote.options)) for vote in verdict.votes)
    return replace(verdict, votes=votes, vote_per_piece=len(votes) == len(verdict.evidence))


def result_in(record: Record) -> Verdict | Failure:
    """Raises TypeError."""
    if "error" not in record:
        return verdict_in(record)
    return shaped(Failure, {"claim": _claim(record), "error": record["error"]})


def prediction_in(record: Record) -> Prediction:
    """Raises TypeError."""
    wide, verdict = record.get("answers") == Answers.WINDOW, verdict_in(record)
    evidence = tuple(
        Evidence(e.question, window(e.answer, e.context, at=e.at) if wide else e.answer, e.urls)
        for e in verdict.evidence
    )
    return prediction_of(replace(verdict, evidence=evidence))


def _claim(record: Record) -> Record:
    return {
        "id": record["claim_id"],
        "text": record["claim"],
        "date": record.get("claim_date"),
        "speaker": record.get("speaker"),
        "given_id": record.get("given_id", ""),
    }


def _meanings(options: Mapping[str, float]) -> OptionMeanings:
    tables = (rule.options for rule in RULES.values())
    return next((table for table in tables if set(table) == set(options)), {})


_IF_FILLED = (
    *("sentence", "places", "before", "read", "beside", "cells", "facts", "replies"),
    *("at", "compared"),
)


def _evidence(evidence: Evidence) -> Record:
    record = asdict(replace(evidence.settled, sources=()))
    record |= {"urls": list(evidence.urls), "sources": [_source(s) for s in evidence.sources]}
    for name in _IF_FILLED:
        if not record[name]:
            del record[name]
    return record


def _source(source: Source) -> Record:
    record = asdict(source)
    for name in ("unit", "ocr", "section", "quoted", "note"):
        if record[name] is None or (record[name] == "" and name != "quoted"):
            del record[name]
    return record


def _vote(vote: Vote) -> Record:
    return {
        "label": str(vote.label),
        "origin": str(vote.origin),
        "probability": vote.probability,
        "options": dict(vote.options),
        **({"meanings": dict(vote.meanings)} if vote.meanings else {}),
        "reply": vote.reply,
        "cut": vote.cut,
        **_graded(vote.grade),
    }


def _graded(grade: Grade | None) -> Record:
    return {"grade": str(grade)} if grade else {}


@dataclass(frozen=True, slots=True)
class _OfRun:
    run: str = ""
    passages: str = ""
    answers: str = ""


@dataclass(frozen=True, slots=True)
class _Timed:
    claim_id: int
    seconds: Mapping[str, float]


def read_trace(file: Path, *, repair: bool = False) -> Iterator[Record]:
    """Skips an unfinished last line. Raises RunError for another damaged one, unless `repair`."""
    for number, record in enumerate(lines(file), start=1):
        if record is not None:
            yield record
        elif not repair:
            raise RunError(
                f"{file} line {number} is damaged; the same check again, or predict with "
                "--repair, decides that claim anew and keeps the others"
            )


def read_lines(file: Path) -> Iterator[Record]:
    """Skips damaged ones."""
    return (record for record in lines(file) if record is not None)


def lines(file: Path) -> Iterator[Record | None]:
    """None stands for a damaged line."""
    timed = file.name == TIMINGS
    if file.exists():
        yield from (_checked(line, timed) for line in file.read_bytes().split(b"\n")[:-1])


def _checked(line: bytes, timed: bool) -> Record | None:
    try:
        record: Record = orjson.loads(line)
        record.pop("sha256")
        shaped(_Timed if timed else _OfRun, record)
        if not timed:
            result_in(record)
        # The bytes, since another spelling of a number can stand for the same number.
        return record if as_line(record) == line + b"\n" else None
    except (ValueError, KeyError, AttributeError, TypeError):
        return None


def digest(record: Record) -> str:
    return sha256(orjson.dumps(record))


def as_line(record: Record) -> bytes:
    return orjson.dumps({**record, "sha256": digest(record)}) + b"\n"


def append(file: Path, line: bytes) -> None:
    """Synced to disk."""
    with extended_file(file) as stream:
        stream.write(line)
        stream.flush()
        os.fsync(stream.fileno())
