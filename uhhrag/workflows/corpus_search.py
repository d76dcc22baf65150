"""Ranks an archive's passages (`uhhrag archive search`)."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from uhhrag.archive.engine import Engine
from uhhrag.archive.filters import CorpusLimits
from uhhrag.archive.search import RankedPassage, Ranking, rank
from uhhrag.archive.snapshot import Snapshot, opened_with
from uhhrag.errors import UsageError
from uhhrag.records import Claim, source_of
from uhhrag.store.filters import Limits
from uhhrag.text.dates import dated
from uhhrag.wiring import archives as wiring
from uhhrag.wiring.loaded import Given
from uhhrag.wiring.machine import Machine
from uhhrag.workflows.corpus import require_engine
from uhhrag.workflows.method import require_dates
from uhhrag.workflows.observer import Observer


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchTask:
    corpus: Path
    claims: Sequence[Claim]
    top: int
    """Passages per claim."""
    rerank: int | None
    """Passages reranked; None: the default."""
    engine: Engine
    limits: Limits
    files: Sequence[str] | None
    """Only these; None: all."""


def search(task: SearchTask, observer: Observer) -> Iterator[dict[str, Any]]:
    """An object per claim: seconds and passages, best first. Raises UhhragError."""
    require_engine()
    require_dates(task.limits, task.claims, "give --before YYYY-MM-DD")

    @cache  # a corpus that changes meanwhile is opened again, and warned of once
    def rerank() -> int:
        return wiring.reranked_here(task.rerank, observer.warn)

    snapshot, ranking = opened_with(task.corpus, lambda state: _ranking(state, task, rerank()))
    limits = CorpusLimits(snapshot, task.limits, task.files)
    for claim in task.claims:
        begun = time.perf_counter()
        passages = rank(snapshot, claim.text, task.top, ranking, limits.for_claim(claim))
        seconds = time.perf_counter() - begun
        yield {
            "claim_id": claim.id,
            "claim": claim.text,
            "seconds": round(seconds, 4),
            "passages": [_shown(passage) for passage in passages],
        }


def _ranking(snapshot: Snapshot, task: SearchTask, rerank: int) -> tuple[Snapshot, Ranking]:
    if task.engine is Engine.VECTORS and snapshot.manifest.vectors is None:
        raise UsageError(
            f"--by vectors: {task.corpus} has none; run: uhhrag archive embed {task.corpus}"
        )
    if task.engine is Engine.TEXT or snapshot.manifest.vectors is None:
        return snapshot, wiring.wire_text_search(snapshot, Machine(), rerank)
    ranking = wiring.wire_search(snapshot, Machine(), Given(), rerank).ranking
    return snapshot, replace(ranking, matching=None) if task.engine is Engine.VECTORS else ranking


def _shown(passage: RankedPassage) -> dict[str, Any]:
    source = dated(source_of(passage.page))
    return {
        "url": source.url,
        "title": source.title,
        "date": source.date,
        "file": source.file,
        "score": round(passage.score, 6),
        "text": " ".join(passage.lines),
    }
