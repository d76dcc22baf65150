"""Claims and a knowledge store in, an index folder out: one claim after the other, each whole or
not at all, so that a run that was stopped goes on where it stood.

read → unique → prefilter → embed → write (UHH, sections on the knowledge store and retrieval).
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from uhhrag import __version__, store, vectors
from uhhrag import index as layout
from uhhrag.errors import ClaimsFailed, IndexFault, InputError
from uhhrag.index import Counts, Entry, Header, Recipe
from uhhrag.prefilter import bm25
from uhhrag.protocols import Embedder
from uhhrag.records import Claim
from uhhrag.store import Page, Skipped
from uhhrag.vectors import EmbedderId


@dataclass(frozen=True, slots=True)
class Plan:
    """What to index. `claims` is the whole claims file; `only` names the ids wanted now, in
    order (None: all), and never changes what one claim's index looks like. `overwrite` builds
    those again, and clears an index of another recipe away first."""

    claims: tuple[Claim, ...]
    store: Path
    out: Path
    recipe: Recipe
    only: tuple[int, ...] | None = None
    overwrite: bool = False

    @property
    def chosen(self) -> tuple[Claim, ...]:
        return self.claims if self.only is None else tuple(self.claims[i] for i in self.only)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one claim: an entry of the index, or an `error` instead. `seconds` by stage;
    empty where the claim had been indexed before."""

    claim: Claim
    entry: Entry | None
    error: str = ""
    seconds: Mapping[str, float] = field(default_factory=dict)


def index_claims(plan: Plan, embed: Embedder) -> Iterator[Outcome]:
    """Index the chosen claims in order, yielding each when it is safely on disk.

    A claim whose store file cannot be read yields an error and does not stop the others. Raises
    IndexFault where `out` holds something else, is in use, or cannot be written."""
    with _writing(plan.out), _locked(plan.out):
        _prepare(plan)
        for claim in plan.chosen:
            done = None if plan.overwrite else layout.read_entry(plan.out, claim.id)
            if done is not None:
                _demand_same_claim(done, claim, plan)
                yield Outcome(claim, done)
                continue
            try:
                yield _index_claim(claim, plan, embed)
            except InputError as error:
                yield Outcome(claim, None, str(error))


def demand_all(outcomes: Sequence[Outcome]) -> None:
    """Raises ClaimsFailed, naming them, if some claims have no index."""
    failed = [outcome for outcome in outcomes if outcome.entry is None]
    if failed:
        ids = ", ".join(str(outcome.claim.id) for outcome in failed[:20])
        more = ", …" if len(failed) > 20 else ""
        raise ClaimsFailed(
            f"{len(failed)} of {len(outcomes)} claims could not be indexed (claim {ids}{more}); "
            "mend their store files and run the same command again"
        )


def _index_claim(claim: Claim, plan: Plan, embed: Embedder) -> Outcome:
    watch = _Watch()
    read, skipped = _split(store.pages(plan.store, claim.id))
    lines = [passage for page in read for passage in store.passages(page)]
    watch.lap("read")
    distinct = store.unique(lines)
    watch.lap("unique")
    hits = bm25(claim.text, distinct if plan.recipe.unique else lines, plan.recipe.pool)
    watch.lap("prefilter")
    rows = _embedded([hit.passage.text for hit in hits], plan.recipe, embed)
    watch.lap("embed")
    contents = {
        layout.PASSAGES: layout.passages_to_bytes(hits),
        layout.VECTORS: vectors.to_bytes(vectors.build(rows)),
    }
    entry = Entry(
        claim=claim,
        recipe=plan.recipe,
        counts=Counts(
            pages=len(read),
            lines=len(lines),
            unique=len(distinct),
            kept=len(hits),
            mended=sum(page.mended for page in read),
            skipped=len(skipped),
        ),
        first_skipped=f"{skipped[0].place}: {skipped[0].why}" if skipped else "",
        sha256={name: hashlib.sha256(content).hexdigest() for name, content in contents.items()},
    )
    contents[layout.MANIFEST] = layout.manifest_to_bytes(entry)
    _write_folder(layout.claim_folder(plan.out, claim.id), contents)
    watch.lap("write")
    return Outcome(claim, entry, seconds=watch.laps)


def _split(pages: Iterable[Page | Skipped]) -> tuple[list[Page], list[Skipped]]:
    read: list[Page] = []
    skipped: list[Skipped] = []
    for page in pages:
        if isinstance(page, Page):
            read.append(page)
        else:
            skipped.append(page)
    return read, skipped


def _embedded(texts: Sequence[str], recipe: Recipe, embed: Embedder) -> NDArray[np.float32]:
    if not texts:
        return np.empty((0, recipe.embedder.dimension), np.float32)
    return embed(texts)


class _Watch:
    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        now = time.perf_counter()
        self.laps[stage], self._last = now - self._last, now


def _prepare(plan: Plan) -> None:
    """Leave `out` with our manifest and nothing half-done."""
    wanted = Header(plan.recipe, plan.store.name.removesuffix(".zip"), len(plan.claims), __version__)
    found = _found_header(plan)
    for leftover in (*plan.out.glob(".*.old"), *layout.claims_folder(plan.out).glob(".*")):
        _remove(leftover)
    if found is not None:
        difference = _difference(found, wanted)
        if not difference:
            return
        if not plan.overwrite:
            raise IndexFault(
                f"{plan.out} was built with {difference}; "
                "choose another folder by --out, or replace this index by --overwrite"
            )
        _set_aside(plan.out)
    _write_file(plan.out / layout.MANIFEST, layout.manifest_to_bytes(wanted))
    layout.claims_folder(plan.out).mkdir(exist_ok=True)


def _found_header(plan: Plan) -> Header | None:
    """What is in `out`; None where it is empty, or damaged and about to be overwritten."""
    if not (plan.out / layout.MANIFEST).exists():
        strangers = sorted(path.name for path in plan.out.iterdir() if path.name[0] != ".")
        if strangers and strangers != ["README.md"]:
            raise IndexFault(
                f"{plan.out} holds other things ({strangers[0]}); choose another folder by --out"
            )
        return None
    return layout.read_header(plan.out)


def _difference(found: Header, wanted: Header) -> str:
    """What the index was built with and what was asked for, where they differ; else ""."""
    pairs = [
        ("embedder", found.recipe.embedder, wanted.recipe.embedder),
        ("pool", found.recipe.pool, wanted.recipe.pool),
        ("unique", found.recipe.unique, wanted.recipe.unique),
        ("prefilter", found.recipe.prefilter, wanted.recipe.prefilter),
        ("store", found.store, wanted.store),
        ("claims in the file", found.claims, wanted.claims),
    ]
    return ", ".join(
        f"{name} {_told(was)}, not {_told(now)}" for name, was, now in pairs if was != now
    )


def _told(value: object) -> str:
    if isinstance(value, EmbedderId):
        return f"{value} {value.fingerprint[:8]}"
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


def _demand_same_claim(done: Entry, claim: Claim, plan: Plan) -> None:
    if done.claim != claim:
        raise IndexFault(
            f"{plan.out}: claim {claim.id} was indexed as {done.claim.text[:60]!r} but the claims "
            f"file now says {claim.text[:60]!r}; choose another --out, or --overwrite"
        )


@contextmanager
def _writing(out: Path) -> Iterator[None]:
    """What the system refuses (full disk, read-only folder) on one line."""
    try:
        yield
    except OSError as error:
        raise IndexFault(
            f"{out}: cannot be written: {error.strerror or error}; "
            "what was indexed before is intact; mend that and run the same command again"
        ) from error


@contextmanager
def _locked(out: Path) -> Iterator[None]:
    """One process at a time. The system lifts the lock when a process ends, however it ends."""
    out.mkdir(parents=True, exist_ok=True)
    with (out / ".lock").open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise IndexFault(
                f"{out}: another uhhrag is indexing into it; wait until it ends, or use another --out"
            ) from error
        yield


def _write_folder(folder: Path, contents: Mapping[str, bytes]) -> None:
    """The folder appears whole, in one step, or not at all."""
    draft = folder.with_name(f".{folder.name}.part")
    _remove(draft)
    draft.mkdir(parents=True)
    for name, content in contents.items():
        _write_file(draft / name, content)
    _sync(draft)
    if folder.exists():
        folder.rename(folder.with_name(f".{folder.name}.old"))
    draft.rename(folder)
    _sync(folder.parent)
    _remove(folder.with_name(f".{folder.name}.old"))


def _write_file(file: Path, content: bytes) -> None:
    draft = file.with_name(f".{file.name}.part")
    with draft.open("wb") as handle:
        handle.write(content)
        handle.flush()
        os.fsync(handle.fileno())
    draft.replace(file)
    _sync(file.parent)


def _set_aside(out: Path) -> None:
    """Take all claims away in one step; what is left is an empty index."""
    old = out / ".claims.old"
    if layout.claims_folder(out).exists():
        layout.claims_folder(out).rename(old)
    _remove(old)


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
