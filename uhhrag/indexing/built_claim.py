"""One claim's index as bytes, before it is written: candidates embedded, files made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from uhhrag.indexing import index_folder
from uhhrag.indexing.candidates import Candidates, Watch
from uhhrag.indexing.index_folder import ClaimManifest, Counts, IndexSettings
from uhhrag.protocols import Embedder
from uhhrag.records import Claim

NEAREST = 10
"""The nearest passages that a patience watches."""
STEP = 256
"""Passages embedded at a time with a patience."""


@dataclass(frozen=True, slots=True)
class BuiltClaim:
    """A claim's files by name, what was counted in its store, and the seconds of each stage."""

    claim: Claim
    counts: Counts
    first_skipped: str
    files: Mapping[str, bytes]
    seconds: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ClaimOutcome:
    """What became of one claim: its manifest, or an `error` instead. `seconds` by stage; empty
    where the claim had been indexed before."""

    claim: Claim
    manifest: ClaimManifest | None
    error: str = ""
    seconds: Mapping[str, float] = field(default_factory=dict)


def build_claim(candidates: Candidates, recipe: IndexSettings, embed: Embedder) -> BuiltClaim:
    """The index of a claim, by its candidates. Raises what the embedder raises."""
    watch = Watch()
    rows = _embedded(candidates, recipe, embed)
    hits = candidates.hits[: len(rows)]
    watch.lap("embed")
    files = index_folder.contents(hits, rows, candidates.pages)
    watch.lap("write")
    return BuiltClaim(
        candidates.claim,
        replace(candidates.counts, kept=len(hits)),
        candidates.first_skipped,
        files,
        {**candidates.seconds, **watch.laps},
    )


def _embedded(
    candidates: Candidates, recipe: IndexSettings, embed: Embedder
) -> NDArray[np.float32]:
    """The vectors of the candidates, or with a patience of the first of them, best by BM25 first.
    The nearest to a claim share words with it, so most of them come early."""
    texts = [hit.passage.text for hit in candidates.hits]
    if not texts:
        return np.empty((0, recipe.embedder.dimension), np.float32)
    if not recipe.patience:
        return embed(texts)
    steps = (embed(texts[start : start + STEP]) for start in range(0, len(texts), STEP))
    return embedded(steps, embed([candidates.claim.text])[0], recipe.patience)


def embedded(
    steps: Iterable[NDArray[np.float32]], claim: NDArray[np.float32], patience: int
) -> NDArray[np.float32]:
    """The vectors of the first steps, shape (passages, dimension), until `patience` passages in a
    row, counted in whole steps, are not among the NEAREST ones to the claim's vector."""
    taken: list[NDArray[np.float32]] = []
    nearest, fruitless = np.full(NEAREST, -np.inf, np.float32), 0
    for vectors in steps:
        taken.append(vectors)
        now = np.sort(np.concatenate([nearest, vectors @ claim]))[-NEAREST:]
        fruitless = 0 if now[0] > nearest[0] else fruitless + len(vectors)
        nearest = now
        if fruitless >= patience:
            break
    return np.concatenate(taken)
