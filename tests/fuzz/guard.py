"""What a reader touches while it reads, by Python's audit events: files, sockets, pickles.

Libraries in C open files and sockets without an event; readers hand them bytes, never names.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_FILES = {"open", "os.listdir", "os.scandir", "os.remove", "os.mkdir", "os.rename", "os.truncate"}
_NEVER = ("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "pickle.find_class")
# Modules are imported when they are first needed, and libraries read tables of their own.
_LIBRARIES = tuple({sys.prefix, sys.base_prefix, *sys.path[1:]} - {""})
_PACKAGE = str(Path(__file__).resolve().parents[2])
_watching: list[tuple[str, list[str]]] = []
_hooked = False


class Trespass(Exception):
    """A reader touched something outside its input."""


@contextmanager
def only_inside(folder: Path) -> Iterator[None]:
    """Raise Trespass at the end of the block if anything outside `folder` was opened, listed or
    changed in it, or a socket, a program or a pickle was used."""
    global _hooked
    if not _hooked:
        sys.addaudithook(_hook)
        _hooked = True
    seen: list[str] = []
    _watching.append((str(folder), seen))
    try:
        yield
    finally:
        _watching.pop()
    if seen:
        raise Trespass("; ".join(seen[:3]))


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if not _watching:
        return
    root, seen = _watching[-1]
    if event.startswith(_NEVER):
        seen.append(f"{event} {arguments!r}"[:200])
    elif event in _FILES and isinstance(arguments[0], str | bytes):
        # What a link leads to is what is read.
        path = os.path.realpath(os.fsdecode(arguments[0]))
        if not path.startswith((root, _PACKAGE, *_LIBRARIES)) and path != "/dev/null":
            seen.append(f"{event} {path}")
