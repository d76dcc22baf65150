"""How many threads leave the cores of other programs alone.

The threads of a product wait for each other, so that one that shares its core holds up all of them:
a thread fewer is then faster. The number changes no reply."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

_EVERY = 0.5
"""Seconds between two looks."""
_IDLE = (3, 4)
"""The places of idle time and of waiting for a disk in a line of /proc/stat."""
Looked = tuple[float, float, float]
"""A moment, and the seconds of processor time that all programs, and this one, took until then."""


def look() -> Looked | None:
    """How busy the cores of this process are, or None."""
    try:
        lines = Path("/proc/stat").read_text().splitlines()
        own = {f"cpu{number}" for number in os.sched_getaffinity(0)}
        cores = [line.split()[1:9] for line in lines if line.split(maxsplit=1)[0] in own]
        ticks = sum(int(n) for core in cores for at, n in enumerate(core) if at not in _IDLE)
    except (OSError, ValueError, IndexError, AttributeError):
        return None
    return time.monotonic(), ticks / os.sysconf("SC_CLK_TCK"), time.process_time()


def free_of(cores: int, before: Looked, now: Looked) -> int:
    """The cores that other programs left free between two looks, at least one.

    >>> free_of(2, (0.0, 0.0, 0.0), (1.0, 1.9, 1.0)), free_of(2, (0.0, 0.0, 0.0), (1.0, 2.0, 1.9))
    (1, 2)
    """
    others = (now[1] - before[1]) - (now[2] - before[2])
    return max(1, round(cores - others / (now[0] - before[0])))


class FreeCores:
    """The number of threads to compute with, at most `most`."""

    def __init__(self, most: int, look: Callable[[], Looked | None] = look) -> None:
        self._most, self._look = most, look
        self._before, self._threads = look(), most

    def __call__(self) -> int:
        """The number for the next step; it changes at most twice a second."""
        before = self._before
        if before is not None and time.monotonic() - before[0] >= _EVERY:
            now = self._look()
            if now is not None:
                cores = len(os.sched_getaffinity(0))
                self._threads = min(self._most, free_of(cores, before, now))
            self._before = now
        return self._threads
