"""Caches slow facts, such as files' SHA-256, in `$UHHRAG_HOME/cache` or the system's place."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from uhhrag.system import checksummed_json, locks, places
from uhhrag.system.atomic import write_file
from uhhrag.system.checksums import sha256_of_file

_KIND = "hashes"
_LARGE = 1_000_000
"""Least bytes to cache."""
_MAX_FACTS = 1000
"""Per kind; the oldest go first."""
_SETTLED = 2.0
"""Seconds after which a file's times distinguish changes."""


def recall(kind: str) -> dict[str, Any]:
    """Facts by key; {} if missing or damaged."""
    try:
        return dict(checksummed_json.from_bytes(_file(kind).read_bytes())["facts"])
    except (OSError, ValueError):
        return {}


def remember(kind: str, facts: Mapping[str, Any]) -> None:
    with suppress(OSError):
        places.cache().mkdir(parents=True, exist_ok=True)
        with locks.only_process(locks.lock_beside(_file(kind)), waits=True):
            earlier = {key: value for key, value in recall(kind).items() if key not in facts}
            newest = list({**earlier, **facts}.items())[-_MAX_FACTS:]
            write_file(_file(kind), checksummed_json.to_bytes({"facts": dict(newest)}))


def state_of(file: Path) -> str:
    """Changes with a file's content; "" if changed too lately. Raises OSError if missing."""
    about = file.stat()
    if time.time() - max(about.st_mtime, about.st_ctime) < _SETTLED:
        return ""
    times = f"{about.st_mtime_ns} {about.st_ctime_ns}"
    return f"{about.st_size} {times} {about.st_dev} {about.st_ino}"


def _file(kind: str) -> Path:
    return places.cache() / f"{kind}.json"


def sha256_of_files(files: Iterable[Path], *, again: bool = False) -> list[str]:
    """Cached while length, times and inode stay, unless `again`. Raises OSError if unreadable."""
    known, new = recall(_KIND), {}
    hashes = []
    for file in files:
        state = state_of(file) if file.stat().st_size >= _LARGE else ""
        key = f"{file.absolute()} {state}"
        digest = known.get(key) if state and not again else None
        if digest is None:
            digest = sha256_of_file(file)
            if state and state == state_of(file):
                new[key] = digest
        hashes.append(digest)
    if new:
        remember(_KIND, new)
    return hashes


def changed_ns(about: os.stat_result) -> int:
    """The later of mtime, which anybody can set, and ctime."""
    return max(about.st_mtime_ns, about.st_ctime_ns)
