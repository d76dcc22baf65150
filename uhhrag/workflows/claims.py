from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from uhhrag.documents.document import Unreadable
from uhhrag.documents.web.html import page_text
from uhhrag.errors import InputError
from uhhrag.formats.claim_reviews import (
    ENDINGS,
    CheckedClaim,
    merged,
    read_checked,
    read_reviews,
    write_checked,
)
from uhhrag.formats.linked_data import PAGES
from uhhrag.system.locks import lock_beside, only_process
from uhhrag.system.terminal import printable
from uhhrag.system.text_files import read_bytes
from uhhrag.text.encodings import decode
from uhhrag.wiring.checked_claims import file_of_checked
from uhhrag.workflows.observer import Observer

_MAX_BYTES = 256 * 2**20
"""Bytes of a file."""


@dataclass(frozen=True, slots=True)
class ImportedClaims:
    file: Path
    added: int
    claims: int
    """Earlier ones included."""


def import_claims(paths: Sequence[Path], observer: Observer) -> ImportedClaims:
    """An unreadable file in a folder is a warning. Raises InputError for one named, or for none."""
    found: list[CheckedClaim] = []
    for path in paths:
        if not path.is_dir():
            found += _read(path, observer)
            continue
        inside = sorted(one for one in path.rglob("*") if one.suffix.lower() in ENDINGS)
        for file in observer.track(inside, len(inside), "files"):
            try:
                found += _read(file, observer)
            except InputError as error:
                observer.warn(printable(str(error)))
    if not found:
        raise InputError(f"{paths[0]}: holds no checked claim in {' '.join(ENDINGS)}")
    file = file_of_checked()
    file.parent.mkdir(parents=True, exist_ok=True)
    with only_process(lock_beside(file), waits=True):
        before = read_checked(file) if file.exists() else ()
        together = merged(before, found)
        write_checked(file, together)
    return ImportedClaims(file, len(together) - len(before), len(together))


def _read(file: Path, observer: Observer) -> list[CheckedClaim]:
    ending = file.suffix.lower()
    if file.is_file() and ending not in ENDINGS:
        raise InputError(f"{file}: is of no kind that is read; give one of {' '.join(ENDINGS)}")
    if file.is_file() and file.stat().st_size > _MAX_BYTES:
        raise InputError(f"{file}: has more than {_MAX_BYTES:,} bytes; split it")
    raw = read_bytes(file)
    try:
        content = page_text(raw) if ending in PAGES else decode(raw)
    except Unreadable as error:
        raise InputError(f"{file}: {error}") from error
    if content.fault:
        observer.warn(printable(f"{file}: {content.fault}"))
    return read_reviews(
        content.text, str(file), ending, lambda said: observer.warn(printable(said))
    )
