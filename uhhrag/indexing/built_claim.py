"""A claim's index as bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from uhhrag.indexing import index_folder
from uhhrag.indexing.best_first import STEP, embed_until, rank_order
from uhhrag.indexing.candidates import Candidates, Watch
from uhhrag.indexing.index_folder import ClaimManifest, Counts, IndexSettings
from uhhrag.protocols import Embedder
from uhhrag.records import Claim


@dataclass(frozen=True, slots=True)
class BuiltClaim:
    claim: Claim
    counts: Counts
    first_skipped: str
    files: Mapping[str, bytes]
    """By name."""
    seconds: Mapping[str, float]
    """By stage."""


@dataclass(frozen=True, slots=True)
class ClaimOutcome:
    """A manifest, or an `error`."""

    claim: Claim
    manifest: ClaimManifest | None
    error: str = ""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """By stage; empty if indexed before."""


def build_claim(
    candidates: Candidates, recipe: IndexSettings, embed: Embedder, static: Embedder | None = None
) -> BuiltClaim:
    watch = Watch()
    places, rows = _embedded(candidates, recipe, embed, static)
    hits = tuple(candidates.hits[place] for place in places)
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
    candidates: Candidates, recipe: IndexSettings, embed: Embedder, static: Embedder | None
) -> tuple[Sequence[int], NDArray[np.float32]]:
    """Indices and vectors of the embedded passages, in pool order."""
    texts = [hit.passage.text for hit in candidates.hits]
    if not texts:
        return (), np.empty((0, recipe.embedder.dimension), np.float32)
    if not recipe.patience:
        return range(len(texts)), embed(texts)
    ordered = rank_order(candidates.claim.text, texts, static if recipe.order else None)
    claim = embed([candidates.claim.text])[0]
    parts = (ordered[start : start + STEP] for start in range(0, len(ordered), STEP))
    steps = (embed([texts[place] for place in part]) for part in parts)
    rows = embed_until(steps, claim, recipe.patience)
    places = ordered[: len(rows)]
    by_place = np.argsort(places)
    return places[by_place].tolist(), rows[by_place]
