from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from uhhrag.errors import RunError
from uhhrag.formats.submission import RUN_PREDICTIONS
from uhhrag.runs import run_folder
from uhhrag.runs.stages import SUMS
from uhhrag.runs.trace import TIMINGS, TRACE, Record, lines, read_lines
from uhhrag.system.checks import FileCheck, unfinished_files
from uhhrag.system.checksums import sha256


def check_run(folder: Path) -> Iterator[FileCheck]:
    header: Record | None = None
    try:
        header = run_folder.read_header(folder)
        yield FileCheck(folder / run_folder.HEADER)
    except RunError:
        missing = not (folder / run_folder.HEADER).exists()
        yield FileCheck(folder / run_folder.HEADER, "is missing" if missing else "is damaged")
    yield FileCheck(folder / TRACE, _trace_fault(folder / TRACE, header))
    yield FileCheck(folder / RUN_PREDICTIONS, _submission_fault(folder))
    if (folder / TIMINGS).exists():
        yield FileCheck(folder / TIMINGS, _lines_fault(folder / TIMINGS))
    yield from _stages(folder)
    yield from unfinished_files(folder)


def _trace_fault(file: Path, header: Record | None) -> str:
    if fault := _lines_fault(file):
        return fault
    decided = [record for record in read_lines(file) if "error" not in record]
    if len({record["claim_id"] for record in decided}) < len(decided):
        return "has two verdicts on one claim"
    if header and any(record.get("run") != run_folder.run_id(header) for record in decided):
        return f"holds verdicts of another run than {run_folder.HEADER} says"
    known = header.get("passages", {}) if header else {}
    for record in decided if known else ():
        if record.get("passages") != known.get(str(record["claim_id"])):
            claim = record["claim_id"]
            return f"claim {claim} was decided on other passages than {run_folder.HEADER} says"
    return ""


def _lines_fault(file: Path) -> str:
    if fault := _unreadable(file):
        return fault
    damaged = [number for number, record in enumerate(lines(file), start=1) if record is None]
    if damaged:
        return f"line {', '.join(map(str, damaged[:9]))} is damaged"
    content = file.read_bytes()
    return "" if not content or content.endswith(b"\n") else "its last line is cut short"


def _submission_fault(folder: Path) -> str:
    file = folder / RUN_PREDICTIONS
    if fault := _unreadable(file):
        return fault
    records = run_folder.by_claim(read_lines(folder / TRACE)).values()
    agrees = file.read_bytes() == run_folder.submission_of(records)
    return "" if agrees else "does not agree with the trace; predict writes it again"


def _unreadable(file: Path) -> str:
    try:
        file.read_bytes()
    except OSError as error:
        return "is missing" if isinstance(error, FileNotFoundError) else "cannot be read"
    return ""


def _stages(folder: Path) -> Iterator[FileCheck]:
    sums = folder / SUMS
    if not sums.exists():
        return
    listed = [line.split("  ", 1) for line in sums.read_text("utf-8", "replace").splitlines()]
    if any(len(line) != 2 or Path(line[1]).name != line[1] for line in listed):
        yield FileCheck(sums, "is damaged")
        return
    yield FileCheck(sums)
    for digest, name in listed:
        file = folder / name
        actual = sha256(file.read_bytes()) if file.is_file() else None
        fault = "" if actual == digest else "its SHA-256 has changed"
        yield FileCheck(file, fault if actual else "is missing")
