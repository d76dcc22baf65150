"""Text files, read as UTF-8 and written atomically."""

from __future__ import annotations

import errno
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson

from uhhrag.errors import InputError, UsageError
from uhhrag.system import atomic


def read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:
        raise InputError(
            f"{path}: cannot be read: {_reason(error)}; give a file that is there and may be read"
        ) from error


def read_text(path: Path) -> str:
    """Without byte order mark. Raises InputError if unreadable, empty or not UTF-8."""
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path}: is not UTF-8 text (at byte {error.start}); save it as UTF-8"
        ) from error
    if not text.strip():
        raise InputError(f"{path}: is empty; copy it again")
    return text


def read_json(path: Path) -> Any:
    """Raises InputError, with line and column."""
    text = read_text(path)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        if not error.pos:
            raise InputError(f"{path}: is not JSON; give a JSON file") from error
        raise InputError(
            f"{path}: is not JSON, or was cut off: {error.msg.removesuffix(' at')} "
            f"at line {error.lineno}, column {error.colno}; copy it again"
        ) from error
    except RecursionError as error:
        raise InputError(
            f"{path}: is nested too deeply to be an AVeriTeC file; copy it again"
        ) from error
    except ValueError as error:  # a number of more digits than Python reads
        raise InputError(f"{path}: is not JSON that can be read: {error}; copy it again") from error


def indented(records: Sequence[Any]) -> bytes:
    return orjson.dumps(records, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def encodable(text: str) -> str:
    """Lone surrogates, which tokenizers and JSON refuse, become "?"."""
    return text.encode("utf-8", "replace").decode()


def write_text(path: Path, text: str) -> None:
    """Lone surrogates become "?"."""
    write_bytes(path, text.encode("utf-8", errors="replace"))


def require_writable(path: Path) -> None:
    """Raises UsageError where `write_bytes` would."""
    with _writing(path), tempfile.TemporaryFile(dir=path.parent):
        pass


def require_apart(path: Path, *read: Path) -> None:
    """Raises UsageError if `path` is one of `read`, by any name."""
    if path.exists() and any(file.exists() and file.samefile(path) for file in read):
        raise UsageError(f"{path}: is read here, and would be lost; write to another file")


def write_bytes(path: Path, content: bytes) -> None:
    with _writing(path):
        atomic.write_file(path, content)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Makes its folder. Raises UsageError for any fault."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if path.exists() and not path.is_file():  # such as /dev/null
            raise OSError(errno.EINVAL, "it is a device or a pipe")
        yield
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: cannot be written: {_reason(error)}; give another") from error


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
