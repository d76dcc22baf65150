"""Lines of trace and timings: JSON with the SHA-256 of its other fields."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import orjson

from uhhrag.errors import RunError
from uhhrag.runs.trace import Record, result_in
from uhhrag.system.checksums import sha256
from uhhrag.system.decode import shaped
from uhhrag.system.writing import extended_file

TRACE, TIMINGS = "trace.jsonl", "timings.jsonl"


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
    """Damaged ones are skipped."""
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
