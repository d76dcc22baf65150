"""What claims were checked against."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from uhhrag.archive.file_table import FileRow
from uhhrag.archive.manifest import CorpusCounts
from uhhrag.documents.changed import FileOutcome, FileState
from uhhrag.documents.listing import FolderListing, display_path
from uhhrag.errors import RunError
from uhhrag.runs import run_folder
from uhhrag.system.checksummed_json import digest
from uhhrag.system.decode import shaped
from uhhrag.system.text_files import write_text
from uhhrag.views.counted import header_text

FILE = run_folder.SEARCHED
NOT_RECORDED = "It was not recorded: an earlier version checked this claim. Check it again."


@dataclass(frozen=True, slots=True)
class Documents:
    files: int
    """Files read."""
    documents: int
    sentences: int
    unread: Mapping[str, str]
    """Why, by name."""
    left_out: int
    """Number of files."""
    other: Mapping[str, int] = field(default_factory=dict)
    """Unsupported files by ending."""
    languages: Mapping[str, str] = field(default_factory=dict)
    """Of files not in English, wholly or in part."""
    scans: Mapping[str, int] = field(default_factory=dict)
    """Unread scanned pages by file."""
    partly: Mapping[str, str] = field(default_factory=dict)
    """What was not read of a file."""


@dataclass(frozen=True, slots=True)
class Searched:
    """What a verdict was made from, kept with it."""

    documents: Documents | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 by name."""
    models: Mapping[str, str] = field(default_factory=dict)
    """Fingerprint by name."""
    where: str = ""
    """Its name."""
    signature: str = ""
    calibration: str = ""
    """What the votes' was fitted on, "none" without one; "" where it was not recorded."""


def searched_in(
    header: Mapping[str, Any], documents: Documents, files: Mapping[str, str], where: str
) -> Searched:
    """For a method with this header."""
    return replace(searched_with(header), documents=documents, files=files, where=where)


def searched_with(header: Mapping[str, Any]) -> Searched:
    """By a method with this header; the documents are not recorded."""
    return Searched(
        models=dict(header.get("models", {})),
        signature=header.get("signature", ""),
        calibration=header_text(header, "calibration", "source"),
    )


def hashes_of(rows: Iterable[FileRow]) -> dict[str, str]:
    """SHA-256 of an archive's read files, by name for people; of several folders' files of a name
    with the folder's number."""
    read = [row for row in rows if not row.removed and not row.unreadable]
    times = Counter(row.name for row in read)
    return {
        display_path(row.name)
        + (f" (folder {row.folder + 1})" if times[row.name] > 1 else ""): row.sha256
        for row in read
    }


def state_of_files(files: Mapping[str, str]) -> str:
    """A hash that changes with any file; "" for none."""
    return digest(dict(files)) if files else ""


@dataclass(frozen=True, slots=True)
class Changes:
    """Names of files that differ from those searched."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """
        >>> Changes(("a.txt",), ("b.txt", "c.txt")).text
        '1 file added, 2 removed'
        """
        counts = {"added": self.added, "removed": self.removed, "changed": self.changed}
        parts = [f"{len(names)} {how}" for how, names in counts.items() if names]
        first = next((names for names in counts.values() if names), ())
        return ", ".join(parts).replace(" ", " file " if len(first) == 1 else " files ", 1)


def changes_since(searched: Searched, now: Mapping[str, str]) -> Changes | None:
    """How the files `now` differ, or None if they do not or it is unknown."""
    before = searched.files
    if not before or before == now:
        return None
    return Changes(
        tuple(sorted(now.keys() - before.keys())),
        tuple(sorted(before.keys() - now.keys())),
        tuple(sorted(name for name in now.keys() & before.keys() if now[name] != before[name])),
    )


def documents_of(
    survey: FolderListing,
    outcomes: Sequence[FileOutcome],
    counts: CorpusCounts,
    rows: Iterable[FileRow],
) -> Documents:
    """What an archive holds, and by its files' outcomes what of the folder it does not hold.

    A held file's outcome may be of another reading; it only tells its scans."""
    rows = tuple(rows)
    held = documents_in(counts, rows)
    kept = {row.name for row in rows if not row.removed}
    others = [outcome for outcome in outcomes if outcome.name not in kept]
    unread = {display_path(o.name): o.why for o in others if o.state is FileState.UNREADABLE}
    closed = {display_path(name): why for name, why in survey.closed}
    pictures = sum(o.state is FileState.LEFT_OUT for o in others)
    return replace(
        held,
        unread=dict(sorted({**held.unread, **unread}.items())) | closed,
        left_out=sum(survey.other.values()) + len(survey.links) + pictures,
        other=dict(survey.other),
        scans={display_path(o.name): o.scans for o in outcomes if o.scans},
    )


def documents_in(counts: CorpusCounts, files: Iterable[FileRow]) -> Documents:
    """From an archive's table of files."""
    there = sorted((row for row in files if not row.removed), key=lambda row: row.name)
    return Documents(
        files=counts.files,
        documents=counts.documents,
        sentences=counts.lines,
        unread={display_path(row.name): row.why for row in there if row.unreadable},
        left_out=0,
        languages={display_path(row.name): row.language for row in there if row.language},
        partly={display_path(row.name): row.why for row in there if row.why and not row.unreadable},
    )


def write_documents(run: Path, documents: Documents) -> None:
    write_text(run / FILE, json.dumps(asdict(documents)) + "\n")


def read_documents_of(run: Path) -> Documents | None:
    """None if the run has none. Raises RunError if damaged."""
    file = run / FILE
    try:
        return shaped(Documents, json.loads(file.read_bytes()))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, RecursionError) as error:
        raise RunError(f"{file}: is damaged ({error}); delete it, or check again") from error
