"""Maintains and opens archives."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from uhhrag import defaults, models
from uhhrag.archive import embedding, file_table, manifest
from uhhrag.archive import verify as checking
from uhhrag.archive.manifest import require_archive as require_archive
from uhhrag.archive.search import Ranking, best_pages, engines_of
from uhhrag.archive.snapshot import Snapshot, open_snapshot, opened_with
from uhhrag.archive.updating import UpdateOptions
from uhhrag.archive.updating import remove_files as remove_files
from uhhrag.archive.verify import repair as repair
from uhhrag.documents.changed import FileOutcome, FileState, require_documents
from uhhrag.documents.listing import display_path, is_filled, list_documents
from uhhrag.errors import DocumentsFailed, InputError, UsageError
from uhhrag.indexing.candidates import PagesFor
from uhhrag.indexing.vectors import EmbedderId
from uhhrag.protocols import Embedder
from uhhrag.records import Claim
from uhhrag.store.claim_files import STORES
from uhhrag.system.ray_cluster import read_cluster_address
from uhhrag.system.terminal import printable, quantity
from uhhrag.system.text_files import write_bytes
from uhhrag.text.claim_words import plain_claim
from uhhrag.text.language import documents_note
from uhhrag.wiring import documents as wiring
from uhhrag.wiring import embedders
from uhhrag.wiring.machine import Loaded
from uhhrag.wiring.pipeline import VECTORS, Wired
from uhhrag.wiring.ray_tasks import embed_on_ray
from uhhrag.workflows.documents import read_into, work_folder
from uhhrag.workflows.method import Chosen
from uhhrag.workflows.observer import Observer
from uhhrag.workflows.table import Table


@dataclass(frozen=True, slots=True)
class Ingested(Table):
    store: Path
    closed: int
    """Unreadable folders."""
    outcomes: tuple[FileOutcome, ...]
    seconds: float

    def __iter__(self) -> Iterator[FileOutcome]:
        return iter(self.outcomes)

    def __len__(self) -> int:
        return len(self.outcomes)

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [
            {
                "file": display_path(outcome.name),
                "state": str(outcome.state),
                "why": outcome.why,
                "documents": outcome.documents,
                "sentences": outcome.lines,
            }
            for outcome in self.outcomes
        ]

    def require_all(self) -> None:
        unread = self.closed + sum(one.state is FileState.UNREADABLE for one in self.outcomes)
        if unread:
            raise DocumentsFailed(
                f"{unread} of the documents or folders could not be read (see above); the others "
                f"are in {self.store}"
            )


def ingest(
    folder: Path, out: Path, *, again: bool, vectors: bool = True, observer: Observer
) -> Ingested:
    """Reads new and changed files (`again`: all). Raises UsageError if `out` is a file."""
    if out.suffix.lower() in STORES:
        raise UsageError(
            f"--out {out}: an archive is a folder; for JSON lines then run: uhhrag archive export "
            f"ARCHIVE {out}"
        )
    require_documents(list_documents(folder, leave_out=(out,)))
    embedded = manifest.is_archive(out) and manifest.read(out)[0].vectors
    if vectors and not embedded:
        models.path(defaults.EMBEDDER)  # says what is missing before everything is read
    result = update(out, (folder,), observer, again=again)
    if vectors:
        embed(out, None, defaults.DEVICE, observer)
    return result


def update(
    archive: Path,
    folders: Sequence[Path],
    observer: Observer,
    *,
    again: bool = False,
    removed: bool = False,
) -> Ingested:
    """Updates or makes an archive of `folders` (default: those it follows); `again` reads unchanged
    files too, `removed` removed ones."""
    begun = time.monotonic()
    paths = folders or [Path(path) for path in manifest.read(archive)[0].folders]
    if not paths:
        raise InputError(
            f"{archive}: follows no folder; run its check again, or add one: uhhrag archive "
            f"add {archive} FOLDER"
        )
    gone = [] if folders else [path for path in paths if not is_filled(path)]
    away = [
        f"{printable(str(path))}: is not there, or empty; its documents stay as they were read; if "
        f"it moved: uhhrag archive add {shlex.quote(str(archive))} FOLDER"
        for path in gone
    ]
    if len(gone) == len(paths):
        raise InputError(away[0])
    observer.warn_all(away)
    outcomes: list[FileOutcome] = []
    closed = len(gone)
    for path in (path for path in paths if path not in gone):
        files = list_documents(path, (archive, work_folder(archive, None)))
        outcomes += read_into(archive, files, UpdateOptions(again, removed), observer)[0]
        closed += len(files.closed)
    if note := documents_note({display_path(o.name): o.language for o in outcomes if o.language}):
        observer.warn(printable(note))
    return Ingested(archive, closed, tuple(outcomes), time.monotonic() - begun)


def embed(
    archive: Path,
    name: str | Loaded[Embedder] | None,
    device: str,
    observer: Observer,
    ray: str | None = None,
) -> int:
    """By default with the archive's embedder. Gives the number of passages."""
    address = read_cluster_address(ray) if ray is not None else None
    known = manifest.read(archive)[0].vectors
    same = known.embedder if known and name in (None, known.embedder.name) else None
    wanted = name or (same.name if same else defaults.EMBEDDER)
    precision = same.precision if same else None
    model, identity = embedders.load_embedder(wanted, device, None, precision)
    left = embedding.waiting(manifest.read(archive)[0], identity)
    if address is None:
        running = embedding.embed_passages(archive, model, identity)
    else:
        spread = embed_on_ray(address, wanted, device, identity)
        running = embedding.embed_passages_by(archive, spread, identity)
    for _ in observer.track(running, left, "passages", by=embedding.BATCH_SIZE):
        pass
    return left


def embed_new(archive: Path, observer: Observer) -> None:
    """If the archive has any vectors."""
    state, _ = manifest.read(archive)
    if state.vectors and state.behind:
        embed(archive, None, defaults.DEVICE, observer)


def embed_for(archive: Path, chosen: Chosen, observer: Observer) -> None:
    """With the embedder of checks."""
    name = chosen.machine.own_embedder or chosen.machine.embedder or None
    embed(archive, name, chosen.machine.device, observer)


def export(archive: Path, out: Path) -> int:
    """As a store. Gives the number of documents. Raises UsageError."""
    if out.suffix.lower() not in STORES:
        raise UsageError(f"{out}: its ending names no store; use one of: {' '.join(STORES)}")
    snapshot = open_snapshot(archive)
    numbers = np.flatnonzero(snapshot.live).tolist()
    write_bytes(out, b"".join(map(snapshot.content, numbers)))
    return len(numbers)


def describe(archive: Path) -> dict[str, Any]:
    """As `uhhrag archive info --json`."""
    state, _ = manifest.read(archive)
    vectors = state.vectors
    parts = {"segments": 0, "text": 0, "vectors": 0}
    for name, entry in state.named().items():
        parent = name.partition("/")[0]
        parts[parent] = parts.get(parent, 0) + entry.size
    return {
        "files": state.counts.files,
        "documents": state.counts.documents,
        "sentences": state.counts.lines,
        "passages": state.counts.passages,
        "outdated_files": file_table.outdated(file_table.read(archive, state).values()),
        "deleted_passages": state.passages - state.counts.passages,
        "with_vectors": vectors.passages if vectors else 0,
        "embedder": str(vectors.embedder) if vectors else "",
        "search_by_meaning": _by_meaning(archive, state),
        "inverted_lists": vectors.approximate.lists if vectors and vectors.approximate else 0,
        "bytes": sum(parts.values()),
        **{f"bytes_of_{name}": size for name, size in parts.items()},
        "state": state.number,
        "folders": list(state.folders),
    }


def _by_meaning(archive: Path, state: manifest.Manifest) -> str:
    if state.vectors:
        return "by the vectors above"
    if state.counts.lines > defaults.POOL:
        return f"not yet: run uhhrag archive embed {archive}"
    memory = archive.resolve().parent / VECTORS
    kept = f", kept in {memory}" if memory.is_file() else ""
    return f"each check makes vectors of all sentences itself, as they are few{kept}"


def compact(archive: Path, observer: Observer) -> tuple[int, int]:
    """Gives bytes before and after."""
    state, _ = manifest.read(archive)
    running = checking.compact(archive)
    for _ in observer.track(running, state.counts.documents, "documents"):
        pass
    return checking.size_of(state), checking.size_of(manifest.read(archive)[0])


def require_no_rerank(rerank: int | None, docs: Path) -> None:
    if rerank is not None:
        raise UsageError(
            f"--rerank {rerank}: {docs} is not an archive, of which alone passages are read again; "
            f"leave it out, or make one: uhhrag ingest {docs} --out ARCHIVE"
        )


def open_for_claims(
    folder: Path,
    claims: Sequence[Claim],
    rerank: int | None,
    chosen: Chosen,
    work: Path | None,
    observer: Observer,
) -> tuple[Wired, Snapshot]:
    read = wiring.reranked_here(rerank, observer.warn)

    def wired(snapshot: Snapshot) -> tuple[Wired, Snapshot]:
        settings, machine = chosen.settings, chosen.machine
        return wiring.wire_archive(snapshot, claims, settings, machine, read, work), snapshot

    made, snapshot = opened_with(folder, wired)
    warn_of_vectors(snapshot, observer)
    return made, snapshot


def warn_of_vectors(snapshot: Snapshot, observer: Observer) -> None:
    if behind := snapshot.manifest.behind:
        observer.warn(
            f"{quantity(behind, 'passage')} without a vector, found by words alone; "
            f"run: uhhrag archive embed {snapshot.folder}"
        )


def pages_for(archive: Path, embed: Embedder, identity: EmbedderId) -> PagesFor:
    """Documents of a claim's best passages; by vectors too if `identity` made them."""

    def searched(snapshot: Snapshot) -> PagesFor:
        vectors = snapshot.manifest.vectors
        same = vectors is not None and vectors.embedder.vectors == identity.vectors
        ranking = Ranking(embed, *engines_of(snapshot, by_vectors=same))
        return lambda claim: best_pages(snapshot, plain_claim(claim.text), ranking)

    return opened_with(archive, searched)
