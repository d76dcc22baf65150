"""Where models, caches and collections are (`$UHHRAG_HOME` moves them); who owns a path."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from platformdirs import user_cache_dir, user_data_dir


def home() -> Path:
    given = os.environ.get("UHHRAG_HOME")
    # Path's own expanduser raises for ~unknown
    return Path(os.path.expanduser(given) if given else user_data_dir("uhhrag"))  # noqa: PTH111


def models() -> Path:
    return home() / "models"


def cache() -> Path:
    return home() / "cache" if os.environ.get("UHHRAG_HOME") else Path(user_cache_dir("uhhrag"))


def collections() -> Path:
    """In the user's data folder if `home` is another user's, unless earlier versions made them
    there."""
    there = home() / "collections"
    closed = owner(home()) and not os.access(there, os.R_OK | os.W_OK | os.X_OK)
    return Path(user_data_dir("uhhrag")) / "collections" if closed else there


def owner(path: Path) -> str:
    """Its owner, or that of the folder hiding it, if another user; "" also if missing."""
    try:
        number = path.stat().st_uid
        return "" if number == os.getuid() else path.owner()
    except PermissionError:
        return owner(path.absolute().parent)
    except OSError:
        return ""
    except KeyError:  # a user without a name
        return f"user {number}"


def reason(error: OSError) -> str:
    """With the owner of a file closed to this user."""
    denied = isinstance(error, PermissionError) and isinstance(error.filename, str | Path)
    if denied and (whose := owner(Path(error.filename))):
        return f"{error.strerror}: it is {whose}'s, and what uhhrag writes is closed to others"
    return error.strerror or str(error)


def lost_link(path: Path) -> str:
    """The first link on the way to `path` that leads nowhere, in words, or ""."""
    with suppress(PermissionError):
        for place in (*reversed(path.absolute().parents), path.absolute()):
            if place.is_symlink() and not place.exists():
                there = place.readlink()
                return f"{place}: is a link to {there}, which is not there; mount or connect it"
    return ""
