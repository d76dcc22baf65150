from __future__ import annotations

import shutil
import struct
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from uhhrag.errors import ModelError
from uhhrag.system.writing import new_file

_MOST, _MOST_FILES = 1_000_000_000, 10_000
"""The table's largest has 36 million bytes in 150 files."""

DAMAGED = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, RuntimeError, ValueError)
"""Raised for damaged or encrypted zips."""


def unpack(archive: Path) -> None:
    """To `x/` beside `x.zip`, which is removed. Raises ModelError if damaged, unsafe or huge."""
    try:
        with zipfile.ZipFile(archive) as zipped:
            members = [member for member in zipped.infolist() if not member.is_dir()]
            if sum(member.file_size for member in members) > _MOST or len(members) > _MOST_FILES:
                raise ModelError(
                    f"{archive.name} would unpack to more than a gigabyte or {_MOST_FILES} files; "
                    "refused"
                )
            for member in members:
                target = archive.parent / _inside(member.filename, archive)
                target.parent.mkdir(parents=True, exist_ok=True)
                with zipped.open(member) as source, new_file(target) as sink:
                    shutil.copyfileobj(source, sink)
    except DAMAGED as error:
        raise ModelError(f"{archive.name} is damaged: {error}; pull it again") from error
    archive.unlink()


def _inside(name: str, archive: Path) -> PurePosixPath:
    path = PurePosixPath(name)
    if path.parts[0] != archive.stem or ".." in path.parts or "\\" in name or ":" in name:
        raise ModelError(f"{archive.name} holds '{name}', outside {archive.stem}/; refused")
    return path
