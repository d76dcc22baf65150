"""The limit on open files (`ulimit -n`)."""

from __future__ import annotations

import resource
from contextlib import suppress

_OTHERS = 768
"""Besides those asked for."""


def allow_open_files(number: int) -> None:
    """Raise the limit for four readers of so many files, as far as allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _OTHERS + 4 * number
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
