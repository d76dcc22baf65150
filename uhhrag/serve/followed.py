"""Served documents, whose folder may change."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Mapping

from uhhrag.errors import UhhragError
from uhhrag.serve.targets import Target, Targets
from uhhrag.system.terminal import printable
from uhhrag.text.dates import written
from uhhrag.views.searched import changes_between

DocumentStates = Mapping[str, Hashable]
"""By name; equal while a file is the same."""
_LOOK_SECONDS = 3.0
_PATIENCE = 20
"""A slow disk is looked at less often: so many times what a look takes."""


class FollowedDocuments:
    """Looks for changes at most every few seconds. Thread-safe."""

    def __init__(
        self,
        key: str,
        name: str,
        state: Callable[[], DocumentStates],
        again: Callable[[], Target] | None,
        read: DocumentStates,
        target: Target,
    ) -> None:
        """`key` is the target's. `state` raises UhhragError or OSError if the folder is away.
        `again` takes up changes; if None, the program must be restarted. `read` is the state before
        `target` was read."""
        self._key, self._name, self._state, self._again = key, printable(name), state, again
        self._read, self._target = read, target
        self._at = time.time()
        self._change = threading.Lock()
        self._now, self._look_again = read, 0.0
        self._thread: threading.Thread | None = None
        self._fault = ""

    @property
    def targets(self) -> Targets:
        return {self._key: self._target}

    @property
    def can_read(self) -> bool:
        return self._again is not None and not self.reading

    @property
    def reading(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def note(self) -> str:
        """That they have changed or are being read, or ""."""
        these = f"The documents in {self._name}"
        if self.reading:
            return f"{these} are being read again; open this page again to see."
        changes = changes_between(self._read, self._looked())
        fault = f" They could not be read again: {self._fault}." if self._fault else ""
        if changes is None:
            return fault.strip()
        told = f"{these} have changed since they were read at {self._read_at()}"
        remedy = "" if self._again else " To read them again, stop uhhrag and start it again."
        return f"{told} ({changes.text}).{remedy}{fault}"

    def read(self, wait: float) -> None:
        """Take up changes, in a thread; returns after `wait` seconds."""
        with self._change:
            if self.can_read:
                self._thread = threading.Thread(target=self._read_again, daemon=True)
                self._thread.start()
            thread = self._thread
        if thread:
            thread.join(wait)

    def _read_again(self) -> None:
        try:
            before, at = self._state(), time.time()
            target = self._again() if self._again else self._target
        # A panic in a Rust library is no Exception.
        except BaseException as error:  # noqa: BLE001 - told on the pages; the others are kept
            self._fault = printable(str(error) if isinstance(error, UhhragError) else repr(error))
            return
        with self._change:
            self._read, self._target, self._at, self._fault = before, target, at, ""
            self._now, self._look_again = before, 0.0

    def _looked(self) -> DocumentStates:
        with self._change:
            begun = time.monotonic()
            if begun >= self._look_again:
                try:
                    self._now = self._state()
                except (UhhragError, OSError):
                    self._now = {}
                took = time.monotonic() - begun
                self._look_again = time.monotonic() + max(_LOOK_SECONDS, took * _PATIENCE)
            return self._now

    def _read_at(self) -> str:
        """Local time, with the day unless today."""
        at, today = time.localtime(self._at), time.localtime()
        day = "" if at[:3] == today[:3] else f" on {written(time.strftime('%Y-%m-%d', at))}"
        return time.strftime("%H:%M", at) + day
