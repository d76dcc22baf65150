"""The limit on a process's address space (`ulimit -v`), looked at before what breaks under it.

Under such a limit the libraries behind this program do not all say that they lack memory: as they
are loaded, or as a model computes, OpenBLAS, torch and llama.cpp crash, hang or interrupt the
process instead. So a limit that leaves too little is refused first.
"""

from __future__ import annotations

import os

from uhhrag.errors import ModelError

LIBRARIES = 2_500_000_000
"""Bytes of address space. Measured: 2.32e9 with two cores; most of it is reserved, not used."""
MODELS = 4_000_000_000
"""Bytes that commands need whose models compute, without the models' files. Measured: 3.69e9 with
two cores."""
THREAD = 200_000_000
"""More for each core: the stack of a thread and its part of malloc."""


def require_address_space(bytes_needed: int, what_for: str) -> None:
    """Raises ModelError where the process may not have so much, and more for each core."""
    needed = bytes_needed + THREAD * (os.cpu_count() or 1)
    limit = _limit()
    if limit is not None and limit < needed:
        raise ModelError(
            f"this process may take {limit / 1e9:.1f} GB of address space, and {what_for} can "
            f"crash below {needed / 1e9:.1f} GB; lift the limit: ulimit -v unlimited"
        )


def _limit() -> int | None:
    """Bytes; None where there is no limit, or none is known on this system."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if limit == resource.RLIM_INFINITY else limit
