"""Document collections of `uhhrag serve`; file names from browsers are checked.

    HOME/KEY/collection.json    name
    HOME/KEY/files/             uploads
    HOME/KEY/work/              what was read of them

KEY is random.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import unicodedata
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from uhhrag.documents.formats import HOW, kind_of
from uhhrag.documents.listing import list_documents
from uhhrag.errors import InputError, UsageError
from uhhrag.system import atomic, locks
from uhhrag.system.checksums import sha256
from uhhrag.system.places import lost_link
from uhhrag.system.terminal import printable
from uhhrag.system.writing import remove

MAX_FILE_BYTES = 256 * 2**20
"""Bytes; most readers take no more."""
MAX_FILES = 20_000
SPARE = 2**28
"""Bytes left free."""
_ABOUT = "collection.json"
_KEY = re.compile(r"[0-9a-f]{8}")
_HELD = re.compile(rf"{_KEY.pattern}|\.{_KEY.pattern}\.old")
_LONGEST_PART, _DEEPEST, _LONGEST_NAME = 200, 12, 80
_ARCHIVES = {".gz", ".bz2", ".xz", ".zst"}


@dataclass(frozen=True, slots=True)
class Collection:
    key: str
    name: str
    folder: Path

    @property
    def files(self) -> Path:
        return self.folder / "files"

    @property
    def work(self) -> Path:
        return self.folder / "work"


def make_home(home: Path) -> None:
    """Only its user may read it. Raises UsageError."""
    try:
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        fault = lost_link(home) or f"{home}: cannot be written: {error.strerror}"
        raise UsageError(f"{fault}; name another folder by --collections") from error


@contextmanager
def kept_home(home: Path) -> Iterator[None]:
    """The first holder deletes what killed processes left."""
    with ExitStack() as held:
        with suppress(BlockingIOError):
            held.enter_context(locks.only_process(home / locks.NAME))
            for left in (*home.glob(".*.old"), *home.glob("*/work/.*.part")):
                first = left.relative_to(home).parts[0]
                if _HELD.fullmatch(first) and not left.parent.is_symlink():
                    remove(left)
        yield


def every_collection(home: Path) -> list[Collection]:
    """By name; other folders are skipped."""
    every = (find_collection(home, folder.name) for folder in home.iterdir())
    return sorted((one for one in every if one), key=lambda one: (one.name.casefold(), one.key))


def find_collection(home: Path, key: str) -> Collection | None:
    folder = home / key
    links = (path.is_symlink() for path in (folder, folder / "files", folder / "work"))
    if not _KEY.fullmatch(key) or any(links):
        return None
    try:
        about = json.loads((folder / _ABOUT).read_bytes())
        return Collection(key, str(about["name"]), folder)
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def create_collection(home: Path, name: str) -> Collection:
    """Raises UsageError for a name in use or of signs alone; OSError, with nothing made, if the
    disk refuses."""
    name = " ".join(printable(name).split())[:_LONGEST_NAME]
    if not re.search(r"\w", name):
        raise UsageError("give the collection a name")
    if any(one.name.casefold() == name.casefold() for one in every_collection(home)):
        raise UsageError(f"there is a collection of the name {name} already; take another name")
    made = Collection(key := secrets.token_hex(4), name, home / key)
    try:
        for folder in (made.folder, made.files, made.work):
            folder.mkdir(mode=0o700)
        atomic.write_file(made.folder / _ABOUT, f"{json.dumps({'name': name})}\n".encode())
    except OSError:
        shutil.rmtree(made.folder, ignore_errors=True)
        raise
    return made


def delete_collection(collection: Collection) -> None:
    """In one step; `kept_home` deletes what a kill leaves."""
    aside = collection.folder.with_name(f".{collection.key}.old")
    with suppress(FileNotFoundError):
        collection.folder.rename(aside)
    shutil.rmtree(aside, ignore_errors=True)


def path_of(collection: Collection, name: str) -> Path:
    """Raises InputError for an invalid name."""
    name = unicodedata.normalize("NFC", name.replace("\\", "/"))
    parts = PurePosixPath(name).parts
    if not parts or name.startswith("/") or name.endswith("/") or {"..", "."} & set(parts):
        raise InputError("the name leads out of the collection")
    visible = "".join("_" if unicodedata.category(c) == "Zs" else c for c in name)
    if printable(visible) != visible:
        raise InputError("the name has characters that no file should have")
    if any(part.startswith(".") for part in parts):
        raise InputError("hidden files are left out")
    if len(parts) > _DEEPEST or any(len(part.encode()) > _LONGEST_PART for part in parts):
        raise InputError("the name is too long, or in too many folders")
    ending = PurePosixPath(name).suffix.lower()
    kind = kind_of(PurePosixPath(name))
    if ending in HOW and ending != ".doc":  # which can be a web page
        raise InputError(HOW[ending])
    if ending in _ARCHIVES and not kind:
        raise InputError("it is compressed; unpack it, and give the files or their folder")
    if not kind:
        raise InputError(f"{ending or 'a file without an ending'} is not read")
    place = collection.files.joinpath(*parts)
    folders = list(place.relative_to(collection.files).parents)[:-1]
    if any((collection.files / folder).is_symlink() for folder in folders) or place.is_symlink():
        raise InputError("a link stands in its place")
    return place


def draft_of(collection: Collection, place: Path) -> Path:
    """Where a document is written until complete."""
    return collection.work / f".{sha256(str(place))[:16]}.{secrets.token_hex(4)}.part"


def put_in_place(draft: Path, place: Path) -> None:
    """Raises InputError for a file where a folder is, or the reverse."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft.replace(place)
    except (FileExistsError, NotADirectoryError, IsADirectoryError) as error:
        raise InputError("a file and a folder would have the same name") from error
    atomic.sync(place.parent)


def require_space(collection: Collection, place: Path, size: int) -> None:
    """Raises InputError."""
    if size > MAX_FILE_BYTES:
        raise InputError(f"has {size:,} bytes; at most {MAX_FILE_BYTES:,} are taken")
    if shutil.disk_usage(collection.folder).free < size + SPARE:
        raise InputError("the disk is full")
    held = sum(len(names) for _, _, names in os.walk(collection.files))
    if not place.exists() and held >= MAX_FILES:
        raise InputError(f"the collection has {MAX_FILES:,} files, and takes no more; make another")


def remove_file(collection: Collection, name: str) -> None:
    """`name` is as listed; emptied folders go too."""
    listed, root = list_documents(collection.files).files, collection.files.resolve()
    for place in (file.path for file in listed if file.name == name):
        place.unlink(missing_ok=True)
        with suppress(OSError):  # of the first that is not empty
            for folder in (one for one in place.parents if root in one.parents):
                folder.rmdir()
