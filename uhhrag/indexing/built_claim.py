"""One claim's index as bytes, before it is written: candidates embedded, files made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from uhhrag.indexing import index_folder
from uhhrag.indexing.candidates import Candidates, Watch
from uhhrag.indexing.index_folder import ClaimManifest, Counts, IndexSettings
from uhhrag.protocols import Embedder
from uhhrag.records import Claim, Hit


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
    rows = _embedded(candidates.hits, recipe, embed)
    watch.lap("embed")
    files = index_folder.contents(candidates.hits, rows, candidates.pages)
    watch.lap("write")
    return BuiltClaim(
        candidates.claim,
        candidates.counts,
        candidates.first_skipped,
        files,
        {**candidates.seconds, **watch.laps},
    )


def _embedded(hits: Sequence[Hit], recipe: IndexSettings, embed: Embedder) -> NDArray[np.float32]:
    if not hits:
        return np.empty((0, recipe.embedder.dimension), np.float32)
    return embed([hit.passage.text for hit in hits])
