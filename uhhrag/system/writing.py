"""Opens files for writing, never through a link that others may have placed."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from pathlib import Path
from typing import BinaryIO

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL
_KEPT = os.O_RDWR | os.O_CREAT


def new_file(path: Path) -> BinaryIO:
    """Replaces whatever had its name."""
    remove(path)
    return os.fdopen(_opened(path, _NEW, 0o666), "wb")


def kept_file(path: Path, mode: int = 0o666) -> BinaryIO:
    """Made if missing. Raises OSError unless a plain file."""
    return os.fdopen(_opened(path, _KEPT, mode), "r+b")


def extended_file(path: Path) -> BinaryIO:
    """As `kept_file`, for appending."""
    return os.fdopen(_opened(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666), "ab")


def require_own(path: Path) -> None:
    """Raises OSError for a link or no plain file."""
    require_no_link(path)
    if path.exists() and not path.is_file():
        raise _not_plain(path.name)


def own_folder(path: Path) -> None:
    """Made if missing. Raises OSError for a link."""
    require_no_link(path)
    path.mkdir(exist_ok=True)


def require_no_link(path: Path) -> None:
    if path.is_symlink():
        raise _link(path.name)


def remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _opened(path: Path, flags: int, mode: int) -> int:
    # O_NONBLOCK: a named pipe would wait for its other end.
    flags |= os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
    try:
        handle = os.open(path, flags, mode)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise _link(path.name) from error
        raise
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise _not_plain(path.name)
    return handle


def _link(name: str) -> OSError:
    return OSError(errno.ELOOP, f"{name} is a link; delete the link")


def _not_plain(name: str) -> OSError:
    return OSError(errno.EINVAL, f"{name} is no plain file; delete it")
