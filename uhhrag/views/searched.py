"""What was searched, what has changed since, and what was not found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from uhhrag.archive.file_table import FileRow
from uhhrag.archive.manifest import ArchiveCounts
from uhhrag.documents.changed import FileOutcome, FileState, scans_note, unread_scans
from uhhrag.documents.listing import FolderListing, display_path
from uhhrag.records import Label, Verdict
from uhhrag.system.checksummed_json import digest
from uhhrag.system.terminal import first_of, quantity
from uhhrag.views.counted import header_text
from uhhrag.views.html_text import truncated
from uhhrag.views.votes import is_unasked, leaning_label, quoted_note

NOT_RECORDED = "It was not recorded: an earlier version checked this claim. Check it again."

_FOLDER = " (folder "
TAKEN_OUT, LINK = "removed from the archive", "a link out of the folder"
_TOLD, _LONGEST = 3, 150
"""Most files whose reason is told, and its characters."""
_SILENT = "is read most likely as saying nothing for or against the claim"
_LIMITS = {
    "date": "of documents dated after the last day allowed",
    "undated": "of documents without a date of their own",
    "site": "of sites that are excluded",
}


@dataclass(frozen=True, slots=True)
class Documents:
    files: int
    documents: int
    sentences: int
    unread: Mapping[str, str]
    """The reason, by name."""
    left_out: int
    other: Mapping[str, int] = field(default_factory=dict)
    """Number of unsupported files by ending."""
    languages: Mapping[str, str] = field(default_factory=dict)
    """By name, for files not in English, wholly or in part."""
    scans: Mapping[str, int] = field(default_factory=dict)
    """Number of unread scanned pages by file."""
    partly: Mapping[str, str] = field(default_factory=dict)
    """What was not read, by name."""
    left_out_files: Mapping[str, str] = field(default_factory=dict)
    """The reason, by name; other kinds are counted only."""


@dataclass(frozen=True, slots=True)
class Searched:
    documents: Documents | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 by name."""
    models: Mapping[str, str] = field(default_factory=dict)
    """Fingerprint by name."""
    where: str = ""
    signature: str = ""
    calibration: str = ""
    """What the votes' was fitted on: "none" without one, "" if not recorded."""


def searched_with(header: Mapping[str, Any]) -> Searched:
    """Without documents."""
    return Searched(
        models=dict(header.get("models", {})),
        signature=header.get("signature", ""),
        calibration=header_text(header, "calibration", "source"),
    )


def _plain(name: str) -> str:
    """Without the folder's number."""
    return name.rpartition(_FOLDER)[0] or name


def hashes_of(rows: Iterable[FileRow]) -> dict[str, str]:
    """SHA-256 by displayed name, with the folder's number if several files share it."""
    read = [row for row in rows if not row.removed and not row.unreadable]
    times = Counter(row.name for row in read)
    return {
        display_path(row.name)
        + (f"{_FOLDER}{row.folder + 1})" if times[row.name] > 1 else ""): row.sha256
        for row in read
    }


def state_of_files(files: Mapping[str, str]) -> str:
    """Changes with any file; "" for none."""
    return digest(dict(files)) if files else ""


@dataclass(frozen=True, slots=True)
class Changes:
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        counts = {"added": self.added, "removed": self.removed, "changed": self.changed}
        parts = [f"{len(names)} {how}" for how, names in counts.items() if names]
        first = next((names for names in counts.values() if names), ())
        return ", ".join(parts).replace(" ", " file " if len(first) == 1 else " files ", 1)

    def touching(
        self, cited: Collection[str], before: Collection[str], sided: Collection[str]
    ) -> str:
        """What can matter to a claim with evidence of the files `cited`, or "". New text always
        may. Evidence without a side, so not of the files `sided`, matters only if gone. Without
        evidence, or if it is not of files `before`, every change may.

        >>> changes = Changes(("a.txt",), ("b.txt",), ("c.txt", "d.txt"))
        >>> changes.touching(["c.txt", "d.txt"], ["b.txt", "c.txt", "d.txt"], ["c.txt"])
        '1 file added, 1 file of its evidence changed, 1 other file changed since'
        >>> changes.touching([], ["b.txt", "c.txt"], [])
        '1 file added, 1 removed, 2 changed since'
        """
        if not cited or not set(cited) <= set(map(_plain, before)):
            return f"{self.text} since"
        removed = sum(_plain(name) in cited for name in self.removed)
        changed = sum(_plain(name) in sided for name in self.changed)
        counts = (
            ("file", len(self.added), " added"),
            ("file", removed, " of its evidence removed"),
            ("file", changed, " of its evidence changed"),
            ("other file", len(self.changed) - changed, " changed"),
        )
        parts = [f"{quantity(number, noun)}{how}" for noun, number, how in counts if number]
        return f"{', '.join(parts)} since" if parts else ""


def changes_between(before: Mapping[str, object], now: Mapping[str, object]) -> Changes | None:
    """States by name; None if nothing differs."""
    if before == now:
        return None
    return Changes(
        tuple(sorted(now.keys() - before.keys())),
        tuple(sorted(before.keys() - now.keys())),
        tuple(sorted(name for name in now.keys() & before.keys() if now[name] != before[name])),
    )


def documents_of(
    survey: FolderListing,
    outcomes: Sequence[FileOutcome],
    counts: ArchiveCounts,
    rows: Iterable[FileRow],
) -> Documents:
    """What an archive holds and, by `outcomes`, lacks; of a held file only scans count."""
    rows = tuple(rows)
    held = documents_in(counts, rows)
    kept = {row.name for row in rows if not row.removed}
    others = [outcome for outcome in outcomes if outcome.name not in kept]
    unread = {display_path(o.name): o.why for o in others if o.state is FileState.UNREADABLE}
    closed = {f"{display_path(name)}/": why for name, why in survey.closed}
    taken = [o.name for o in others if o.state is FileState.LEFT_OUT and not o.scans]
    links = dict.fromkeys(map(display_path, survey.links), LINK)
    return replace(
        held,
        unread=dict(sorted({**held.unread, **unread}.items())) | closed,
        left_out=sum(survey.other.values()) + len(survey.links) + len(taken),
        other=dict(survey.other),
        scans={display_path(o.name): o.scans for o in outcomes if o.scans},
        left_out_files=dict.fromkeys(map(display_path, sorted(taken)), TAKEN_OUT) | links,
    )


def documents_in(counts: ArchiveCounts, files: Iterable[FileRow]) -> Documents:
    every = sorted(files, key=lambda row: row.name)
    there = [row for row in every if not row.removed]
    taken = [display_path(row.name) for row in every if row.removed]
    return Documents(
        files=counts.files,
        documents=counts.documents,
        sentences=counts.lines,
        unread={display_path(row.name): row.why for row in there if row.unreadable and row.why},
        left_out=len(taken),
        left_out_files=dict.fromkeys(taken, TAKEN_OUT),
        scans={display_path(row.name): n for row in there if (n := unread_scans(row.reader))},
        languages={display_path(row.name): row.language for row in there if row.language},
        partly={display_path(row.name): row.why for row in there if row.why and not row.unreadable},
    )


def not_found(verdict: Verdict, documents: Documents | None) -> list[str]:
    notes = list(verdict.notes)
    if not verdict.evidence and not notes:
        notes.append("nothing that was searched is near enough to the claim")
    elif silence := _silence(verdict):
        notes.append(silence)
    return notes + limits_told(verdict.removed) + (unread_notes(documents) if documents else [])


def _silence(verdict: Verdict) -> str:
    """That no passage takes a side, or "" if one or the verdict does."""
    votes, sides = verdict.votes, (Label.SUPPORTED, Label.REFUTED)
    taken = leaning_label(verdict) or verdict.label
    if not votes or taken in sides or not all(vote.says_nothing for vote in votes):
        return ""
    lean = "; the votes say to which side it leans" if any(v.label in sides for v in votes) else ""
    if not verdict.vote_per_piece:
        return f"each passage {_SILENT}{lean}"
    asked = [not is_unasked(*one) for one in zip(verdict.evidence, votes, strict=True)]
    quoted = quoted_note(verdict.evidence, votes, "passage")
    if not any(asked):
        return quoted
    each = "each other passage" if quoted else "each passage"
    return f"{quoted}{'; ' if quoted else ''}{each} {_SILENT}{lean}"


def limits_told(removed: Mapping[str, int]) -> list[str]:
    return [
        f"{quantity(number, 'passage')} {_LIMITS.get(limit, limit)} "
        f"{'was' if number == 1 else 'were'} left out"
        for limit, number in removed.items()
    ]


def unread_notes(documents: Documents) -> list[str]:
    notes = []
    if documents.unread:
        folders = any(name.endswith("/") for name in documents.unread)
        number = len(documents.unread)
        count = f"{number} of the files and folders" if folders else quantity(number, "file")
        notes.append(f"{count} could not be read: {first_of([*documents.unread])}")
    partly = [*documents.partly.items()]
    notes += [f"read in part: {name}: {truncated(why, _LONGEST)}" for name, why in partly[:_TOLD]]
    if more := dict(partly[_TOLD:]):
        notes.append(f"{quantity(len(more), 'more file')} read in part: {first_of([*more])}")
    if scans := scans_note(documents.scans):
        notes.append(scans)
    for reason in dict.fromkeys(documents.left_out_files.values()):
        names = [name for name, why in documents.left_out_files.items() if why == reason]
        files = quantity(len(names), "file")
        notes.append(f"{files} left out, {reason}: {first_of(names)}")
    return notes
