"""Files that survive a kill: written beside, forced to disk, then put in place in one step."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from uhhrag.system.writing import new_file, remove

_DRAFT, _OLD = ".part", ".old"


def write_file(file: Path, content: bytes) -> None:
    """Readers see the old file or the new one, never half of it, power cuts included."""
    draft = _hidden(file, _DRAFT)
    try:
        with new_file(draft) as handle:
            handle.write(content)
            handle.flush()
            os.fsync(handle.fileno())
        draft.replace(file)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    sync(file.parent)


def write_folder(folder: Path, contents: Mapping[str, bytes]) -> None:
    """The folder appears with all its files or not at all; an old one of that name goes.

    A kill while an old one is replaced can leave neither; `clear_leftovers` tidies up."""
    draft = _hidden(folder, _DRAFT)
    remove(draft)
    draft.mkdir(parents=True)
    for name, content in contents.items():
        write_file(draft / name, content)
    set_aside(folder)
    draft.rename(folder)
    sync(folder.parent)
    clear_leftovers(folder)


def set_aside(path: Path) -> None:
    """Take a file or folder away in one step. Its content is deleted by `clear_leftovers`."""
    if path.exists():
        remove(_hidden(path, _OLD))
        path.rename(_hidden(path, _OLD))


def clear_leftovers(path: Path) -> None:
    """Delete what an interrupted writing or setting aside of `path` left beside it."""
    remove(_hidden(path, _DRAFT))
    remove(_hidden(path, _OLD))


def leftovers_of(parent: Path) -> Iterator[Path]:
    """The paths below `parent` that `clear_leftovers` would find something to delete for."""
    for suffix in (_DRAFT, _OLD):
        for hidden in parent.glob(f".*{suffix}"):
            yield parent / hidden.name[1 : -len(suffix)]


def drafts_in(folder: Path) -> list[Path]:
    """What an interrupted writing left in a folder, sorted."""
    return sorted(path for suffix in (_DRAFT, _OLD) for path in folder.glob(f".*{suffix}"))


def _hidden(path: Path, suffix: str) -> Path:
    return path.with_name(f".{path.name}{suffix}")


def sync(folder: Path) -> None:
    """Force a folder to disk: what was created, renamed or deleted in it."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
