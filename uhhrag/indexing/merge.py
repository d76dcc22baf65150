"""Join indexes that several machines made of one claims file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from uhhrag.errors import IndexFault
from uhhrag.indexing import index_folder
from uhhrag.indexing.build import difference, prepare, sole_writer
from uhhrag.indexing.index_folder import Entry, Header
from uhhrag.indexing.verify import damage
from uhhrag.system import atomic
from uhhrag.system.checks import Merged


def merge_indexes(parts: Sequence[Path], out: Path) -> Merged:
    opened = {part: index_folder.open_index(part) for part in dict.fromkeys(parts)}
    header = opened[parts[0]].header
    for part, found in opened.items():
        _require_same_header(header, found.header, parts[0], part)
    where: dict[int, tuple[Path, Entry]] = {}
    for part, found in opened.items():
        for entry in found.entries:
            _require_sound(part, entry)
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
                atomic.write_folder(index_folder.claim_folder(out, claim_id), _files(part, entry))
    return Merged(sorted(where), range(header.claims))


def _require_same_header(first: Header, found: Header, one: Path, other: Path) -> None:
    if found != first:
        what = difference(found, first) or f"uhhrag {found.uhhrag}, not {first.uhhrag}"
        raise IndexFault(f"{other} was built with {what} as {one} was; they cannot be joined")


def _require_sound(part: Path, entry: Entry) -> None:
    if found := next(damage(part, entry.claim.id, entry.recipe), None):
        raise IndexFault(
            f"{found.file}: {found.fault}; run: uhhrag index DATA --out {part} --repair"
        )


def _files(part: Path, entry: Entry) -> Mapping[str, bytes]:
    files = {name: index_folder.checked(part, entry, name) for name in entry.sha256}
    return {**files, index_folder.MANIFEST: index_folder.manifest_to_bytes(entry)}
