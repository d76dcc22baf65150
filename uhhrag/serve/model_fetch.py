"""Fetches models by `uhhrag models pull`: this process never uses the network."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from uhhrag.models import Model, local
from uhhrag.system.terminal import printable

PULL = (sys.executable, "-P", "-m", "uhhrag", "models", "pull")
_SWITCHES = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
"""Offline settings for this process alone."""


@dataclass(frozen=True, slots=True)
class Fetch:
    done: int = 0
    """Bytes."""
    total: int = 0
    """Bytes."""
    line: str = ""
    running: bool = False
    fault: str = ""


class ModelFetch:
    """Calls `ready` once all models are here. Thread-safe."""

    def __init__(
        self, wanted: Sequence[Model], ready: Callable[[], None], pull: Sequence[str] = PULL
    ) -> None:
        self.wanted, self._ready, self._pull = tuple(wanted), ready, pull
        self._state = Fetch()
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()

    def missing(self) -> tuple[Model, ...]:
        return local.missing(self.wanted)

    def state(self) -> Fetch:
        if not (state := self._state).running:
            return state
        # Capped, since sources may store more.
        return replace(state, done=sum(min(one.size, _size(one)) for one in self.wanted))

    def start(self) -> None:
        with self._lock:
            missing = self.missing()
            if self._state.running or not missing:
                return
            again = ["--again"] * any(local.state(m) is local.ModelState.DAMAGED for m in missing)
            self._process = subprocess.Popen(
                [*self._pull, *(model.name for model in missing), *again],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
                env={name: text for name, text in os.environ.items() if name not in _SWITCHES},
            )
            self._state = Fetch(total=sum(model.size for model in self.wanted), running=True)
        threading.Thread(target=self._follow, args=(self._process,), daemon=True).start()

    def stop(self) -> None:
        """What has come is kept."""
        with self._lock:
            if self._process is not None and self._process.poll() is None:
                self._process.terminate()

    def _follow(self, process: subprocess.Popen[str]) -> None:
        last = ""
        for line in process.stderr or ():
            last = printable(line)[:500] or last
            self._state = replace(self._state, line=last)
        code = process.wait()
        stopped = "stopped; what has come is kept"
        why = last.removeprefix("uhhrag: ") or f"ended with the exit code {code}"
        fault = "" if code == 0 else stopped if code < 0 else why
        self._state = replace(self._state, running=False, fault=fault)
        if not self.missing():
            self._ready()


def _size(model: Model) -> int:
    if local.state(model) is local.ModelState.PRESENT:
        return model.size
    where = local.folder(model)
    return sum(map(_bytes_below, (where, where.with_name(f".{model.name}.partial"))))


def _bytes_below(folder: Path) -> int:
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):  # moved meanwhile
                total += (Path(parent) / name).lstat().st_size
    return total
