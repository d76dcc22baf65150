"""A folder's documents, without hidden files, links, the program's own folders."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

from uhhrag.documents.formats import kind_of
from uhhrag.errors import InputError, UsageError
from uhhrag.system.machine_cache import changed_ns

_WORK = ".uhhrag"
_HEAD = 2**16
_OF_PAGES = (".html", ".htm", ".xhtml", ".HTML", ".HTM")
_OWN = (
    ("manifest.json", (b'"kind"', b'"corpus"')),
    ("manifest.json", (b'"recipe"', b'"uhhrag"')),
    ("run.json", (b'"uhhrag"', b'"signature"')),
)
"""Files that mark the program's folders, and words in them."""
_FEEDS = (b"<rss", b"<feed", b"<rdf:RDF", b"jsonfeed.org/version")
"""Words of feeds, beside others in XML and JSON."""


@dataclass(frozen=True, slots=True)
class DocumentFile:
    name: str
    """Percent-encoded path from the folder, with `/`; its name in the store."""
    path: Path
    kind: str
    """Key of FORMATS."""
    size: int
    mtime_ns: int
    """See `changed_ns`."""


@dataclass(frozen=True, slots=True)
class FolderListing:
    folder: Path
    files: tuple[DocumentFile, ...]
    """Sorted by name."""
    links: tuple[str, ...]
    """Leading out of the folder."""
    other: Mapping[str, int]
    """Counts of unread files by ending."""
    closed: tuple[tuple[str, str], ...]
    """Unopened folders, and why."""


def require_no_address(docs: Path) -> None:
    """Raises UsageError. `Path` leaves one slash of an address."""
    scheme, colon, rest = str(docs).partition(":/")
    if colon and len(scheme) > 1 and scheme.isalpha() and not docs.exists():
        raise UsageError(
            f"{scheme}://{rest}: only check takes an address; name a folder of documents"
        )


def list_documents(folder: Path, leave_out: tuple[Path, ...] = ()) -> FolderListing:
    """Raises InputError without such a folder."""
    require_no_address(folder)
    if not folder.is_dir():
        missing = "no such folder; give the one with the documents"
        what = "is a file; give the folder it is in" if folder.exists() else missing
        raise InputError(f"{folder}: {what}")
    root = folder.resolve()
    without = {path.resolve() for path in leave_out}
    files: list[DocumentFile] = []
    links: list[str] = []
    other: Counter[str] = Counter()
    closed: list[OSError] = []
    for parent, folders, names in os.walk(root, onerror=closed.append):
        here = Path(parent)
        visible = [here / name for name in folders if not name.startswith(".")]
        links += _leading_out(root, visible)
        folders[:] = [one.name for one in visible if not (one in without or is_ours(one))]
        for path in (here / name for name in names if not name.startswith(".")):
            if path.is_symlink():
                links += _leading_out(root, [path])
            elif not kind_of(path) or _is_decoration(path) or _is_no_feed(path):
                other[path.suffix.lower() or path.name] += 1
            elif path not in without and (file := _file(root, path)):
                files.append(file)
    return FolderListing(
        folder,
        tuple(sorted(files, key=lambda file: file.name)),
        tuple(sorted(links)),
        dict(other.most_common()),
        tuple(
            (_name(root, Path(str(error.filename))), error.strerror or "cannot be opened")
            for error in closed
        ),
    )


def is_ours(folder: Path) -> bool:
    """Whether the program made it for itself."""
    if folder.name.endswith(_WORK) or (
        folder.name == "work" and (folder.parent / "collection.json").is_file()
    ):
        return True
    heads = ((_head_of(folder / name), words) for name, words in _OWN)
    return any(all(word in head for word in words) for head, words in heads)


def _head_of(file: Path) -> bytes:
    """Empty if unreadable or no plain file."""
    try:
        if not stat.S_ISREG(file.lstat().st_mode):
            return b""
        with file.open("rb") as stream:
            return stream.read(_HEAD)
    except OSError:
        return b""


def is_filled(folder: Path) -> bool:
    """A missing disk may leave an empty folder."""
    try:
        return any(folder.iterdir())
    except OSError:
        return False


def _is_decoration(path: Path) -> bool:
    """A saved page's picture: PAGE_files/logo.png beside PAGE.html."""
    page = path.parent.name.removesuffix("_files")
    return (
        kind_of(path) == "picture"
        and page != path.parent.name
        and any((path.parents[1] / f"{page}{ending}").is_file() for ending in _OF_PAGES)
    )


def _is_no_feed(path: Path) -> bool:
    if path.suffix.lower() not in (".xml", ".json"):
        return False
    head = _head_of(path)
    return not any(sign in head for sign in _FEEDS)


def _file(root: Path, path: Path) -> DocumentFile | None:
    """None if gone or not a plain file (a pipe would block)."""
    try:
        status = path.lstat()
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    return DocumentFile(_name(root, path), path, kind_of(path), status.st_size, changed_ns(status))


def _leading_out(root: Path, paths: list[Path]) -> list[str]:
    return [
        _name(root, path)
        for path in paths
        if path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(root)
    ]


def _name(root: Path, path: Path) -> str:
    return quote(os.fsencode(path.relative_to(root).as_posix()))


def display_path(file: str) -> str:
    """
    >>> display_path("file:minutes/3%20May.pdf")
    'minutes/3 May.pdf'
    """
    return unquote(file.removeprefix("file:"))
