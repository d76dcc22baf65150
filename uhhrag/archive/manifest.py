"""All files of an archive's state, with SHA-256.

manifest.json        replaced last, in one step
segments/N/          documents.jsonl, documents.parquet, passages.parquet: never changed
text/N/              full text; unchanged files are hard links
files/N.parquet      table of files
vectors/             vectors, inverted lists

Readers see a whole state. The next writer deletes files not named here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

from uhhrag.documents.listing import is_filled
from uhhrag.errors import IndexFault
from uhhrag.indexing.vectors import EmbedderId
from uhhrag.system import checksummed_json
from uhhrag.system.checksums import sha256
from uhhrag.system.decode import shaped
from uhhrag.system.places import reason

FORMAT = 1
NAME = "manifest.json"
KIND = "corpus"
_PLAIN = re.compile(r"[\w.-]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class FileEntry:
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Segment:
    name: str
    document: int
    """Number of the first."""
    documents: int
    passage: int
    """Number of the first."""
    passages: int
    files: Mapping[str, FileEntry]


@dataclass(frozen=True, slots=True)
class FileSet:
    name: str
    files: Mapping[str, FileEntry]


@dataclass(frozen=True, slots=True)
class VectorPart:
    """float16, a row per passage; zero if deleted before it was embedded."""

    name: str
    passage: int
    """Number of the first."""
    passages: int
    file: FileEntry


@dataclass(frozen=True, slots=True)
class Approximate:
    """Inverted lists over the first passages."""

    name: str
    passages: int
    lists: int
    file: FileEntry


@dataclass(frozen=True, slots=True)
class Vectors:
    embedder: EmbedderId
    parts: tuple[VectorPart, ...] = ()
    """In order, without gaps."""
    approximate: Approximate | None = None

    @property
    def passages(self) -> int:
        """All with lower numbers are done."""
        return self.parts[-1].passage + self.parts[-1].passages if self.parts else 0


@dataclass(frozen=True, slots=True)
class ArchiveCounts:
    files: int = 0
    documents: int = 0
    lines: int = 0
    passages: int = 0


@dataclass(frozen=True, slots=True)
class Manifest:
    folders: tuple[str, ...] = ()
    number: int = 0
    """Counts states."""
    counts: ArchiveCounts = field(default_factory=ArchiveCounts)
    segments: tuple[Segment, ...] = ()
    text: FileSet | None = None
    files: FileSet | None = None
    vectors: Vectors | None = None
    uhhrag: str = ""
    format: int = FORMAT
    kind: str = KIND

    @property
    def documents(self) -> int:
        """The next number; deleted ones keep theirs."""
        return max((one.document + one.documents for one in self.segments), default=0)

    @property
    def passages(self) -> int:
        return max((one.passage + one.passages for one in self.segments), default=0)

    @property
    def has_deleted(self) -> bool:
        """Their texts are on disk until compaction."""
        return self.documents > self.counts.documents

    @property
    def behind(self) -> int:
        return self.passages - (self.vectors.passages if self.vectors else 0)

    def named(self) -> dict[str, FileEntry]:
        files: dict[str, FileEntry] = {}
        for segment in self.segments:
            files |= {f"segments/{segment.name}/{name}": e for name, e in segment.files.items()}
        if self.text:
            files |= {f"text/{self.text.name}/{name}": e for name, e in self.text.files.items()}
        if self.files:
            files |= {f"files/{name}": entry for name, entry in self.files.files.items()}
        if self.vectors:
            files |= {f"vectors/{part.name}": part.file for part in self.vectors.parts}
            if approximate := self.vectors.approximate:
                files[f"vectors/{approximate.name}"] = approximate.file
        return files


def is_archive(folder: Path) -> bool:
    """A damaged one counts too."""
    if not folder.is_dir():
        return False
    with suppress(OSError):
        if b'"kind": "corpus"' in (folder / NAME).read_bytes():
            return True
    with suppress(PermissionError):  # a user's folder may have one called segments, or be locked
        has_others = (folder / NAME).exists() or (folder / "manifests").is_dir()
        return has_others and (folder / "segments").is_dir()
    return False


def require_archive(folder: Path) -> None:
    """Raises IndexFault."""
    if not is_archive(folder):
        read(folder)


def fault(place: Path, why: str, archive: Path) -> IndexFault:
    return IndexFault(f"{place}: {why}; run: uhhrag archive repair {archive}")


def _instead(folder: Path) -> str:
    beside = folder.resolve()
    for kept in (folder / "archive", beside.with_name(f"{beside.name}.uhhrag") / "archive"):
        if is_archive(kept):
            return f"it is in {kept}"
    if folder.is_file():
        return "give the folder of uhhrag ingest --out"
    if is_filled(folder):
        return f"make one of these files with: uhhrag ingest {folder} --out {folder}.archive"
    return f"make one with: uhhrag ingest FOLDER --out {folder}"


def read(folder: Path, name: str = NAME) -> tuple[Manifest, str]:
    """The manifest, or its copy of this name, and its SHA-256. Raises IndexFault."""
    file = folder / name
    try:
        content = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        if is_archive(folder):
            raise fault(file, "is missing", folder) from error
        raise IndexFault(f"{folder}: no archive here; {_instead(folder)}") from error
    except OSError as error:
        raise IndexFault(f"{file}: cannot be read: {reason(error)}") from error
    try:
        body = checksummed_json.from_bytes(content)
        if body.get("kind") != KIND:
            raise IndexFault(f"{folder}: is not an archive; give the folder of uhhrag ingest --out")
        if body.get("format") != FORMAT:
            raise IndexFault(
                f"{file}: is of another version of uhhrag (format {body.get('format')}, this one "
                f"reads {FORMAT}); make it again: uhhrag ingest FOLDER --out ANOTHER_FOLDER"
            )
        return _with_plain_names(shaped(Manifest, body)), sha256(content)
    except (ValueError, TypeError) as error:
        raise fault(file, f"is damaged ({error})", folder) from error


def _with_plain_names(state: Manifest) -> Manifest:
    """Raises ValueError for a name that leads out of the archive."""
    sets = [FileSet(segment.name, segment.files) for segment in state.segments]
    sets += [one for one in (state.text, state.files) if one]
    names = [name for one in sets for name in (one.name, *one.files)]
    if vectors := state.vectors:
        names += [part.name for part in vectors.parts]
        names += [vectors.approximate.name] if vectors.approximate else []
    for name in names:
        if not _PLAIN.fullmatch(name) or name in (".", ".."):
            raise ValueError(f"it names {name[:60]!r}")
    return state


def to_bytes(manifest: Manifest) -> bytes:
    return checksummed_json.to_bytes(asdict(manifest))


def draft(number: int) -> str:
    return f"{number:06d}"
