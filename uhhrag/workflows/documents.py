from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from uhhrag.archive import file_table, manifest
from uhhrag.archive.file_table import FileRow
from uhhrag.archive.updating import UpdateOptions, follow_folder, keep_pages
from uhhrag.documents.changed import FileOutcome, require_documents, scans_note
from uhhrag.documents.listing import FolderListing, display_path, list_documents, require_no_address
from uhhrag.errors import InputError, RunError, UsageError
from uhhrag.protocols import Embedder
from uhhrag.runs.trace import TRACE
from uhhrag.store import knowledge_store
from uhhrag.system import locks, writing
from uhhrag.system.checksums import sha256, sha256_of_file
from uhhrag.system.extras import require_extra
from uhhrag.system.machine_cache import changed_ns
from uhhrag.system.places import reason
from uhhrag.system.terminal import first_of, printable, quantity
from uhhrag.wiring import nltk_data
from uhhrag.wiring.pipeline import forget
from uhhrag.workflows.observer import Observer

BATCH_SIZE = 512
"""Sentences between progress reports."""
ARCHIVE = "archive"
_SOURCE = re.compile(rb'"file(?:":"|:)([^"\\#]+)')
"""In a line of a trace, in whose texts quotation marks are escaped."""
_COMPACTED = 20_000
"""Passages, which are rewritten in some 3 s."""


def read_folder(
    docs: Path, work: Path, observer: Observer, leave_out: Sequence[Path]
) -> tuple[Path, FolderListing, tuple[FileOutcome, ...]]:
    """Update a folder's archive in `work`; gives it, and what was found and read. Raises InputError
    if nothing can be read, UsageError if `work` is unwritable."""
    if docs.is_file():
        raise InputError(f"{docs}: is a file; name the folder it is in by --docs")
    require_no_address(docs)
    if not docs.is_dir():
        raise InputError(f"{docs}: no such folder of documents; name it by --docs")
    require_extra("corpus", ("tantivy",), "these documents")
    nltk_data.load_nltk_data()  # a check tokenises; better told before all is read
    files = list_documents(docs, leave_out=(work, *leave_out))
    require_documents(files)
    make_work_folder(work)
    archive = work / ARCHIVE
    taking = UpdateOptions(alone=True, compacts=_COMPACTED)
    outcomes, gone = read_into(archive, files, taking, observer)
    if gone and manifest.read(archive)[0].has_deleted:
        remedy = f"uhhrag archive compact {shlex.quote(str(archive))}"
        observer.warn(printable(f"their text is on the disk until you run: {remedy}"))
    observer.warn(counted(outcomes))
    return archive, files, outcomes


def read_store(store: Path, work: Path) -> Path:
    """As `read_folder`, for JSON lines."""
    make_work_folder(work)
    try:
        status, digest = store.stat(), sha256_of_file(store)
    except OSError as error:
        raise InputError(f"{store}: cannot be read: {error.strerror}") from error
    row = FileRow(0, quote(store.name), status.st_size, changed_ns(status), digest, reader="")
    keep_pages(archive := work / ARCHIVE, row, knowledge_store.pages(store, 0))
    return archive


def make_work_folder(work: Path) -> None:
    try:
        work.mkdir(parents=True, exist_ok=True)
        for there in filter(Path.is_dir, (work, work / ARCHIVE)):
            next(there.iterdir(), None)  # raises if it is closed to this user
    except OSError as error:
        raise UsageError(
            f"{work}: cannot be written: {reason(error)}; name another folder by --work"
        ) from error


def read_into(
    archive: Path, files: FolderListing, taking: UpdateOptions, observer: Observer
) -> tuple[tuple[FileOutcome, ...], list[str]]:
    """Outcomes, and names of files that are gone; warns of these and of unread ones."""
    outcomes: list[FileOutcome] = []
    gone: list[str] = []
    with closing(follow_folder(archive, files, replace(taking, dropped=gone.append))) as running:
        for outcome in observer.track(running, len(files.files), "documents"):
            outcomes.append(outcome)
            if outcome.why:
                observer.warn(f"{printable(display_path(outcome.name))}: {printable(outcome.why)}")
    observer.warn_all(left_out(files))
    if note := scans_note({display_path(o.name): o.scans for o in outcomes if o.scans}):
        observer.warn(printable(note))
    if gone:
        there = f"{quantity(len(gone), 'file')} no longer there, whose documents are taken out"
        observer.warn(printable(f"{there}: {first_of([*map(display_path, gone)])}"))
    return tuple(outcomes), gone


def left_out(files: FolderListing) -> list[str]:
    lines = [
        f"{printable(display_path(name))}: {why}; not looked into" for name, why in files.closed
    ]
    lines += [
        f"{printable(display_path(name))}: a link out of the folder; not followed"
        for name in files.links
    ]
    if files.other:
        kinds = first_of([f"{n} {printable(kind)}" for kind, n in files.other.items()])
        number = quantity(sum(files.other.values()), "file")
        lines.append(f"{number} of other kinds left out: {kinds}")
    return lines


def counted(outcomes: Sequence[FileOutcome]) -> str:
    states = [outcome.state for outcome in outcomes]
    counts = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))
    return f"{quantity(len(outcomes), 'file')} ({counts})"


def work_folder(docs: Path, work: Path | None) -> Path:
    """NAME.uhhrag beside the documents, or a folder below `work`."""
    real = docs.resolve()
    if work is None:
        return real.with_name(f"{real.name}.uhhrag")
    return work / f"{real.name}-{sha256(str(real))[:8]}"


def run_folder(work: Path, header: Mapping[str, Any]) -> Path:
    made_of = repr((header["signature"], header["passages"]))
    return work / "runs" / sha256(made_of)[:12]


def _kept_beside(archive: Path) -> list[Path]:
    """Work folders of checks against it, and against the documents it was made of."""
    own = archive.resolve()
    return [work_folder(own, None), *([own.parent] if own.name == ARCHIVE else [])]


def forget_beside(archive: Path) -> None:
    """Drop the vectors and replies that checks have kept."""
    for work in _kept_beside(archive):
        forget(work)


def outdated_runs(archive: Path) -> list[Path]:
    """Those beside it that quote files it no longer holds."""
    rows = file_table.read(archive, manifest.read(archive)[0]).values()
    held = {row.name.encode() for row in rows if row.documents}
    traces = (trace for work in _kept_beside(archive) for trace in work.glob(f"runs/*/{TRACE}"))
    return sorted(file.parent for file in traces if set(_SOURCE.findall(file.read_bytes())) - held)


def delete_run(run: Path) -> None:
    """Raises RunError if in use."""
    busy = RunError(f"another process is working in {run}; wait for it")
    with locks.sole_writer(
        run / locks.NAME,
        busy=busy,
        unwritable=lambda reason: RunError(f"{run}: cannot be deleted: {reason}"),
    ):
        writing.remove(run)


def embed_ahead(texts: Sequence[str], embed: Embedder) -> Iterator[str]:
    for start in range(0, len(texts), BATCH_SIZE):
        batch = texts[start : start + BATCH_SIZE]
        embed(batch)
        yield from batch
