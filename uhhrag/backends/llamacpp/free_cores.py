"""How many threads leave other programs' cores alone: one that shares its core holds up all."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

_EVERY = 0.5
"""Seconds."""
_IDLE = (3, 4)
"""Columns of /proc/stat: idle, and waiting for a disk."""
Looked = tuple[float, float, float]
"""Moment; processor time of all programs, of this one (seconds)."""


def look() -> Looked | None:
    """None if unknown."""
    try:
        lines = Path("/proc/stat").read_text().splitlines()
        own = {f"cpu{number}" for number in os.sched_getaffinity(0)}
        cores = [line.split()[1:9] for line in lines if line.split(maxsplit=1)[0] in own]
        ticks = sum(int(n) for core in cores for at, n in enumerate(core) if at not in _IDLE)
    except (OSError, ValueError, IndexError, AttributeError):
        return None
    return time.monotonic(), ticks / os.sysconf("SC_CLK_TCK"), time.process_time()


def free_of(cores: int, before: Looked, now: Looked) -> int:
    """Cores that other programs left free, at least one.

    >>> free_of(2, (0.0, 0.0, 0.0), (1.0, 1.9, 1.0)), free_of(2, (0.0, 0.0, 0.0), (1.0, 2.0, 1.9))
    (1, 2)
    """
    others = (now[1] - before[1]) - (now[2] - before[2])
    return max(1, round(cores - others / (now[0] - before[0])))


class FreeCores:
    def __init__(self, most: int, look: Callable[[], Looked | None] = look) -> None:
        self._most, self._look = most, look
        self._before, self._threads = look(), most

    def __call__(self) -> int:
        """Changes at most twice a second."""
        before = self._before
        if before is not None and time.monotonic() - before[0] >= _EVERY:
            now = self._look()
            if now is not None:
                cores = len(os.sched_getaffinity(0))
                self._threads = min(self._most, free_of(cores, before, now))
            self._before = now
        return self._threads
