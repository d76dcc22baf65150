"""Checks and merges indexes and runs; merging gives one machine's bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from uhhrag.archive import manifest
from uhhrag.errors import ClaimsFailed, IndexFault, InputError, RunError, UhhragError, UsageError
from uhhrag.indexing import index_folder
from uhhrag.indexing.merge import merge_indexes
from uhhrag.indexing.verify import check_index
from uhhrag.runs import run_folder, trace
from uhhrag.runs.merge import merge_runs
from uhhrag.runs.verify import check_run
from uhhrag.system import locks
from uhhrag.system.checks import FileCheck, Merged
from uhhrag.system.terminal import first_of, quantity


@dataclass(frozen=True, slots=True)
class Kind:
    name: str
    error: type[UhhragError]
    repair: str


def find_kind(folder: Path) -> Kind | None:
    """None for neither. Raises InputError for an archive."""
    if manifest.is_archive(folder):
        raise InputError(f"{folder}: is an archive; see: uhhrag archive --help")
    names = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    if names & {run_folder.HEADER, trace.TRACE}:
        again = f"uhhrag predict … --out {folder} --repair, with the options of this run"
        checked = run_folder.SEARCHED in names
        return Kind("run", RunError, "the same uhhrag check again" if checked else again)
    if names & {index_folder.MANIFEST, index_folder.claims_folder(folder).name}:
        return Kind("index", IndexFault, f"uhhrag index DATA --out {folder} --repair")
    return None


def kind_of(folder: Path) -> Kind:
    """Raises InputError for neither."""
    if kind := find_kind(folder):
        return kind
    what = "is neither an index nor a run folder" if folder.exists() else "no such folder"
    raise InputError(
        f"{folder}: {what}; give one that `uhhrag index`, `uhhrag predict` or `uhhrag check` wrote"
    )


def verify(folder: Path, memory_fault: Callable[[Path], str]) -> Iterator[FileCheck]:
    """`memory_fault` checks the reply cache. Raises the kind's error if in use."""
    kind = kind_of(folder)
    busy = kind.error(f"{folder}: another uhhrag is at work on it; verify it when that has ended")
    with locks.no_writer(folder / locks.NAME, busy):
        yield from check_index(folder, memory_fault) if kind.name == "index" else check_run(folder)


def merge(parts: Sequence[Path], out: Path) -> Merged:
    """Includes what is in `out`. Raises IndexFault or RunError, before writing, for unfit parts."""
    if not parts:
        raise UsageError("nothing to merge: name the index or run folders to join")
    if out.is_dir() and any(path.name != locks.NAME for path in out.iterdir()):
        parts = [out, *parts]
    kind = kind_of(parts[0])
    if other := next((part for part in parts if kind_of(part).name != kind.name), None):
        raise UsageError(f"{other} holds no {kind.name}, but {parts[0]} does; join one kind alone")
    with ExitStack() as held:
        for part in (part for part in parts if part.resolve() != out.resolve()):
            busy = f"{part}: another uhhrag is at work on it; merge when that has ended"
            held.enter_context(locks.no_writer(part / locks.NAME, kind.error(busy)))
        return merge_indexes(parts, out) if kind.name == "index" else merge_runs(parts, out)


def require_all(merged: Merged, out: Path) -> None:
    if missing := merged.missing:
        raise ClaimsFailed(
            f"{out}: missing are {len(missing)} of {quantity(len(merged.wanted), 'claim')} (claim "
            f"{first_of(missing, 20)}); merge the part that has them, or make them here by "
            f"--out {out}"
        )
