"""Waiting for something to become true, in place of sleeping and hoping."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def until(condition: Callable[[], T], seconds: float = 30) -> T:
    """The first true value of `condition`, asked every 10 ms. Fails after that many seconds, which
    only a broken program takes."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, f"still {value!r} after {seconds} seconds"
        time.sleep(0.01)
    return value
