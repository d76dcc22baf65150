"""What another user of this machine sees, for root only."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

USER = 40_002
"""Without a name."""


def as_other(function: Callable[[], object]) -> str:
    """What it gives or raises, in words, in a process of that user."""
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.environ["HOME"] = "/nonexistent"
        os.setgroups([])
        os.setgid(USER)
        os.setuid(USER)
        try:
            said = str(function())
        except BaseException as error:  # noqa: BLE001 - whatever it is, the test sees it
            said = f"{type(error).__name__}: {error}"
        os.write(writer, said.encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as told:
        said = told.read()
    os.wait()
    return said


@contextmanager
def open_folder() -> Iterator[Path]:
    """Every user may read it; a test's own folder is closed to others."""
    if os.geteuid():
        pytest.skip("only root can be another user")
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)
