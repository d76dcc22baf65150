"""Facts that take long to find out, kept in the user's cache folder: `$UHHRAG_HOME/cache`, else the
system's place for caches. They only save time: what is missing, damaged or cannot be written is
found out again."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from platformdirs import user_cache_dir

from uhhrag.system import checksummed_json
from uhhrag.system.atomic import write_file

_MOST = 1000
"""Facts of one kind; the oldest go first."""
_SETTLED = 2.0
"""Seconds after which a file's times tell a new change from the last one."""


def folder() -> Path:
    """Where facts are kept."""
    home = os.environ.get("UHHRAG_HOME")
    # Path's own expanduser raises for ~unknown
    return Path(os.path.expanduser(home)) / "cache" if home else Path(user_cache_dir("uhhrag"))  # noqa: PTH111


def recall(kind: str) -> dict[str, Any]:
    """All facts of a kind by their keys; empty where none are kept or they are damaged."""
    try:
        return dict(checksummed_json.from_bytes(_file(kind).read_bytes())["facts"])
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def remember(kind: str, facts: Mapping[str, Any]) -> None:
    """Keep facts, JSON values by their keys, in the place of earlier ones with these keys."""
    earlier = {key: value for key, value in recall(kind).items() if key not in facts}
    newest = list({**earlier, **facts}.items())[-_MOST:]
    with suppress(OSError):
        folder().mkdir(parents=True, exist_ok=True)
        write_file(_file(kind), checksummed_json.to_bytes({"facts": dict(newest)}))


def state_of(file: Path) -> str:
    """What changes with a file's content: its length, its times and its place on the disk. "" for a
    file changed so lately that a further change might not show. Raises OSError where it is not
    there."""
    about = file.stat()
    if time.time() - max(about.st_mtime, about.st_ctime) < _SETTLED:
        return ""
    times = f"{about.st_mtime_ns} {about.st_ctime_ns}"
    return f"{about.st_size} {times} {about.st_dev} {about.st_ino}"


def _file(kind: str) -> Path:
    return folder() / f"{kind}.json"
