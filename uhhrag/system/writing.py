"""Files opened for writing, for the whole package: none is opened through a link, none is emptied.

A folder from somebody else can hold links under the names of files that are written there. What
would be written through one is refused, or put in the place of the link itself.
"""

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
    """An empty file of this name, open for writing. What had the name before, a link or what an
    interrupted writing left, is deleted."""
    remove(path)
    return os.fdopen(_opened(path, _NEW, 0o666), "wb")


def kept_file(path: Path, mode: int = 0o666) -> BinaryIO:
    """The file of this name, open for reading and writing, its content as it was; a missing one is
    made with `mode`. Raises OSError for a link, and for what is no plain file."""
    return os.fdopen(_opened(path, _KEPT, mode), "r+b")


def extended_file(path: Path) -> BinaryIO:
    """The file of this name, open for writing at its end; a missing one is made. Raises OSError for
    a link, and for what is no plain file."""
    return os.fdopen(_opened(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666), "ab")


def require_own(path: Path) -> None:
    """Raises OSError where a link, or no plain file, has this name: for what another library
    opens for writing by its name."""
    require_no_link(path)
    if path.exists() and not path.is_file():
        raise _not_plain(path.name)


def own_folder(path: Path) -> None:
    """Make a folder where it is missing. Raises as `require_no_link`."""
    require_no_link(path)
    path.mkdir(exist_ok=True)


def require_no_link(path: Path) -> None:
    """Raises OSError where a link has the name of a folder: what is written and deleted in it would
    be somewhere else."""
    if path.is_symlink():
        raise _link(path.name)


def remove(path: Path) -> None:
    """Delete a file, a link or a folder with all that is in it; nothing where it is gone."""
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
