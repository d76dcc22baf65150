"""One writer at a time, across processes: the lock of a folder or file that is being written.

By flock, for POSIX systems: the system lifts it however a process ends, and readers can share it,
which holds writers off while a folder is verified or joined.
"""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from uhhrag.system.writing import kept_file

NAME = ".lock"
"""The lock file of a folder, in it."""


def lock_beside(path: Path) -> Path:
    """The lock file of a file, or of a folder that is not there yet: hidden beside it.

    >>> str(lock_beside(Path("reports/store.jsonl")))
    'reports/.store.jsonl.lock'
    """
    return path.with_name(f".{path.name}{NAME}")


@contextmanager
def only_process(lock: Path, *, waits: bool = False) -> Iterator[None]:
    """Hold the lock file while the block runs. Where another process holds it, wait for that or
    raise BlockingIOError."""
    with kept_file(lock) as handle:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
        yield


@contextmanager
def no_writer(lock: Path) -> Iterator[None]:
    """Hold off those who would take the lock while the block runs. Raises BlockingIOError where a
    process has it. A folder without a lock file has no writer, and need not be writable; one with
    anything else in its place has none either."""
    if lock.is_symlink() or not lock.is_file():
        yield
        return
    with lock.open("rb") as handle:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        yield


@contextmanager
def sole_writer(
    lock: Path, *, busy: Exception, unwritable: Callable[[str], Exception]
) -> Iterator[None]:
    """Hold the lock file while the block runs; its folder is made where it is missing.

    Raises `busy` where another process holds the lock. What else the system refuses, to the block
    too (a full disk, a read-only folder), becomes `unwritable` of its reason; but a broken pipe
    passes as it is, since nobody reads the output any more."""
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        with only_process(lock):
            yield
    except BlockingIOError as error:
        raise busy from error
    except BrokenPipeError:
        raise
    except OSError as error:
        raise unwritable(error.strerror or str(error)) from error
