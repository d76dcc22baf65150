"""What `predict` has done. `predictions.json`, the AVeriTeC submission, is made from `trace.jsonl`;
`run.json` holds the settings, `timings.jsonl` what differs between machines."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import orjson

from uhhrag.errors import RunError
from uhhrag.evidence.context import Answers
from uhhrag.formats.submission import RUN_PREDICTIONS, Prediction, as_text
from uhhrag.formats.trec import STAGES
from uhhrag.runs import shards
from uhhrag.runs.signatures import difference, told_apart
from uhhrag.runs.stages import SUMS
from uhhrag.runs.trace import (
    TIMINGS,
    TRACE,
    Record,
    as_line,
    digest,
    prediction_in,
    read_lines,
    read_trace,
)
from uhhrag.system import atomic, locks
from uhhrag.system.checksums import sha256
from uhhrag.system.decode import shaped
from uhhrag.system.terminal import printable
from uhhrag.system.text_files import write_text

T = TypeVar("T")
HEADER = "run.json"
DRAFT, SEARCHED, PAGE = "article.json", "documents.json", "report.html"
"""written by `views`"""
_STAGES = (*(f"{stage}.trec" for stage in STAGES), SUMS)
_OURS = (TRACE, TIMINGS, RUN_PREDICTIONS, DRAFT, SEARCHED, PAGE, *_STAGES)


@dataclass(frozen=True, slots=True)
class RunFolder:
    path: Path
    header: Record
    done: Mapping[int, Record]
    """decided earlier"""

    @property
    def trace(self) -> Path:
        return self.path / TRACE

    @property
    def timings(self) -> Path:
        return self.path / TIMINGS

    def origin(self, claim_id: int) -> Record:
        """What records tell of their run."""
        answers = self.header.get("settings", {}).get("answers")
        return {
            **({"answers": answers} if answers == Answers.WINDOW else {}),
            "run": run_id(self.header),
            "prompts": self.header["prompts"]["hash"],
            "passages": self.header.get("passages", {}).get(str(claim_id), ""),
        }


@dataclass(frozen=True, slots=True)
class _Header:
    signature: str
    passages: Mapping[str, str] = field(default_factory=dict)
    """Of the claims that were asked for, but for those that the index lacks."""
    absent: Sequence[int] = ()
    shards: Sequence[str] = ()
    claims: int = 0


@contextlib.contextmanager
def open_run(path: Path, header: Record, *, overwrite: bool, repair: bool) -> Iterator[RunFolder]:
    """Raises RunError if in use, not writable, of another signature (unless `overwrite`) or damaged
    (unless `repair`, which drops damaged lines and restores run.json from the trace)."""
    with locks.sole_writer(
        path / locks.NAME,
        busy=RunError(f"another process is working in {path}; wait for it or give another --out"),
        unwritable=lambda reason: RunError(
            f"{path} cannot be written ({reason}); what is done so far is kept; make room or give "
            "another --out"
        ),
    ):
        _check_header(path, header, overwrite=overwrite, repair=repair)
        done = _tidy(path, repair=repair)
        decided = {i: r for i, r in done.items() if "error" not in r}
        try:
            yield RunFolder(path, header, decided)
        finally:
            _tidy(path, repair=False)


def _tidy(path: Path, *, repair: bool) -> dict[int, Record]:
    """Sort the trace, keep each claim's latest line, write the submission."""
    for name in (HEADER, TRACE, RUN_PREDICTIONS, TIMINGS):
        atomic.clear_leftovers(path / name)
    records = by_claim(read_trace(path / TRACE, repair=repair))
    atomic.write_changed(path / TRACE, b"".join(map(as_line, records.values())))
    atomic.write_changed(path / RUN_PREDICTIONS, submission_of(records.values()))
    if (path / TIMINGS).exists():
        timings = by_claim(read_lines(path / TIMINGS))
        atomic.write_changed(path / TIMINGS, b"".join(map(as_line, timings.values())))
    return records


def by_claim(records: Iterable[Record]) -> dict[int, Record]:
    """The latest, by id."""
    by_id = {record["claim_id"]: record for record in records}
    return {claim_id: by_id[claim_id] for claim_id in sorted(by_id)}


def submission_of(records: Iterable[Record]) -> bytes:
    return as_text(_predictions(records)).encode("utf-8", errors="replace")


def predictions_in(path: Path) -> list[Prediction]:
    """Also of a run that was killed before it wrote the submission."""
    return _predictions(by_claim(read_trace(path / TRACE)).values())


def _predictions(records: Iterable[Record]) -> list[Prediction]:
    return [prediction_in(record) for record in records if "error" not in record]


def _check_header(path: Path, header: Record, *, overwrite: bool, repair: bool) -> None:
    made = path / HEADER
    if made.exists() and not overwrite:
        present = _header_from_trace(path, header) if repair else read_header(path)
        if present["signature"] != header["signature"]:
            different = difference(present["signature"], header)
            raise RunError(
                f"{path} holds a run with other settings ({different}); "
                "give another --out, or --overwrite to lose that run"
            )
        header = joined(path, present, header)
    else:
        _clear(path, overwrite=overwrite)
    atomic.write_changed(made, header_as_bytes(header))


def _clear(path: Path, *, overwrite: bool) -> None:
    if (path / "manifest.json").exists():
        raise RunError(f"{path} is an index; give a folder of its own by --out")
    ours = [path / name for name in _OURS]
    if (there := [file.name for file in ours if file.exists()]) and not overwrite:
        raise RunError(
            f"{path} has {', '.join(there)} but no run.json, so they are of no run that can go on; "
            "give another --out, or --overwrite to lose them"
        )
    for file in ours:
        file.unlink(missing_ok=True)


def _header_from_trace(path: Path, header: Record) -> Record:
    try:
        return read_header(path)
    except RunError:
        decided = [r for r in read_trace(path / TRACE, repair=True) if "error" not in r]
        if any(record.get("run") != run_id(header) for record in decided):
            raise RunError(
                f"{path}/{HEADER} is damaged and its trace is of a run with other settings; "
                "give another --out, or --overwrite to lose that run"
            ) from None
    passages = {str(r["claim_id"]): r["passages"] for r in decided if r.get("passages")}
    return {**header, "passages": passages}


def run_id(header: Record) -> str:
    return sha256(header["signature"])[:16]


def joined(path: Path, present: Record, header: Record) -> Record:
    """`header` with the claims of both. Raises RunError if the passages of one differ."""
    before, now = present.get("passages", {}), header.get("passages", {})
    if changed := [claim for claim in before if now.get(claim, before[claim]) != before[claim]]:
        raise RunError(
            f"{path} holds claim {changed[0]} with another text, other documents or another index; "
            "give another --out, or --overwrite to lose that run"
        )
    both = {**before, **now}
    passages = {claim: both[claim] for claim in sorted(both, key=int)}
    absent = {*present.get("absent", ()), *header.get("absent", ())}.difference(map(int, both))
    shares = shards.joined(present.get("shards", ()), header.get("shards", ()))
    header = {name: value for name, value in header.items() if name not in ("absent", "shards")}
    more = {"absent": sorted(absent), "shards": shares}
    return header | {"passages": passages} | {name: ids for name, ids in more.items() if ids}


def asked_in(path: Path) -> frozenset[int] | None:
    """Claim ids; None if not known."""
    try:
        header = read_header(path)
    except RunError:
        return None
    return frozenset((*map(int, header.get("passages", ())), *header.get("absent", ()))) or None


def runs_apart(a: Path, b: Path) -> str | None:
    """As `told_apart`; "not known" with the folder without a sound run.json; None if one is a
    file."""
    signatures = []
    for run in (a, b):
        try:
            signatures.append(read_header(run)["signature"])
        except RunError:
            unread = f"not known: {run} has no {HEADER} that can be read"
            return printable(unread) if run.is_dir() else None
    return told_apart(*signatures)


def read_header(path: Path) -> Record:
    try:
        content = (path / HEADER).read_bytes()
        header = dict(orjson.loads(content))
        header.pop("seal")
        shaped(_Header, header)
        intact = header_as_bytes(header) == content
    except (FileNotFoundError, NotADirectoryError):
        raise RunError(
            f"{path} is not a run folder: it has no {HEADER}; give one that `uhhrag check` or "
            "`predict` wrote"
        ) from None
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        intact = False
    if not intact:
        raise RunError(
            f"{path}/{HEADER} is damaged; the same check again, or predict with --repair, makes it "
            "anew, as far as the trace shows that it is of the same run"
        )
    return header


def write_part(file: Path, part: Any) -> None:
    write_text(file, json.dumps(asdict(part), ensure_ascii=False, indent=1) + "\n")


def read_part(file: Path, kind: type[T]) -> T | None:
    """None without the file. Raises RunError if damaged."""
    try:
        return shaped(kind, json.loads(file.read_bytes()))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, RecursionError) as error:
        raise RunError(f"{file}: is damaged ({error}); delete it, or check again") from error


def header_as_bytes(header: Record) -> bytes:
    return orjson.dumps({**header, "seal": digest(header)}, option=orjson.OPT_INDENT_2)
