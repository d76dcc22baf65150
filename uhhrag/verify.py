"""Whether an index or a run folder is sound: every checksum, every structure, nothing left over.

What it finds is what `uhhrag index --repair` builds again and `uhhrag predict` refuses or decides
again. Left out: whether the numbers are those that the models would give.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from uhhrag import durable, pages, run
from uhhrag import index as layout
from uhhrag.errors import IndexFault, InputError, RunError, UhhragError
from uhhrag.index import Entry, Header, Recipe
from uhhrag.submission import RUN_PREDICTIONS
from uhhrag.trec import SUMS

_NEAR_ONE = 1e-2


@dataclass(frozen=True, slots=True)
class Checked:
    """A file that was checked and what is wrong with it, "" where it is sound."""

    file: Path
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a folder holds, and what its damage is called and mended by."""

    name: str
    error: type[UhhragError]
    repair: str


def kind_of(folder: Path) -> Kind:
    """An index or a run. Raises InputError for anything else."""
    names = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    if names & {run.HEADER, run.TRACE}:
        return Kind("run", RunError, f"uhhrag predict … --out {folder} --repair")
    if names & {layout.MANIFEST, layout.claims_folder(folder).name}:
        return Kind("index", IndexFault, f"uhhrag index DATA --out {folder} --repair")
    raise InputError(
        f"{folder}: is neither an index nor a run folder; give what `uhhrag index` or "
        "`uhhrag predict` wrote by --out"
    )


def verify(folder: Path, memory_fault: Callable[[Path], str]) -> Iterator[Checked]:
    """Each file of an index or a run, checked. `memory_fault` says what is wrong with the kept
    replies. Raises what `kind_of` raises, and its error where another process writes there."""
    kind = kind_of(folder)
    try:
        with durable.no_writer(folder / layout.LOCK):
            found = _index(folder, memory_fault) if kind.name == "index" else _run(folder)
            yield from found
    except BlockingIOError:
        raise kind.error(
            f"{folder}: another uhhrag is at work on it; verify it when that has ended"
        ) from None


def damage(folder: Path, claim_id: int, recipe: Recipe) -> Iterator[Checked]:
    """The damaged files of one claim's index; its manifest where the claim is not there."""
    return (found for found in _claim(folder, claim_id, recipe) if found.fault)


# An index


def _index(folder: Path, memory_fault: Callable[[Path], str]) -> Iterator[Checked]:
    header, fault = _header(folder)
    yield Checked(folder / layout.MANIFEST, fault)
    ids = layout.claim_ids(folder)
    for claim_id in ids:
        yield from _claim(folder, claim_id, header.recipe if header else None)
        if header and claim_id >= header.claims:
            yield Checked(
                layout.claim_folder(folder, claim_id),
                f"the claims file ends with claim {header.claims - 1}",
            )
    ours = {str(claim_id) for claim_id in ids}
    yield from _strangers(layout.claims_folder(folder), ours)
    yield from _leftovers(folder)
    if (memory := folder / layout.REPLIES).exists():
        yield Checked(memory, memory_fault(memory))


def _header(folder: Path) -> tuple[Header | None, str]:
    try:
        header = layout.read_header(folder)
    except IndexFault as fault:
        return None, _short(fault, folder / layout.MANIFEST)
    return header, "" if header else "is missing"


def _claim(folder: Path, claim_id: int, recipe: Recipe | None) -> Iterator[Checked]:
    where = layout.claim_folder(folder, claim_id)
    manifest = where / layout.MANIFEST
    try:
        entry = layout.read_entry(folder, claim_id)
        if entry and recipe:
            layout.demand_recipe(entry, recipe, folder)
    except IndexFault as fault:
        yield Checked(manifest, _short(fault, manifest))
        return
    yield Checked(manifest, "" if entry else "is missing")
    if entry is None:
        return
    found = [_hashed(folder, entry, name) for name in entry.sha256]
    yield from found
    yield from _strangers(where, {layout.MANIFEST, *entry.sha256})
    if not any(checked.fault for checked in found) and (wrong := _structure(folder, entry)):
        yield Checked(where, wrong)


def _hashed(folder: Path, entry: Entry, name: str) -> Checked:
    file = layout.claim_folder(folder, entry.claim.id) / name
    try:
        layout.checked(folder, entry, name)
    except IndexFault as fault:
        return Checked(file, _short(fault, file))
    return Checked(file)


def _structure(folder: Path, entry: Entry) -> str:
    """What is wrong with files that are as they were written; "" where nothing is."""
    try:
        loaded = layout.load(folder, entry)
        schemas = {
            name: pq.read_schema(io.BytesIO(layout.checked(folder, entry, name)))
            for name in (layout.PASSAGES, layout.PAGES)
        }
    except (IndexFault, pa.ArrowException, KeyError, TypeError, ValueError) as error:
        return f"cannot be read: {error}"
    if schemas != {layout.PASSAGES: layout.SCHEMA, layout.PAGES: pages.SCHEMA}:
        return "its tables have other columns than they should"
    if len(loaded.hits) != entry.counts.kept:
        return f"has {len(loaded.hits)} passages, its manifest says {entry.counts.kept}"
    return "" if _unit_length(loaded.vectors) else "its vectors are not of unit length"


def _unit_length(vectors: Any) -> bool:
    if not vectors.ntotal:
        return True
    lengths = np.linalg.norm(vectors.reconstruct_n(0, vectors.ntotal), axis=1)
    return bool(np.allclose(lengths, 1, atol=_NEAR_ONE))


def _short(fault: IndexFault, file: Path) -> str:
    """What an error says beside the file's name and the way out."""
    return str(fault).removeprefix(f"{file}: ").partition("; run: ")[0]


def _strangers(folder: Path, ours: set[str]) -> Iterator[Checked]:
    for path in sorted(folder.iterdir() if folder.is_dir() else ()):
        if path.name not in ours:
            yield Checked(path, "is left over or does not belong here")


def _leftovers(folder: Path) -> Iterator[Checked]:
    for path in durable.drafts_in(folder):
        yield Checked(path, "is left over from a writing that was cut off")


# A run


def _run(folder: Path) -> Iterator[Checked]:
    header: run.Record | None = None
    try:
        header = run.read_header(folder)
        yield Checked(folder / run.HEADER)
    except RunError:
        missing = not (folder / run.HEADER).exists()
        yield Checked(folder / run.HEADER, "is missing" if missing else "is damaged")
    yield Checked(folder / run.TRACE, _trace_fault(folder / run.TRACE, header))
    yield Checked(folder / RUN_PREDICTIONS, _submission_fault(folder))
    if (folder / run.TIMINGS).exists():
        yield Checked(folder / run.TIMINGS, _lines_fault(folder / run.TIMINGS))
    yield from _stages(folder)
    yield from _leftovers(folder)


def _trace_fault(file: Path, header: run.Record | None) -> str:
    if fault := _lines_fault(file):
        return fault
    decided = [record for record in run.read_lines(file) if "error" not in record]
    claims = [record["claim_id"] for record in decided]
    if len(set(claims)) < len(claims):
        return "has two verdicts on one claim"
    if header and any(record.get("run") != run.run_id(header) for record in decided):
        return f"holds verdicts of another run than {run.HEADER} says"
    known = header.get("passages", {}) if header else {}
    if known and (others := [r["claim_id"] for r in decided if not _same(r, known)]):
        return f"claim {others[0]} was decided on other passages than {run.HEADER} says"
    return ""


def _same(record: run.Record, passages: run.Record) -> bool:
    return bool(record.get("passages") == passages.get(str(record["claim_id"])))


def _lines_fault(file: Path) -> str:
    try:
        content = file.read_bytes()
    except OSError as error:
        return "is missing" if isinstance(error, FileNotFoundError) else "cannot be read"
    damaged = [number for number, record in enumerate(run.lines(file), start=1) if record is None]
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
    return run.submission_of(run.by_claim(run.read_lines(folder / run.TRACE)).values())


def _stages(folder: Path) -> Iterator[Checked]:
    """The rankings, which have their SHA-256 in a file of `sha256sum`'s form."""
    sums = folder / SUMS
    if not sums.exists():
        return
    lines = [line.split("  ", 1) for line in sums.read_text("utf-8", "replace").splitlines()]
    if any(len(line) != 2 or Path(line[1]).name != line[1] for line in lines):
        yield Checked(sums, "is damaged")
        return
    yield Checked(sums)
    for digest, name in lines:
        file = folder / name
        found = hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else None
        fault = "" if found == digest else "its SHA-256 has changed"
        yield Checked(file, fault if found else "is missing")
