from __future__ import annotations

import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from uhhrag import defaults
from uhhrag.archive.manifest import is_archive
from uhhrag.errors import IndexFault, InputError, UsageError
from uhhrag.formats.gold import read_claims
from uhhrag.indexing import build, index_folder
from uhhrag.indexing.bm25 import NAMES
from uhhrag.indexing.build import Plan
from uhhrag.indexing.candidates import ClaimOutcome
from uhhrag.indexing.index_folder import IndexSettings
from uhhrag.indexing.vectors import EmbedderId
from uhhrag.runs.predict import select
from uhhrag.runs.shards import read_shard
from uhhrag.store.claim_files import serves_all
from uhhrag.system.ray_cluster import read_cluster_address
from uhhrag.wiring import embedders, nltk_data, ray_tasks
from uhhrag.workflows import archives
from uhhrag.workflows.method import require_either
from uhhrag.workflows.observer import Observer
from uhhrag.workflows.table import Table
from uhhrag.workflows.tasks import IndexTask


@dataclass(frozen=True, slots=True)
class IndexResult(Table):
    folder: Path
    outcomes: tuple[ClaimOutcome, ...]
    seconds: float

    def __iter__(self) -> Iterator[ClaimOutcome]:
        return iter(self.outcomes)

    def __len__(self) -> int:
        return len(self.outcomes)

    @property
    def passages(self) -> int:
        return sum(o.manifest.counts.kept for o in self.outcomes if o.manifest)

    @property
    def fresh(self) -> tuple[ClaimOutcome, ...]:
        return tuple(outcome for outcome in self.outcomes if outcome.seconds)

    @property
    def stages(self) -> dict[str, float]:
        """Seconds of `fresh`, by stage."""
        stages: Counter[str] = Counter()
        for outcome in self.fresh:
            stages.update(outcome.seconds)
        return dict(stages)

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [
            {
                "claim_id": outcome.claim.id,
                "claim": outcome.claim.text,
                "pages": counts and counts.pages,
                "lines": counts and counts.lines,
                "unique": counts and counts.unique,
                "passages": counts and counts.kept,
                "error": outcome.error or None,
            }
            for outcome in self.outcomes
            for counts in [outcome.manifest and outcome.manifest.counts]
        ]

    def require_all(self) -> None:
        build.require_all(self.outcomes)


def index(task: IndexTask, observer: Observer) -> IndexResult:
    """Resumes; a failed claim is an outcome."""
    begun = time.monotonic()
    require_either(overwrite=task.overwrite, repair=task.repair)
    address = read_cluster_address(task.ray) if task.ray is not None else None
    file = task.claims or _claims_file(task.data)
    every, shard = read_claims(file), read_shard(task.shard)
    chosen = select(every, task.limit, task.claim, shard, str(file), "give one of these")
    only = tuple(claim.id for claim in chosen)
    store = _store(task.data, task.store)
    if address and is_archive(store):
        raise UsageError(f"--ray: {store} is an archive, which is not spread; leave --ray out")
    nltk_data.load_nltk_data()
    existing = _existing(task)
    precision = task.precision or (existing.embedder.precision if existing else None)
    embed, identity = embedders.load_embedder(task.embedder, task.device, None, precision)
    patience = _patience(task, existing, identity)
    static = embedders.load_static(task.embedder, identity) if patience else None
    settings = IndexSettings(
        identity,
        task.pool,
        task.unique,
        NAMES[task.tokenizer],
        patience=patience,
        order=static.fingerprint if static else "",
    )
    pages_for = archives.pages_for(store, embed, identity) if is_archive(store) else None
    plan = Plan(every, store, task.out, settings, only, task.overwrite, task.repair)
    plan = replace(plan, pages_for=pages_for, static=static.model if static else None)
    outcomes = []
    if address is None:
        running = build.index_claims(plan, embed)
    else:
        elsewhere = ray_tasks.index_on_ray(
            address, store.absolute(), settings, task.embedder, task.device
        )
        running = build.index_claims_by(plan, elsewhere)
    with closing(running):
        for outcome in observer.track(running, len(only), "index"):
            outcomes.append(outcome)
            observer.result(outcome)
    return IndexResult(task.out, tuple(outcomes), time.monotonic() - begun)


def _existing(task: IndexTask) -> IndexSettings | None:
    with suppress(IndexFault):
        if not task.overwrite and (header := index_folder.read_header(task.out)):
            return header.recipe
    return None


def _patience(task: IndexTask, existing: IndexSettings | None, embedder: EmbedderId) -> int:
    """0 without trained static vectors: a pool then has no good order."""
    if task.patience is not None:
        return task.patience
    if existing:
        return existing.patience
    return defaults.PATIENCE if embedders.trained_table(embedder) else 0


def _claims_file(folder: Path) -> Path:
    file = folder / "claims.json"
    if file.is_file():
        return file
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; give the one that holds claims.json")
    others = ", ".join(sorted(other.name for other in folder.glob("*.json"))[:5])
    there = f"; it has {others}" if others else ""
    raise InputError(f"{folder}: no claims.json in it{there}; name the claims file by --claims")


def _store(folder: Path, named: Path | None) -> Path:
    usual = (folder / "knowledge_store", folder / "knowledge_store.zip")
    for store in usual if named is None else (named,):
        if store.is_dir() or serves_all(store) or zipfile.is_zipfile(store):
            return store
        if store.exists():
            raise InputError(f"{store}: is no folder, whole zip or .jsonl; give one by --store")
    if named is not None:
        raise InputError(f"{named}: no such knowledge store; give a folder or a zip by --store")
    raise InputError(
        f"{folder}: neither knowledge_store/ nor knowledge_store.zip in it; "
        "name the store by --store"
    )
