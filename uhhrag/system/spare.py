"""Temporary folders; the next process clears a killed one's."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PREFIX = ".uhhrag-"
"""Hidden: no user's own folder has this name, which `clear_left` deletes."""
_YOUNG = 60.0
"""Seconds until a new folder is surely locked."""


@contextmanager
def spare_folder(parent: Path | None = None) -> Iterator[Path]:
    """Private, deleted after the block."""
    base = parent or Path(tempfile.gettempdir())
    clear_left(base)
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=base))
    try:
        with _held(folder):
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def spare_beside(file: Path) -> Iterator[None]:
    """Puts each `spare_folder` of the block beside the file."""
    before, tempfile.tempdir = tempfile.tempdir, str(file.parent)
    try:
        yield
    finally:
        tempfile.tempdir = before


def clear_left(base: Path) -> None:
    """Delete those that no living process holds."""
    for folder in base.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            status = folder.lstat()
            ours = stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid()
            if ours and time.time() - status.st_mtime > _YOUNG:
                with _held(folder):
                    shutil.rmtree(folder)


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Raises BlockingIOError if another process has it."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)
