from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from uhhrag import defaults, models
from uhhrag.backends.lazy import Lazy
from uhhrag.evidence.fusion import best_of
from uhhrag.formats.claim_reviews import CheckedClaim, read_checked
from uhhrag.indexing import bm25
from uhhrag.indexing.term_counts import postings
from uhhrag.models import local
from uhhrag.models.local import ModelState
from uhhrag.protocols import Embedder, Relevance
from uhhrag.system import places
from uhhrag.text.claim_words import plain_claim
from uhhrag.text.numerals import search_words
from uhhrag.wiring import embedders, rerankers
from uhhrag.wiring.machine import Machine

Nearest = Callable[[str], Sequence[CheckedClaim]]
"""Similar claims, nearest first."""
Ranked = list[tuple[int, float]]
"""Indices and scores, best first."""


@dataclass(frozen=True, slots=True)
class CheckedBefore:
    near: Nearest
    recognise: Callable[[Sequence[str]], Sequence[CheckedClaim | None]]
    """Each sentence's claim or None. By static vectors: quick enough for a whole draft."""

    def __call__(self, claim: str) -> Sequence[CheckedClaim]:
        return self.near(claim)


MAX_SHOWN = 3
_DEPTH, _READ = 100, 30
"""Claims per ranking, and claims scored."""
_LOGIT = 0.01
"""Cosine per logit, fitted to training tweets of CLEF 2020. The limits are the lowest with
precision 0.8 there if half the tweets have no earlier check (`scripts/bench matching`)."""
MIN_STANDING, MIN_STANDING_READ = 0.585, 0.565
"""Least `standing` shown, without and with the cross-encoder."""
MIN_STATIC_COSINE = 0.66
"""Least cosine that recognises a sentence."""
_BATCH_SIZE = 64
_CACHE_SIZE = 1000


def file_of_checked() -> Path:
    return places.home() / "checked-claims.jsonl"


def open_checked() -> CheckedBefore:
    """Raises InputError for a damaged file."""
    file = file_of_checked()
    if not file.exists():
        return nearest_of((), None)
    claims, static = read_checked(file), embedders.beside(Machine())
    embed = Lazy(lambda: embedders.load_embedder(defaults.EMBEDDER)[0])
    reads = Lazy(lambda: rerankers.load_reranker(defaults.RERANKER, Machine()).model.relevance)
    reranked = local.state(models.MODELS[defaults.RERANKER]) is ModelState.PRESENT
    return nearest_of(claims, static, embed, reads if reranked else None)


def nearest_of(
    claims: Sequence[CheckedClaim],
    static: Embedder | None,
    embed: Embedder | None = None,
    relevance: Relevance | None = None,
) -> CheckedBefore:
    texts = [one.claim for one in claims]
    vectors = static(texts) if static and texts else None
    rank = ranking_of(texts, static, embed if static else None, relevance, vectors)

    @lru_cache(_CACHE_SIZE)
    def nearest(claim: str) -> Sequence[CheckedClaim]:
        if not claims:
            return ()
        least = MIN_STANDING_READ if relevance else MIN_STANDING
        found = standing(rank(plain_claim(claim)))
        return [claims[n] for n, stands in found if stands >= least]

    def recognise(sentences: Sequence[str]) -> Sequence[CheckedClaim | None]:
        found: list[CheckedClaim | None] = []
        if vectors is None or not static:
            return [None] * len(sentences)
        for start in range(0, len(sentences), _BATCH_SIZE):
            rows = static([plain_claim(text) for text in sentences[start : start + _BATCH_SIZE]])
            cosines = rows @ vectors.T
            best = zip(cosines.argmax(axis=1).tolist(), cosines.max(axis=1).tolist(), strict=True)
            found += [claims[n] if cosine >= MIN_STATIC_COSINE else None for n, cosine in best]
        return found

    return CheckedBefore(nearest, recognise)


def standing(ranked: Ranked) -> Ranked:
    """The first three; each score loses its distance to the best."""
    return [(n, 2 * score - ranked[0][1]) for n, score in ranked[:MAX_SHOWN]]


def ranking_of(
    texts: Sequence[str],
    static: Embedder | None,
    embed: Embedder | None,
    relevance: Relevance | None,
    vectors: NDArray[np.float32] | None,
) -> Callable[[str], Ranked]:
    """Gives the nearest indices, best first. Scores: cosine plus `_LOGIT` times the logit.
    `vectors` are the texts', by `static`."""
    counted = postings(map(search_words, texts))

    def rank(query: str) -> Ranked:
        rankings = [bm25.best(bm25.okapi_of(search_words(query), counted), _DEPTH)]
        if vectors is not None and static:
            rankings.append(bm25.best(vectors @ static([query])[0], _DEPTH))
        best = best_of(rankings, _READ)
        read, scores = [texts[n] for n in best], np.zeros(len(best))
        if embed:
            rows = embed([query, *read])
            scores += rows[1:] @ rows[0]
        if relevance:
            scores += _LOGIT * relevance(query, read)
        return [(best[n], float(scores[n])) for n in np.argsort(-scores, kind="stable")]

    return rank
