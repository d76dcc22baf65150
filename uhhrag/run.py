"""The run folder: what `predict` has done so far, on disk, one line a claim.

`trace.jsonl` is the truth and is only ever appended to while claims are being decided; each line
carries the SHA-256 of the rest of it and is on disk before the next claim begins. From it
`predictions.json`, the AVeriTeC submission, is written at the end. `run.json` says what the run
is made with; `timings.jsonl` holds what differs from one machine to another.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson

from uhhrag import durable
from uhhrag.errors import RunError
from uhhrag.records import Evidence, Grade, Label, Verdict, Vote
from uhhrag.submission import Prediction, write_predictions

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RunFolder:
    """An opened run. `done` are the records of claims decided earlier, by claim id; `prompts` is
    the hash of the templates it is made with."""

    path: Path
    prompts: str
    done: Mapping[int, Record]

    @property
    def trace(self) -> Path:
        return self.path / "trace.jsonl"


@contextlib.contextmanager
def open_run(path: Path, header: Record, *, overwrite: bool, repair: bool) -> Iterator[RunFolder]:
    """Create a run folder, or open one to go on with it, for this process alone.

    Raises RunError when another process works in it, when it holds a run with another
    signature (unless `overwrite`), or when its trace is damaged (unless `repair`, which drops
    the damaged lines, so that their claims are decided again)."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        with durable.only_process(path / ".lock"):
            _check_header(path, header, overwrite=overwrite)
            done = _tidy(path, repair=repair)
            decided = {i: r for i, r in done.items() if "error" not in r}
            try:
                yield RunFolder(path, header["prompts"]["hash"], decided)
            finally:
                _tidy(path, repair=False)
    except BlockingIOError:
        raise RunError(
            f"another process is working in {path}; wait for it or give another --out"
        ) from None
    except OSError as error:
        raise RunError(
            f"{path} cannot be written ({error.strerror}); what is done so far is kept; make "
            "room or give another --out"
        ) from error


def _tidy(path: Path, *, repair: bool) -> dict[int, Record]:
    """Bring the trace into the order of the claims, one line each (the latest), write the
    submission from it, and give its records by claim id."""
    found = {r["claim_id"]: r for r in read_trace(path / "trace.jsonl", repair=repair)}
    records = {i: found[i] for i in sorted(found)}
    durable.write_file(path / "trace.jsonl", b"".join(map(as_line, records.values())))
    decided = [prediction_in(r) for r in records.values() if "error" not in r]
    write_predictions(path / "predictions.json", decided)
    return records


def _check_header(path: Path, header: Record, *, overwrite: bool) -> None:
    made = path / "run.json"
    if made.exists() and not overwrite:
        found = read_header(path)
        if found["signature"] != header["signature"]:
            difference = _difference(found["signature"], header)
            raise RunError(
                f"{path} holds a run with other settings ({difference}); "
                "give another --out, or --overwrite to lose that run"
            )
        header = {**header, "passages": _same_passages(path, found, header)}
        durable.write_file(made, orjson.dumps(header, option=orjson.OPT_INDENT_2))
        return
    ours = [path / name for name in ("trace.jsonl", "timings.jsonl", "predictions.json")]
    if (there := [file.name for file in ours if file.exists()]) and not overwrite:
        raise RunError(
            f"{path} has {', '.join(there)} but no run.json, so they are of no run that can go on; "
            "give another --out, or --overwrite to lose them"
        )
    for file in ours:
        file.unlink(missing_ok=True)
    durable.write_file(made, orjson.dumps(header, option=orjson.OPT_INDENT_2))


def _same_passages(path: Path, found: Record, header: Record) -> dict[str, str]:
    """The hashes of both. Raises RunError where a claim's passages are not those it began with,
    since the same settings on another index are another run."""
    before, now = found.get("passages", {}), header.get("passages", {})
    if changed := [claim for claim in before if now.get(claim, before[claim]) != before[claim]]:
        raise RunError(
            f"{path} was made from another index: claim {changed[0]} has other passages there; "
            "give another --out, or --overwrite to lose that run"
        )
    return {**before, **now}


def _difference(found: str, header: Record) -> str:
    ours = header["signature"].split("|")
    theirs = found.split("|")
    only_theirs = ", ".join(p for p in theirs if p not in ours) or "nothing"
    return f"{only_theirs}; now {', '.join(p for p in ours if p not in theirs) or 'nothing'}"


def read_header(path: Path) -> Record:
    """The run.json of a run folder. Raises RunError when there is none or it is damaged."""
    try:
        header = orjson.loads((path / "run.json").read_bytes())
        header["signature"].split("|")
    except FileNotFoundError:
        raise RunError(f"{path} is no run folder: it has no run.json") from None
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        raise RunError(f"{path}/run.json is damaged; give another --out or --overwrite") from None
    return dict(header)


def read_trace(file: Path, *, repair: bool = False) -> Iterator[Record]:
    """The records of a trace, each checked against its SHA-256.

    A last line without its end is what a killed run leaves and is passed over. Raises RunError
    for any other damaged line, unless `repair`, which passes over it too."""
    if not file.exists():
        return
    lines = file.read_bytes().split(b"\n")
    for number, line in enumerate(lines[:-1], start=1):
        record = _checked(line)
        if record is not None:
            yield record
        elif not repair:
            raise RunError(
                f"{file} line {number} is damaged; --repair decides that claim again and keeps "
                "the others"
            )


def _checked(line: bytes) -> Record | None:
    try:
        record = orjson.loads(line)
        claimed = record.pop("sha256")
    except (ValueError, KeyError, AttributeError, TypeError):
        return None
    # The bytes too: another spelling of a number can stand for the same number.
    intact = claimed == _digest(record) and as_line(record) == line + b"\n"
    return record if intact else None


def _digest(record: Record) -> str:
    return hashlib.sha256(orjson.dumps(record)).hexdigest()


def as_line(record: Record) -> bytes:
    """A record as a line of the trace, its SHA-256 last."""
    return orjson.dumps({**record, "sha256": _digest(record)}) + b"\n"


def append(file: Path, line: bytes) -> None:
    """Add a line to a file and have it on disk before returning."""
    with file.open("ab") as stream:
        stream.write(line)
        stream.flush()
        os.fsync(stream.fileno())


def as_record(verdict: Verdict, prompts: str) -> Record:
    """A verdict as it stands in the trace, with the hash of the templates that led to it."""
    claim = verdict.claim
    return {
        "claim_id": claim.id,
        "claim": claim.text,
        "claim_date": claim.date,
        "speaker": claim.speaker,
        "label": str(verdict.label),
        "evidence": [_evidence(e) for e in verdict.evidence],
        "votes": [_vote(v) for v in verdict.votes],
        "notes": list(verdict.notes),
        **_graded(verdict.grade),
        "removed": dict(verdict.removed),
        "prompts": prompts,
    }


def prediction_in(record: Record) -> Prediction:
    """A decided record of the trace as a prediction of the submission."""
    evidence = tuple(
        Evidence(e["question"], e["answer"], tuple(e["urls"])) for e in record["evidence"]
    )
    label = Label(record["label"])
    return Prediction(record["claim_id"], record["claim"], label, label.value, evidence)


def _evidence(evidence: Evidence) -> Record:
    return {
        "question": evidence.question,
        "answer": evidence.answer,
        "urls": list(evidence.urls),
        "score": evidence.score,
        "retrieval_score": evidence.retrieval_score,
        "reply": evidence.reply,
        "context": evidence.context,
        "sources": [asdict(source) for source in evidence.sources],
    }


def _vote(vote: Vote) -> Record:
    return {
        "label": str(vote.label),
        "origin": str(vote.origin),
        "probability": vote.probability,
        "options": dict(vote.options),
        "reply": vote.reply,
        "cut": vote.cut,
        **_graded(vote.grade),
    }


def _graded(grade: Grade | None) -> Record:
    return {"grade": str(grade)} if grade else {}
