from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa

from uhhrag.errors import IndexFault
from uhhrag.indexing import index_folder
from uhhrag.indexing.index_folder import ClaimManifest, Header, IndexSettings
from uhhrag.indexing.vectors import are_unit
from uhhrag.system.checks import FileCheck, fault_alone, unexpected_files, unfinished_files
from uhhrag.system.terminal import quantity


def damage(folder: Path, claim_id: int, recipe: IndexSettings) -> Iterator[FileCheck]:
    """A claim's damaged files; its manifest if missing."""
    return (check for check in _claim(folder, claim_id, recipe) if check.fault)


def check_index(folder: Path, memory_fault: Callable[[Path], str]) -> Iterator[FileCheck]:
    header, fault = _header(folder)
    yield FileCheck(folder / index_folder.MANIFEST, fault)
    ids = index_folder.claim_ids(folder)
    for claim_id in ids:
        yield from _claim(folder, claim_id, header.recipe if header else None)
        if header and claim_id >= header.claims:
            where = index_folder.claim_folder(folder, claim_id)
            yield FileCheck(where, f"the claims file ends with claim {header.claims - 1}")
    ours = {str(claim_id) for claim_id in ids}
    yield from unexpected_files(index_folder.claims_folder(folder), ours)
    yield from unfinished_files(folder)
    if (memory := folder / index_folder.REPLIES).exists():
        yield FileCheck(memory, memory_fault(memory))


def _header(folder: Path) -> tuple[Header | None, str]:
    try:
        header = index_folder.read_header(folder)
    except IndexFault as fault:
        return None, fault_alone(fault, folder / index_folder.MANIFEST)
    return header, "" if header else "is missing"


def _claim(folder: Path, claim_id: int, recipe: IndexSettings | None) -> Iterator[FileCheck]:
    where = index_folder.claim_folder(folder, claim_id)
    file = where / index_folder.MANIFEST
    try:
        manifest = index_folder.read_claim_manifest(folder, claim_id)
        if manifest and recipe:
            index_folder.require_recipe(manifest, recipe, folder)
    except IndexFault as fault:
        yield FileCheck(file, fault_alone(fault, file))
        return
    yield FileCheck(file, "" if manifest else "is missing")
    if manifest is None:
        return
    checks = [_hashed(folder, manifest, name) for name in manifest.sha256]
    yield from checks
    yield from unexpected_files(where, {index_folder.MANIFEST, *manifest.sha256})
    if not any(check.fault for check in checks) and (wrong := _structure(folder, manifest)):
        yield FileCheck(where, wrong)


def _hashed(folder: Path, manifest: ClaimManifest, name: str) -> FileCheck:
    file = index_folder.claim_folder(folder, manifest.claim.id) / name
    try:
        index_folder.checked(folder, manifest, name)
    except IndexFault as fault:
        return FileCheck(file, fault_alone(fault, file))
    return FileCheck(file)


def _structure(folder: Path, manifest: ClaimManifest) -> str:
    try:
        loaded = index_folder.load(folder, manifest)
    except (IndexFault, pa.ArrowException, KeyError, TypeError, ValueError) as error:
        return f"cannot be read: {error}"
    if len(loaded.hits) != manifest.counts.kept:
        return (
            f"has {quantity(len(loaded.hits), 'passage')}, its manifest says {manifest.counts.kept}"
        )
    flat = loaded.vectors
    unit = not flat.ntotal or are_unit(flat.reconstruct_n(0, flat.ntotal), 1e-2)
    return "" if unit else "its vectors are not of unit length"
