"""The program pandoc, run beside the reading process: bytes in, JSON out.

Its sandbox opens no file and no connection; a document that exceeds memory or time ends it.
"""

from __future__ import annotations

import os
import resource
import selectors
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import orjson

from uhhrag.documents.document import Unreadable

SECONDS = 30.0
_MEMORY = "768m"
"""Of pandoc's heap; the program itself takes 100 MB more."""
_PROCESSOR = 3600
"""Seconds of processor time after which the program ends by itself."""
_LARGEST_ANSWER = 2**29
_NO_PROGRAM = "needs the program pandoc; run: pip install 'uhhrag[docs]'"
_SCRIPT = Path(__file__).with_name("pandoc.lua")


@cache
def command() -> tuple[str, ...]:
    """The command of pandoc, the only one the reading process may start."""
    package = find_spec("pypandoc")  # which runs programs when it is imported and asked
    program = str(Path(package.origin or "").with_name("files") / "pandoc") if package else ""
    limits = ("+RTS", f"-M{_MEMORY}", "-A8m", "-RTS")
    return (program, *limits, "lua", str(_SCRIPT))


@contextmanager
def _all_room() -> Iterator[None]:
    """Lift the limit on address space to start pandoc, which reserves far more than it uses and has
    its own."""
    least, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (least, most))


class _Pandoc:
    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, content: bytes, form: str) -> tuple[bytes, bytes]:
        """`content` in pandoc's format `form`, which begins with "json" or "html". Raises as
        `read_by_pandoc`."""
        process = self._running()
        deadline = time.monotonic() + SECONDS
        try:
            return _asked(process, content, form, deadline)
        except TimeoutError as error:
            busy = _processor_seconds(process.pid) < SECONDS / 3
            self._end()
            again = " on a busy machine; the next command tries again" if busy else "; given up"
            why = f"took longer than {SECONDS:.0f} seconds to read{again}"
            raise Unreadable(why, passing=busy) from error
        except (BrokenPipeError, ConnectionError) as error:
            heap = self._end() == 251  # GHC's exit code where the memory does not suffice
            why = "needs more memory to be read than is allowed" if heap else "is damaged"
            raise Unreadable(why) from error

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            try:
                with _all_room():
                    self._process = subprocess.Popen(
                        command(),
                        stdin=subprocess.PIPE,
                        stdout=subprocess.PIPE,
                        stderr=subprocess.DEVNULL,
                        env={"PATH": os.defpath, "LC_ALL": "C.UTF-8"},
                    )
            except FileNotFoundError as error:
                raise Unreadable(_NO_PROGRAM) from error
            if hasattr(resource, "prlimit"):  # Linux
                limit = (_PROCESSOR, _PROCESSOR)
                resource.prlimit(self._process.pid, resource.RLIMIT_CPU, limit)
        return self._process

    def _end(self) -> int | None:
        process, self._process = self._process, None
        if process is None:
            return None
        try:
            return process.wait(1)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return process.returncode


def _processor_seconds(process: int) -> float:
    """What a process has used; all, if the system does not say."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return SECONDS
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


_RUNNING = _Pandoc()


def read_by_pandoc(content: bytes, form: str) -> dict[str, Any]:
    """A document as pandoc's JSON, `blocks` and `meta`, or `html` within a text. Raises Unreadable
    for another format, or too much time or memory."""
    kind, answer = _RUNNING.read(content, form)
    if kind == b"html":
        return {"html": answer.decode("utf-8", "replace")}
    try:
        return dict(orjson.loads(answer))
    except orjson.JSONDecodeError as error:
        raise Unreadable("is nested too deeply") from error


def _asked(
    process: subprocess.Popen[bytes], content: bytes, form: str, deadline: float
) -> tuple[bytes, bytes]:
    if process.stdin is None or process.stdout is None:  # for mypy; they are pipes
        raise BrokenPipeError
    todo = memoryview(b"%s %d\n" % (form.encode(), len(content)) + content)
    source, sink = process.stdout.fileno(), process.stdin.fileno()
    os.set_blocking(sink, False)
    answer = bytearray()
    head: tuple[bytes, int] | None = None
    with selectors.DefaultSelector() as waiting:
        waiting.register(source, selectors.EVENT_READ)
        waiting.register(sink, selectors.EVENT_WRITE)
        while head is None or len(answer) < head[1]:
            ready = waiting.select(max(0.0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError
            for key, _ in ready:
                if key.fd == sink:
                    todo = todo[os.write(sink, todo[: 2**16]) :]
                    if not todo:
                        waiting.unregister(sink)
                    continue
                piece = os.read(source, 2**16)
                if not piece or len(answer) > _LARGEST_ANSWER:
                    raise BrokenPipeError
                answer += piece
                if head is None and b"\n" in answer:
                    line, _, rest = answer.partition(b"\n")
                    kind, _, size = bytes(line).partition(b" ")
                    head, answer = (kind, int(size)), rest
    if head[0] == b"no":
        raise Unreadable("cannot be read: " + _fault(bytes(answer)))
    return head[0], bytes(answer)


def _fault(told: bytes) -> str:
    lines = [line.strip() for line in told.decode("utf-8", "replace").splitlines()]
    return next(filter(None, lines), "is damaged")[:200]
