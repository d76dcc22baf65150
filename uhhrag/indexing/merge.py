from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from uhhrag.errors import IndexFault
from uhhrag.indexing import index_folder
from uhhrag.indexing.build import difference, prepare, sole_writer
from uhhrag.indexing.index_folder import ClaimManifest
from uhhrag.indexing.verify import damage
from uhhrag.system import atomic
from uhhrag.system.checks import Merged


def merge_indexes(parts: Sequence[Path], out: Path) -> Merged:
    opened = {part: index_folder.open_index(part) for part in dict.fromkeys(parts)}
    header = opened[parts[0]].header
    for part, index in opened.items():
        if index.header != header:
            uhhrag = index.header.uhhrag
            what = difference(index.header, header) or f"uhhrag {uhhrag}, not {header.uhhrag}"
            raise IndexFault(
                f"{part} was built with {what} as {parts[0]} was; they cannot be joined"
            )
    where: dict[int, tuple[Path, ClaimManifest]] = {}
    for part, index in opened.items():
        for manifest in index.manifests:
            if fault := next(damage(part, manifest.claim.id, manifest.recipe), None):
                raise IndexFault(
                    f"{fault.file}: {fault.fault}; run: uhhrag index DATA --out {part} --repair"
                )
            place, known = where.setdefault(manifest.claim.id, (part, manifest))
            if replace(known, store="") != replace(manifest, store=""):  # none in an older part
                raise IndexFault(
                    f"claim {manifest.claim.id} is one thing in {place} and another in {part}; "
                    "they are not of one claims file and store, so they cannot be joined"
                )
    with sole_writer(out):
        prepare(out, header)
        for claim_id, (part, manifest) in sorted(where.items()):
            if part.resolve() != out.resolve():
                files = {n: index_folder.checked(part, manifest, n) for n in manifest.sha256}
                files[index_folder.MANIFEST] = index_folder.manifest_to_bytes(manifest)
                atomic.write_folder(index_folder.claim_folder(out, claim_id), files)
    return Merged(sorted(where), range(header.claims))
