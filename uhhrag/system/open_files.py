"""The limit on a process's open files (`ulimit -n`)."""

from __future__ import annotations

import resource
from contextlib import suppress

_OTHERS = 768
"""Open files besides those asked for."""


def allow_open_files(number: int) -> None:
    """Raise the limit, as far as the system lets, if several readers of so many would pass it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _OTHERS + 4 * number
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
