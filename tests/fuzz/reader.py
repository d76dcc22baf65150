"""What a reader is for the campaign, and how good inputs are made."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Read = Callable[[Path], object]


def _nothing(folder: Path) -> None:
    return None


def _as_it_is(content: bytes) -> bytes:
    return content


@dataclass(frozen=True, slots=True)
class Reader:
    """`read` gets a folder in which the input lies as `file`; what it raises must be ours. `seeds`
    are good inputs. `prepare` fills the folder first; `with_checksums` makes an input's checksums
    right again, so that hostile content is not stopped by its hash alone."""

    name: str
    file: str
    seeds: tuple[bytes, ...]
    read: Read
    prepare: Read = _nothing
    with_checksums: Callable[[bytes], bytes] = _as_it_is


def jsons(*values: Any) -> bytes:
    """JSON lines, or one JSON value."""
    return b"\n".join(json.dumps(value).encode() for value in values)


def zipped(members: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


def filled(files: Mapping[str, bytes]) -> Read:
    """A `prepare` that writes these files."""

    def fill(folder: Path) -> None:
        for name, content in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)

    return fill
