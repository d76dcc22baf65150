"""The run shown, read again when its files change."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from uhhrag.runs.run_folder import HEADER
from uhhrag.runs.trace_lines import TIMINGS, TRACE
from uhhrag.views.run_view import RunView, read_run_view

FileStates = tuple[tuple[int, int], ...]


def nothing(name: str, header: Mapping[str, Any]) -> Callable[[], RunView]:
    """Gives an empty run, for a desk without one."""
    run = RunView(name, header, ())
    return lambda: run


def run_view(folder: Path) -> Callable[[], RunView]:
    """Parses a run once per state of its files; both functions raise RunError if unsound."""
    lock = threading.Lock()
    cached: list[tuple[FileStates, RunView]] = []

    def read() -> RunView:
        with lock:
            state = _state(folder)
            if not cached or cached[0][0] != state:
                cached[:] = [(state, read_run_view(folder))]
            return cached[0][1]

    read()
    return read


def _state(folder: Path) -> FileStates:
    files = (folder / name for name in (HEADER, TRACE, TIMINGS))
    stats = [file.stat() for file in files if file.exists()]
    return tuple((stat.st_mtime_ns, stat.st_size) for stat in stats)
