"""One writer at a time across processes, by flock (POSIX); readers share."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from uhhrag.system.writing import kept_file

NAME = ".lock"
"""In the folder it locks."""


def lock_beside(path: Path) -> Path:
    """
    >>> str(lock_beside(Path("reports/store.jsonl")))
    'reports/.store.jsonl.lock'
    """
    return path.with_name(f".{path.name}{NAME}")


@contextmanager
def only_process(lock: Path, *, waits: bool = False) -> Iterator[None]:
    """If another process has the lock, wait or raise BlockingIOError."""
    with kept_file(lock) as handle:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
        yield


@contextmanager
def no_writer(lock: Path, busy: Exception) -> Iterator[None]:
    """Holds writers off, or raises `busy`. A read-only folder has no lock file."""
    if lock.is_symlink() or not lock.is_file():
        yield
        return
    with lock.open("rb") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            raise busy from None
        yield


@contextmanager
def sole_writer(
    lock: Path, *, busy: Exception, unwritable: Callable[[str], Exception]
) -> Iterator[None]:
    """Raises `busy` if another process has it; other OSErrors become `unwritable`."""
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
