"""Opens a claim's file: in a folder, in a zip, or one for all; InputError if unsafe."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TypeVar

from uhhrag.errors import InputError
from uhhrag.system.machine_cache import changed_ns

T = TypeVar("T")

STORES = (".jsonl", ".ndjson")
"""Endings of a file for all claims."""
_BOMB_SIZE, _BOMB_RATIO = 2**28, 200
"""A member may unpack to so many bytes, or to this multiple of its size."""
_MAX_MEMBERS = 100_000
_DAMAGED = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError)


def serves_all(store: Path) -> bool:
    return store.suffix.lower() in STORES and store.is_file()


@contextmanager
def open_claim_file(store: Path, claim_id: int) -> Iterator[tuple[io.BufferedReader, str]]:
    """A stream, and the file's name."""
    where = f"{store}: the file of claim {claim_id}"
    try:
        if store.is_dir():
            file = _file_in_folder(store, claim_id)
            with file.open("rb") as stream:
                yield stream, file.name
        elif serves_all(store):
            with store.open("rb") as stream:
                yield stream, store.name
        elif store.exists():
            with zipfile.ZipFile(store) as archive:
                member = _member(archive, store, claim_id)
                with archive.open(member) as packed:
                    yield io.BufferedReader(packed, 2**20), PurePosixPath(member.filename).name  # type: ignore[arg-type]
        else:
            raise InputError(f"{store}: no such knowledge store; give a folder or a zip by --store")
    except _DAMAGED as error:
        raise InputError(f"{where} cannot be read, the zip is damaged: {error}") from error
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"{where} cannot be read: {why}") from error


def last_change(store: Path, claim_id: int) -> int:
    """`changed_ns` of the file with a claim's pages, perhaps a zip. Raises InputError or OSError
    without one."""
    return changed_ns((_file_in_folder(store, claim_id) if store.is_dir() else store).stat())


def _file_in_folder(store: Path, claim_id: int) -> Path:
    direct = store / f"{claim_id}.json"
    files = [direct] if direct.exists() else sorted(store.rglob(direct.name))
    file = _only(files, store, claim_id)
    if not file.resolve().is_relative_to(store.resolve()):
        raise InputError(
            f"{file}: is a link to {file.resolve()}, outside the store; refused; put the file "
            "itself there, or give its folder by --store"
        )
    if not file.is_file() and not file.is_dir():  # opening a pipe would wait for its other end
        raise InputError(f"{file}: is a pipe or a device, not a file; put a file there")
    return file


def _member(archive: zipfile.ZipFile, store: Path, claim_id: int) -> zipfile.ZipInfo:
    named: list[zipfile.ZipInfo] = []
    if len(archive.infolist()) > _MAX_MEMBERS:
        raise InputError(f"{store}: holds more than {_MAX_MEMBERS:,} files; no store does; refused")
    for member in archive.infolist():
        path = PurePosixPath(member.filename.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts:
            raise InputError(
                f"{store}: its member {member.filename!r} points out of the zip; refused"
            )
        if path.name == f"{claim_id}.json" and path.parts[0] != "__MACOSX":
            named.append(member)
    return _readable(_only(named, store, claim_id), store)


def _only(named: Sequence[T], store: Path, claim_id: int) -> T:
    if not named:
        raise InputError(f"{store}: no file {claim_id}.json for claim {claim_id}")
    if len(named) > 1:
        raise InputError(
            f"{store}: {len(named)} files are named {claim_id}.json; keep the right one alone"
        )
    return named[0]


def _readable(member: zipfile.ZipInfo, store: Path) -> zipfile.ZipInfo:
    where = f"{store}: {member.filename}"
    if member.flag_bits & 1:
        raise InputError(f"{where} is encrypted; unpack it and give the folder by --store")
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise InputError(f"{where} is packed by a method that is not read; pack it by deflate")
    packed = min(member.compress_size, store.stat().st_size)  # the zip can say what it likes
    if member.file_size > max(_BOMB_SIZE, _BOMB_RATIO * packed):
        raise InputError(
            f"{where} would unpack to {member.file_size:,} bytes, as no text does; refused"
        )
    return member
