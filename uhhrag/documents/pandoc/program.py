"""Pandoc as a process: bytes in, JSON out. Its sandbox opens no file or connection."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import orjson

from uhhrag.documents.document import Unreadable
from uhhrag.documents.helper_process import HelperProcess, Process, piped

SECONDS = 30.0


class Slow(Unreadable):
    pass


_MEMORY = "768m"
"""Of pandoc's heap; the program takes 100 MB more."""
_NO_MEMORY = 251
"""GHC's exit code for a full heap."""
_PROCESSOR = 3600
"""Seconds of processor time that end it."""
_NO_PROGRAM = "needs the program pandoc; run: pip install 'uhhrag[docs]'"
_SCRIPT = Path(__file__).with_name("pandoc.lua")


@cache
def command() -> tuple[str, ...]:
    """The only command that the reading process may start."""
    package = find_spec("pypandoc")  # which runs programs when it is imported and asked
    program = str(Path(package.origin or "").with_name("files") / "pandoc") if package else ""
    limits = ("+RTS", f"-M{_MEMORY}", "-A8m", "-RTS")
    return (program, *limits, "lua", str(_SCRIPT))


def _started() -> Process:
    """No limit on address space: pandoc reserves more than it uses, and has its own."""
    least, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    try:
        process = piped(command(), {"PATH": os.defpath, "LC_ALL": "C.UTF-8"})
    except FileNotFoundError as error:
        raise Unreadable(_NO_PROGRAM) from error
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (least, most))
    if hasattr(resource, "prlimit"):  # Linux
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (_PROCESSOR, _PROCESSOR))
    return process


_PANDOC = HelperProcess(_started)


def read_by_pandoc(content: bytes, form: str) -> dict[str, Any]:
    """`meta`, and `blocks` or, for MediaWiki and Markdown with HTML, `html`."""
    answer = _answer(b"%s %d\n" % (form.encode(), len(content)) + content)
    try:
        read = dict(orjson.loads(answer))
    except orjson.JSONDecodeError as error:
        raise Unreadable("is nested too deeply") from error
    if "no" in read:
        lines = map(str.strip, read["no"].splitlines())
        raise Unreadable(f"cannot be read: {next(filter(None, lines), 'is damaged')[:200]}")
    return read


def nodes_in(node: Any) -> Iterator[dict[str, Any]]:
    """At any depth."""
    if isinstance(node, dict):
        yield node
    if isinstance(node, dict | list):
        for part in node.values() if isinstance(node, dict) else node:
            yield from nodes_in(part)


def _answer(request: bytes) -> bytes:
    process = _PANDOC.running()
    try:
        return _PANDOC.ask(request, SECONDS)
    except TimeoutError as error:
        busy = _processor_seconds(process.pid) < SECONDS / 3
        _PANDOC.end()
        again = " on a busy machine; the next command tries again" if busy else "; given up"
        why = f"took longer than {SECONDS:.0f} seconds to read{again}"
        raise Slow(why, passing=busy) from error
    except (BrokenPipeError, ConnectionError) as error:
        heap = _PANDOC.end(1) == _NO_MEMORY
        why = "needs more memory to be read than is allowed" if heap else "is damaged"
        raise Unreadable(why) from error


def _processor_seconds(process: int) -> float:
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return SECONDS
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
