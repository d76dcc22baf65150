"""A small file system in memory that can be full or read-only; tests get one as `disk`."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


class Disk:
    """A small file system in memory, for root only."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        if os.geteuid() or shutil.which("mount") is None or self.mount("size=10m"):
            pytest.skip("needs the right to mount a file system")

    def mount(self, options: str) -> int:
        what = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(self.folder)]
        return subprocess.run(what, capture_output=True, check=False).returncode

    def again(self, options: str) -> None:
        what = ["mount", "-o", f"remount,{options}", str(self.folder)]
        subprocess.run(what, capture_output=True, check=True)

    def fill(self, leaving: int) -> None:
        """Take all room but so many bytes."""
        free = os.statvfs(self.folder)
        (self.folder / "others").write_bytes(b"x" * (free.f_bavail * free.f_frsize - leaving))


@contextmanager
def small_disk(folder: Path) -> Iterator[Disk]:
    """One that is there while the block runs."""
    found = Disk(folder)
    yield found
    subprocess.run(["umount", "-l", str(found.folder)], check=False)
