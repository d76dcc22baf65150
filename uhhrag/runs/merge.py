from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

from uhhrag.errors import RunError
from uhhrag.runs import run_folder, shards
from uhhrag.runs.signatures import difference
from uhhrag.runs.trace import TIMINGS, TRACE, Record, as_line, read_lines, read_trace
from uhhrag.system import atomic
from uhhrag.system.checks import Merged
from uhhrag.system.terminal import quantity


def merge_runs(parts: Sequence[Path], out: Path) -> Merged:
    header = run_folder.read_header(parts[0])
    for part in parts[1:]:
        other = run_folder.read_header(part)
        _require_same_run(header, other, parts[0], part)
        header = run_folder.joined(part, other, header)
    records: dict[int, Record] = {}
    for part in parts:
        for record in run_folder.by_claim(read_trace(part / TRACE)).values():
            records[record["claim_id"]] = _agreed(records, record, part)
    timings = run_folder.by_claim(t for part in parts for t in read_lines(part / TIMINGS))
    with run_folder.open_run(out, header, overwrite=False, repair=False) as opened:
        atomic.write_file(opened.trace, b"".join(map(as_line, records.values())))
        if timings:
            atomic.write_file(opened.timings, b"".join(map(as_line, timings.values())))
    decided = sorted(claim_id for claim_id, record in records.items() if "error" not in record)
    wanted = sorted({*map(int, header.get("passages", {})), *records})
    lacking = [*islice(shards.missing(header.get("shards", ())), 20)]
    claims = quantity(header.get("claims", 0), "claim")
    note = f"missing is shard {', '.join(lacking)}; the claims file has {claims}"
    return Merged(decided, wanted, note if lacking else "")


def _require_same_run(first: Record, second: Record, first_path: Path, second_path: Path) -> None:
    """Paths, claims and machine may differ."""
    of_claims = ("passages", "absent", "shards", "claims", "claims_file")
    may_differ = ("settings", "processor", "python", *of_claims)
    keys = (key for key in dict.fromkeys([*first, *second]) if key not in may_differ)
    differing = [key for key in keys if first.get(key) != second.get(key)]
    if differing:
        what = (
            difference(second["signature"], first, " in place of ")
            if "signature" in differing
            else f"{', '.join(differing)} differ"
        )
        raise RunError(
            f"{second_path} is a run with other settings than {first_path} ({what}); "
            "they cannot be joined"
        )


def _agreed(known: Mapping[int, Record], record: Record, part: Path) -> Record:
    """A verdict replaces a failure."""
    other = known.get(record["claim_id"], record)
    if "error" in record:
        return other
    if "error" not in other and other != record:
        raise RunError(
            f"{part}: claim {record['claim_id']} was decided in another way than in the parts "
            "before it; they cannot be joined"
        )
    return record
