"""The lines of a run's trace and timings: JSON, each with the SHA-256 of the rest of it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import orjson

from uhhrag.errors import RunError
from uhhrag.records import Label, Origin
from uhhrag.runs.trace import Record
from uhhrag.system.checksums import sha256
from uhhrag.system.decode import shaped
from uhhrag.system.writing import extended_file

TRACE, TIMINGS = "trace.jsonl", "timings.jsonl"


@dataclass(frozen=True, slots=True)
class _Item:
    question: str
    answer: str
    urls: tuple[str, ...]
    score: float | None
    context: str = ""


@dataclass(frozen=True, slots=True)
class _Cast:
    label: Label
    origin: Origin


@dataclass(frozen=True, slots=True)
class _Decided:
    """What a line of the trace must hold to be used; it holds more."""

    claim_id: int
    claim: str
    label: Label
    evidence: tuple[_Item, ...]
    votes: tuple[_Cast, ...]
    run: str = ""
    passages: str = ""
    answers: str = ""


@dataclass(frozen=True, slots=True)
class _Failed:
    claim_id: int
    claim: str
    error: str


@dataclass(frozen=True, slots=True)
class _Timed:
    """What a line of the timings must hold to be used; it holds more."""

    claim_id: int
    seconds: Mapping[str, float]


def read_trace(file: Path, *, repair: bool = False) -> Iterator[Record]:
    """The records of a trace, each checked against its SHA-256.

    A last line without its end is what a killed run leaves and is passed over. Raises RunError
    for any other damaged line, unless `repair`, which passes over it too."""
    for number, record in enumerate(lines(file), start=1):
        if record is not None:
            yield record
        elif not repair:
            raise RunError(
                f"{file} line {number} is damaged; --repair decides that claim again and keeps "
                "the others"
            )


def read_lines(file: Path) -> Iterator[Record]:
    """The records of a file of such lines; none where there is no file. Damaged ones are left
    out."""
    return (record for record in lines(file) if record is not None)


def lines(file: Path) -> Iterator[Record | None]:
    """The record of each whole line of a file, None for a damaged one."""
    timed = file.name == TIMINGS
    if file.exists():
        yield from (_checked(line, timed) for line in file.read_bytes().split(b"\n")[:-1])


def _checked(line: bytes, timed: bool) -> Record | None:
    """The record of a line, None where the line is damaged."""
    try:
        record: Record = orjson.loads(line)
        record.pop("sha256")
        shaped(_Timed if timed else _Failed if "error" in record else _Decided, record)
        # The bytes, since another spelling of a number can stand for the same number.
        return record if as_line(record) == line + b"\n" else None
    except (ValueError, KeyError, AttributeError, TypeError):
        return None


def digest(record: Record) -> str:
    """The SHA-256 of a record, in hexadecimal digits."""
    return sha256(orjson.dumps(record))


def as_line(record: Record) -> bytes:
    """A record as a line of the trace, its SHA-256 last."""
    return orjson.dumps({**record, "sha256": digest(record)}) + b"\n"


def append(file: Path, line: bytes) -> None:
    """Add a line to a file and have it on disk before returning."""
    with extended_file(file) as stream:
        stream.write(line)
        stream.flush()
        os.fsync(stream.fileno())
