"""Search of earlier checked claims."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from uhhrag import defaults, models
from uhhrag.evidence.fusion import best_of
from uhhrag.formats.checked_claims import read_checked
from uhhrag.formats.claim_reviews import CheckedClaim
from uhhrag.indexing import bm25
from uhhrag.models import local
from uhhrag.models.local import ModelState
from uhhrag.protocols import Embedder, Relevance
from uhhrag.text.claim_words import plain_claim
from uhhrag.text.numerals import search_words
from uhhrag.wiring import embedders, rerankers
from uhhrag.wiring.loaded import Given
from uhhrag.wiring.machine import Machine

Nearest = Callable[[str], Sequence[CheckedClaim]]
"""A claim → similar earlier claims, nearest first."""
MOST = 3
"""Claims shown."""
_DEPTH, _READ = 100, 30
"""Claims per ranking, and claims that the cross-encoder reads."""
_LEAST_RELEVANCE = -2.0
"""Logit from which a claim is shown (`scripts/bench matching`)."""
_LEAST_COSINE = 0.75
"""The same for static vectors, without a cross-encoder."""


def file_of_checked() -> Path:
    return local.root().with_name("checked-claims.jsonl")


def open_checked() -> Nearest:
    """The search of the kept claims. Raises InputError for a damaged file."""
    file = file_of_checked()
    if not file.exists():
        return lambda claim: ()
    claims = read_checked(file)
    reranked = local.state(models.MODELS[defaults.RERANKER]) is ModelState.PRESENT

    @cache
    def relevance() -> Relevance | None:
        if not reranked:
            return None
        return rerankers.load_reranker(defaults.RERANKER, Machine()).model.relevance

    return cache(nearest_of(claims, embedders.beside(Machine(), Given()), relevance))


def nearest_of(
    claims: Sequence[CheckedClaim],
    embed: Embedder | None,
    relevance: Callable[[], Relevance | None],
) -> Nearest:
    """By words, and if given by static vectors and cross-encoder."""
    rank = ranking_of([one.claim for one in claims], embed, relevance)

    def nearest(claim: str) -> Sequence[CheckedClaim]:
        least = _LEAST_RELEVANCE if relevance() else _LEAST_COSINE
        return [claims[n] for n, score in rank(plain_claim(claim))[:MOST] if score >= least]

    return nearest if claims else lambda claim: ()


def ranking_of(
    texts: Sequence[str], embed: Embedder | None, relevance: Callable[[], Relevance | None]
) -> Callable[[str], list[tuple[int, float]]]:
    """A query → the nearest indices, best first, with logit or else cosine."""
    words = [search_words(text) for text in texts]
    vectors = embed(texts) if embed and texts else None

    def rank(query: str) -> list[tuple[int, float]]:
        rankings = [bm25.best(bm25.okapi(search_words(query), words), _DEPTH)]
        cosines = np.zeros(len(texts), np.float32)
        if vectors is not None and embed:
            cosines = vectors @ embed([query])[0]
            rankings.append(bm25.best(cosines, _DEPTH))
        best = best_of(rankings, _READ)
        reads = relevance()
        if not reads:
            return [(n, float(cosines[n])) for n in best]
        scores = reads(query, [texts[n] for n in best])
        order = np.argsort(-scores, kind="stable")
        return [(best[n], float(scores[n])) for n in order]

    return rank
