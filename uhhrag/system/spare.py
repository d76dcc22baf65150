"""Folders for a while, which are gone even where a process was killed: the next one clears them."""

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

_PREFIX = "uhhrag-"
_YOUNG = 60.0
"""Seconds in which the maker of a folder may not hold it yet."""


@contextmanager
def spare_folder(parent: Path | None = None) -> Iterator[Path]:
    """A folder of the user's alone, in the system's place for such or in `parent`; it is deleted
    with all that is in it when the block ends. What killed processes left there goes first."""
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
    """In the block, folders of `spare_folder` stand beside a file, whose owner clears them."""
    before, tempfile.tempdir = tempfile.tempdir, str(file.parent)
    try:
        yield
    finally:
        tempfile.tempdir = before


def clear_left(base: Path) -> None:
    """Delete the folders of `spare_folder` that no living process holds."""
    for folder in base.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            status = folder.lstat()
            ours = stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid()
            if ours and time.time() - status.st_mtime > _YOUNG:
                with _held(folder):
                    shutil.rmtree(folder)


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Hold a folder for this process. Raises BlockingIOError where another one holds it."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)
