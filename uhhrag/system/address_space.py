"""Refuses a low `ulimit -v`, near which libraries crash or hang; raises `ulimit -n`."""

from __future__ import annotations

import os
import resource
from contextlib import suppress

from uhhrag.errors import ModelError

_OTHERS = 768
"""Besides those asked for."""
LIBRARIES = 2_500_000_000
"""Bytes. Measured: 2.32e9 with two cores."""
MODELS = 4_000_000_000
"""Bytes, without the models' files. Measured: 3.69e9 with two cores."""
THREAD = 200_000_000
"""Bytes per core: a stack and malloc arena."""


def require_address_space(bytes_needed: int, what_for: str) -> None:
    """Raises ModelError if the limit is below that, plus THREAD per core."""
    needed = bytes_needed + THREAD * (os.cpu_count() or 1)
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit != resource.RLIM_INFINITY and limit < needed:
        raise ModelError(
            f"this process may take {limit / 1e9:.1f} GB of address space, and {what_for} can "
            f"crash below {needed / 1e9:.1f} GB; lift the limit: ulimit -v unlimited"
        )


def allow_open_files(number: int) -> None:
    """For four readers of so many files, as far as allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _OTHERS + 4 * number
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
