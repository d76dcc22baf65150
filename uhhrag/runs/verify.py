"""Whether a run folder is intact, file by file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from uhhrag.errors import RunError
from uhhrag.formats.submission import RUN_PREDICTIONS
from uhhrag.runs import run_folder, trace_lines
from uhhrag.runs.stages import SUMS
from uhhrag.runs.trace import Record
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
    yield FileCheck(folder / trace_lines.TRACE, _trace_fault(folder / trace_lines.TRACE, header))
    yield FileCheck(folder / RUN_PREDICTIONS, _submission_fault(folder))
    if (folder / trace_lines.TIMINGS).exists():
        yield FileCheck(folder / trace_lines.TIMINGS, _lines_fault(folder / trace_lines.TIMINGS))
    yield from _stages(folder)
    yield from unfinished_files(folder)


def _trace_fault(file: Path, header: Record | None) -> str:
    if fault := _lines_fault(file):
        return fault
    decided = [record for record in trace_lines.read_lines(file) if "error" not in record]
    claims = [record["claim_id"] for record in decided]
    if len(set(claims)) < len(claims):
        return "has two verdicts on one claim"
    if header and any(record.get("run") != run_folder.run_id(header) for record in decided):
        return f"holds verdicts of another run than {run_folder.HEADER} says"
    known = header.get("passages", {}) if header else {}
    if known and (others := [r["claim_id"] for r in decided if not _same(r, known)]):
        return f"claim {others[0]} was decided on other passages than {run_folder.HEADER} says"
    return ""


def _same(record: Record, passages: Record) -> bool:
    return bool(record.get("passages") == passages.get(str(record["claim_id"])))


def _lines_fault(file: Path) -> str:
    try:
        content = file.read_bytes()
    except OSError as error:
        return "is missing" if isinstance(error, FileNotFoundError) else "cannot be read"
    damaged = [
        number for number, record in enumerate(trace_lines.lines(file), start=1) if record is None
    ]
    if damaged:
        return f"line {', '.join(map(str, damaged[:9]))} is damaged"
    return "" if not content or content.endswith(b"\n") else "its last line is cut short"


def _submission_fault(folder: Path) -> str:
    try:
        content = (folder / RUN_PREDICTIONS).read_bytes()
    except OSError as error:
        return "is missing" if isinstance(error, FileNotFoundError) else "cannot be read"
    agrees = content == _submission(folder)
    return "" if agrees else "does not agree with the trace; predict writes it again"


def _submission(folder: Path) -> bytes:
    return run_folder.submission_of(
        run_folder.by_claim(trace_lines.read_lines(folder / trace_lines.TRACE)).values()
    )


def _stages(folder: Path) -> Iterator[FileCheck]:
    """The rankings, checked against a file in `sha256sum`'s format."""
    sums = folder / SUMS
    if not sums.exists():
        return
    lines = [line.split("  ", 1) for line in sums.read_text("utf-8", "replace").splitlines()]
    if any(len(line) != 2 or Path(line[1]).name != line[1] for line in lines):
        yield FileCheck(sums, "is damaged")
        return
    yield FileCheck(sums)
    for digest, name in lines:
        file = folder / name
        actual = sha256(file.read_bytes()) if file.is_file() else None
        fault = "" if actual == digest else "its SHA-256 has changed"
        yield FileCheck(file, fault if actual else "is missing")
