"""Which files others than their user may use."""

from __future__ import annotations

import stat
from pathlib import Path


def readable_by_others(*folders: Path) -> dict[str, str]:
    """The modes of files and folders that more than their user may use."""
    paths = [path for folder in folders for path in (folder, *folder.rglob("*"))]
    assert len(paths) > 3
    modes = {str(path): stat.S_IMODE(path.stat().st_mode) for path in paths}
    return {name: oct(mode) for name, mode in modes.items() if mode & 0o077}
