"""What there was to check claims against: read, not read, and left out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from uhhrag.corpus.file_table import FileRow
from uhhrag.corpus.manifest import CorpusCounts
from uhhrag.documents.look import FileOutcome, FileState
from uhhrag.documents.survey import Survey, named
from uhhrag.errors import RunError
from uhhrag.system.checksummed_json import digest
from uhhrag.system.decode import shaped
from uhhrag.system.text_files import write_text

FILE = "documents.json"
"""The file of a run folder that holds it."""


@dataclass(frozen=True, slots=True)
class Documents:
    """What a claim was checked against: the number of files read and of the documents and sentences
    in them, the files that could not be read with the reasons, the number left out, how many of
    these there are of each file ending that is not read, and the languages of files that are not
    in English, wholly or in part; how many pages of a file are scans that were not read; and of
    files that were read `partly`, what was not."""

    files: int
    documents: int
    sentences: int
    unread: Mapping[str, str]
    left_out: int
    other: Mapping[str, int] = field(default_factory=dict)
    languages: Mapping[str, str] = field(default_factory=dict)
    scans: Mapping[str, int] = field(default_factory=dict)
    partly: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Searched:
    """What a verdict was made from, as it was then: the documents, the SHA-256 of each file by its
    name, that of each model by its name, what it was called, and the signature of the method. It is
    kept with the verdict."""

    documents: Documents | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    models: Mapping[str, str] = field(default_factory=dict)
    where: str = ""
    signature: str = ""


def searched_in(
    header: Mapping[str, Any], documents: Documents, files: Mapping[str, str], where: str
) -> Searched:
    """What a verdict is made from, by a method with this header."""
    models = dict(header.get("models", {}))
    return Searched(documents, files, models, where, header.get("signature", ""))


def hashes_of(rows: Iterable[FileRow]) -> dict[str, str]:
    """The SHA-256 of each file of an archive that was read, by the name that people know it by."""
    return {named(row.name): row.sha256 for row in rows if not row.removed and not row.unreadable}


def state_of_files(files: Mapping[str, str]) -> str:
    """A hash that changes with any file; "" for none."""
    return digest(dict(files)) if files else ""


@dataclass(frozen=True, slots=True)
class Changes:
    """The names of files that were added to what was searched, removed, or changed since."""

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
    """How the files that are there `now` differ from those that were searched; None where they do
    not, or where it is not known what was."""
    before = searched.files
    if not before or before == now:
        return None
    return Changes(
        tuple(sorted(now.keys() - before.keys())),
        tuple(sorted(before.keys() - now.keys())),
        tuple(sorted(name for name in now.keys() & before.keys() if now[name] != before[name])),
    )


def documents_of(
    survey: Survey, outcomes: Sequence[FileOutcome], counts: CorpusCounts, rows: Iterable[FileRow]
) -> Documents:
    """What there is to check claims against: what an archive holds, and what of the surveyed folder
    it does not hold, by the outcomes of its files. Of a file that it holds an outcome may be of
    another reading, and only tells its scans."""
    rows = tuple(rows)
    held = documents_in(counts, rows)
    kept = {row.name for row in rows if not row.removed}
    others = [outcome for outcome in outcomes if outcome.name not in kept]
    unread = {named(o.name): o.why for o in others if o.state is FileState.UNREADABLE}
    closed = {named(name): why for name, why in survey.closed}
    pictures = sum(o.state is FileState.LEFT_OUT for o in others)
    return replace(
        held,
        unread=dict(sorted({**held.unread, **unread}.items())) | closed,
        left_out=sum(survey.other.values()) + len(survey.links) + pictures,
        other=dict(survey.other),
        scans={named(o.name): o.scans for o in outcomes if o.scans},
    )


def documents_in(counts: CorpusCounts, files: Iterable[FileRow]) -> Documents:
    """What an archive holds, by the table of its files."""
    there = sorted((row for row in files if not row.removed), key=lambda row: row.name)
    return Documents(
        files=counts.files,
        documents=counts.documents,
        sentences=counts.lines,
        unread={named(row.name): row.why for row in there if row.unreadable},
        left_out=0,
        languages={named(row.name): row.language for row in there if row.language},
        partly={named(row.name): row.why for row in there if row.why and not row.unreadable},
    )


def write_documents(run: Path, documents: Documents) -> None:
    """Put into a run folder what its claims were checked against."""
    write_text(run / FILE, json.dumps(asdict(documents)) + "\n")


def read_documents_of(run: Path) -> Documents | None:
    """What the claims of a run folder were checked against; None where it does not say. Raises
    RunError where the file is damaged."""
    file = run / FILE
    try:
        return shaped(Documents, json.loads(file.read_bytes()))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, RecursionError) as error:
        raise RunError(f"{file}: is damaged ({error}); delete it, or check again") from error
