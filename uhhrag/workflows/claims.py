"""Imports checked claims, which every check looks up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from uhhrag.errors import InputError
from uhhrag.formats.checked_claims import merged, read_checked, write_checked
from uhhrag.formats.claim_reviews import ENDINGS, CheckedClaim, read_reviews
from uhhrag.system.terminal import printable
from uhhrag.text.encodings import decode
from uhhrag.wiring.checked_claims import file_of_checked
from uhhrag.workflows.observer import Observer

_LARGEST = 256 * 2**20
"""Most bytes of a file."""


@dataclass(frozen=True, slots=True)
class ImportedClaims:
    file: Path
    added: int
    claims: int
    """All, earlier ones included."""


def import_claims(paths: Sequence[Path], observer: Observer) -> ImportedClaims:
    """Add the checked claims of files and folders.

    Unreadable files of a folder are warnings. Raises InputError for an unreadable file named, or if
    nothing is found."""
    found: list[CheckedClaim] = []
    for path in paths:
        if not path.is_dir():
            found += _read(path)
            continue
        inside = sorted(one for one in path.rglob("*") if one.suffix.lower() in ENDINGS)
        for file in observer.track(inside, len(inside), "files"):
            try:
                found += _read(file)
            except InputError as error:
                observer.warn(printable(str(error)))
    if not found:
        raise InputError(f"{paths[0]}: holds no checked claim in {' '.join(ENDINGS)}")
    file = file_of_checked()
    before = read_checked(file) if file.exists() else ()
    together = merged(before, found)
    write_checked(file, together)
    return ImportedClaims(file, len(together) - len(before), len(together))


def _read(file: Path) -> list[CheckedClaim]:
    ending = file.suffix.lower()
    if ending not in ENDINGS:
        raise InputError(f"{file}: is of no kind that is read; give one of {' '.join(ENDINGS)}")
    try:
        if file.stat().st_size > _LARGEST:
            raise InputError(f"{file}: has more than {_LARGEST:,} bytes; split it")
        raw = file.read_bytes()
    except OSError as error:
        raise InputError(
            f"{file}: cannot be read: {error.strerror}; give a file that is there and may be read"
        ) from error
    return read_reviews(decode(raw).text, str(file), ending)


def as_objects(claims: Sequence[CheckedClaim]) -> list[dict[str, str]]:
    return [asdict(one) for one in claims]
