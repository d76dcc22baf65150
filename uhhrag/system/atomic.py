"""Atomic writes: beside, synced to disk, then renamed."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from pathlib import Path

from uhhrag.system.writing import new_file, remove

_DRAFT, _OLD = ".part", ".old"


def write_file(file: Path, content: bytes) -> None:
    """Readers see the old or new file, even after a power cut."""
    draft = _hidden(file, _DRAFT)
    try:
        with new_file(draft) as handle:
            handle.write(content)
            handle.flush()
            os.fsync(handle.fileno())
        draft.replace(file)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    sync(file.parent)


def write_changed(file: Path, content: bytes) -> None:
    if not file.exists() or file.read_bytes() != content:
        write_file(file, content)


def write_folder(folder: Path, contents: Mapping[str, bytes]) -> None:
    """A kill during replacement can leave no folder; `clear_leftovers` tidies up."""
    draft = _hidden(folder, _DRAFT)
    remove(draft)
    draft.mkdir(parents=True)
    for name, content in contents.items():
        write_file(draft / name, content)
    set_aside(folder)
    draft.rename(folder)
    sync(folder.parent)
    clear_leftovers(folder)


def set_aside(path: Path) -> None:
    """In one step; `clear_leftovers` deletes it."""
    if path.exists():
        remove(_hidden(path, _OLD))
        path.rename(_hidden(path, _OLD))


def clear_leftovers(path: Path) -> None:
    remove(_hidden(path, _DRAFT))
    remove(_hidden(path, _OLD))


def drafts_in(folder: Path) -> list[Path]:
    """Leftovers, sorted."""
    return sorted(path for suffix in (_DRAFT, _OLD) for path in folder.glob(f".*{suffix}"))


def _hidden(path: Path, suffix: str) -> Path:
    return path.with_name(f".{path.name}{suffix}")


def sync(folder: Path) -> None:
    """If the file system can."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOSYS):  # as of some network file systems
            raise
    finally:
        os.close(handle)
