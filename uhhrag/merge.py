"""Join indexes, or runs, that several machines made of one claims file (`--shard`).

All is checked before anything is written: that the parts are sound, that they were made in the same
way of the same claims, and that no two say different things of one claim. What comes out is to
the byte what one machine would have made. Left out: the kept replies and the TREC rankings, which
are made again from the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from uhhrag import durable, run
from uhhrag import index as layout
from uhhrag.errors import ClaimsFailed, IndexFault, RunError, UhhragError, UsageError
from uhhrag.index import Entry, Header
from uhhrag.indexing import difference, prepare, sole_writer
from uhhrag.run import Record
from uhhrag.verify import damage, kind_of


@dataclass(frozen=True, slots=True)
class Merged:
    """What was joined: the ids of claims that are there, and of those that should be."""

    there: Sequence[int]
    wanted: Sequence[int]

    @property
    def missing(self) -> list[int]:
        return sorted(set(self.wanted) - set(self.there))


def merge(parts: Sequence[Path], out: Path) -> Merged:
    """Join indexes or runs. What `out` holds already counts as a part.

    Raises IndexFault or RunError where a part is damaged, in use, or made in another way, or
    where two parts say different things of one claim; then `out` is as it was."""
    if not parts:
        raise UsageError("nothing to merge: name the index or run folders to join")
    if out.is_dir() and any(path.name != layout.LOCK for path in out.iterdir()):
        parts = [out, *parts]
    kind = kind_of(parts[0])
    if other := next((part for part in parts if kind_of(part).name != kind.name), None):
        raise UsageError(f"{other} is no {kind.name}, but {parts[0]} is; join one kind alone")
    others = [part for part in parts if part.resolve() != out.resolve()]
    with _held(others, kind.error):
        return _merge_indexes(parts, out) if kind.name == "index" else _merge_runs(parts, out)


def demand_all(merged: Merged, out: Path) -> None:
    """Raises ClaimsFailed, naming them, if claims are missing."""
    if missing := merged.missing:
        ids = ", ".join(map(str, missing[:20])) + (", …" if len(missing) > 20 else "")
        raise ClaimsFailed(
            f"{out}: {len(missing)} of {len(merged.wanted)} claims are missing (claim {ids}); "
            f"merge the part that has them, or make them here by --out {out}"
        )


@contextmanager
def _held(parts: Sequence[Path], error: type[UhhragError]) -> Iterator[None]:
    """Nobody writes to the parts meanwhile."""
    with ExitStack() as stack:
        for part in parts:
            try:
                stack.enter_context(durable.no_writer(part / layout.LOCK))
            except BlockingIOError:
                raise error(
                    f"{part}: another uhhrag is at work on it; merge when that has ended"
                ) from None
        yield


# Indexes


def _merge_indexes(parts: Sequence[Path], out: Path) -> Merged:
    opened = {part: layout.open_index(part) for part in dict.fromkeys(parts)}
    header = opened[parts[0]].header
    for part, found in opened.items():
        _demand_same_header(header, found.header, parts[0], part)
    where: dict[int, tuple[Path, Entry]] = {}
    for part, found in opened.items():
        for entry in found.entries:
            _demand_sound(part, entry)
            place, known = where.setdefault(entry.claim.id, (part, entry))
            if known != entry:
                raise IndexFault(
                    f"claim {entry.claim.id} is one thing in {place} and another in {part}; they "
                    "are not of one claims file and store, so they cannot be joined"
                )
    with sole_writer(out):
        prepare(out, header)
        for claim_id, (part, entry) in sorted(where.items()):
            if part.resolve() != out.resolve():
                durable.write_folder(layout.claim_folder(out, claim_id), _files(part, entry))
    return Merged(sorted(where), range(header.claims))


def _demand_same_header(first: Header, found: Header, one: Path, other: Path) -> None:
    if found != first:
        what = difference(found, first) or f"uhhrag {found.uhhrag}, not {first.uhhrag}"
        raise IndexFault(f"{other} was built with {what} as {one} was; they cannot be joined")


def _demand_sound(part: Path, entry: Entry) -> None:
    if found := next(damage(part, entry.claim.id, entry.recipe), None):
        raise IndexFault(
            f"{found.file}: {found.fault}; run: uhhrag index DATA --out {part} --repair"
        )


def _files(part: Path, entry: Entry) -> Mapping[str, bytes]:
    files = {name: layout.checked(part, entry, name) for name in entry.sha256}
    return {**files, layout.MANIFEST: layout.manifest_to_bytes(entry)}


# Runs


def _merge_runs(parts: Sequence[Path], out: Path) -> Merged:
    header = run.read_header(parts[0])
    for part in parts[1:]:
        found = run.read_header(part)
        _demand_same_run(header, found, parts[0], part)
        header = {**header, "passages": run.same_passages(part, header, found)}
    records: dict[int, Record] = {}
    for part in parts:
        for record in run.by_claim(run.read_trace(part / run.TRACE)).values():
            records[record["claim_id"]] = _agreed(records, record, part)
    timings = run.by_claim(t for part in parts for t in run.read_lines(part / run.TIMINGS))
    with run.open_run(out, header, overwrite=False, repair=False) as opened:
        durable.write_file(opened.trace, b"".join(map(run.as_line, records.values())))
        if timings:
            durable.write_file(opened.timings, b"".join(map(run.as_line, timings.values())))
    decided = sorted(claim_id for claim_id, record in records.items() if "error" not in record)
    return Merged(decided, sorted({*map(int, header.get("passages", {})), *records}))


def _demand_same_run(first: Record, found: Record, one: Path, other: Path) -> None:
    """Where models and templates lie, and the kind of processor, may differ from machine to
    machine; what the models and templates are may not."""
    differing = [
        key
        for key in dict.fromkeys([*first, *found])
        if key not in ("settings", "passages", "processor") and first.get(key) != found.get(key)
    ]
    if differing:
        what = (
            run.difference(found["signature"], first)
            if "signature" in differing
            else f"{', '.join(differing)} differ"
        )
        raise RunError(
            f"{other} is a run with other settings than {one} ({what}); they cannot be joined"
        )


def _agreed(known: Mapping[int, Record], record: Record, part: Path) -> Record:
    """What two parts say of a claim: a verdict goes before a failure."""
    other = known.get(record["claim_id"], record)
    if "error" in record:
        return other
    if "error" not in other and other != record:
        raise RunError(
            f"{part}: claim {record['claim_id']} was decided in another way than in the parts "
            "before it; they cannot be joined"
        )
    return record
