"""A process that answers each request with a line."""

from __future__ import annotations

import os
import selectors
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

_LARGEST_ANSWER = 2**29
Process = subprocess.Popen[bytes]


def piped(command: Sequence[str], env: Mapping[str, str]) -> Process:
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=env)


class HelperProcess:
    """Started when first asked, again after `end`."""

    def __init__(self, start: Callable[[], Process]) -> None:
        self._start = start
        self._process: Process | None = None

    def running(self) -> Process:
        self._process = self._process or self._start()
        return self._process

    def ask(self, request: bytes, seconds: float) -> bytes:
        """Raises TimeoutError, or BrokenPipeError if the process ends."""
        return answer_of(self.running(), request, seconds)

    def end(self, patience: float = 0.0) -> int | None:
        """Kills it after `patience` seconds; its exit code, None if not running."""
        process, self._process = self._process, None
        if process is None:
            return None
        with suppress(subprocess.TimeoutExpired):
            process.wait(patience)
        process.kill()
        process.communicate()
        return process.returncode


def answer_of(process: Process, request: bytes, seconds: float) -> bytes:
    """The process must read a request whole before answering. Raises as `ask`."""
    if process.stdin is None or process.stdout is None:  # for mypy; they are pipes
        raise BrokenPipeError
    deadline = time.monotonic() + seconds
    process.stdin.write(request)
    process.stdin.flush()
    line = bytearray()
    with selectors.DefaultSelector() as waiting:
        waiting.register(process.stdout, selectors.EVENT_READ)
        while not line.endswith(b"\n"):
            if not waiting.select(max(0.0, deadline - time.monotonic())):
                raise TimeoutError
            piece = os.read(process.stdout.fileno(), 2**16)
            if not piece or len(line) > _LARGEST_ANSWER:
                raise BrokenPipeError
            line += piece
    return bytes(line)
