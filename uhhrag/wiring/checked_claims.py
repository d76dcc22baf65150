"""Search of earlier checked claims."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from uhhrag import defaults, models
from uhhrag.evidence.fusion import best_of
from uhhrag.formats.checked_claims import read_checked
from uhhrag.formats.claim_reviews import CheckedClaim
from uhhrag.indexing import bm25
from uhhrag.indexing.term_counts import postings
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
Recognised = Callable[[Sequence[str]], Sequence[CheckedClaim | None]]
"""Sentences → for each its nearest earlier claim, or None."""


@dataclass(frozen=True, slots=True)
class CheckedBefore:
    near: Nearest
    recognise: Recognised
    """By vectors alone: quick enough for all sentences of a draft."""

    def __call__(self, claim: str) -> Sequence[CheckedClaim]:
        return self.near(claim)


MOST = 3
"""Claims shown."""
_DEPTH, _READ = 100, 30
"""Claims per ranking, and claims that the cross-encoder reads."""
_LEAST_RELEVANCE = -2.0
"""Logit from which a claim is shown (`scripts/bench matching`)."""
_AT_ONCE = 64
"""Sentences that are compared with all claims at once."""
_KEPT = 1000
"""Claims for which what was found is kept."""
_LEAST_COSINE = 0.75
"""The same for static vectors, without a cross-encoder."""


def file_of_checked() -> Path:
    return local.root().with_name("checked-claims.jsonl")


def open_checked() -> CheckedBefore:
    """The search of the kept claims. Raises InputError for a damaged file."""
    file = file_of_checked()
    if not file.exists():
        return nearest_of((), None, lambda: None)
    claims = read_checked(file)
    reranked = local.state(models.MODELS[defaults.RERANKER]) is ModelState.PRESENT

    @cache
    def relevance() -> Relevance | None:
        if not reranked:
            return None
        return rerankers.load_reranker(defaults.RERANKER, Machine()).model.relevance

    found = nearest_of(claims, embedders.beside(Machine(), Given()), relevance)
    return replace(found, near=lru_cache(_KEPT)(found.near))


def nearest_of(
    claims: Sequence[CheckedClaim],
    embed: Embedder | None,
    relevance: Callable[[], Relevance | None],
) -> CheckedBefore:
    """By words, and if given by static vectors and cross-encoder."""
    texts = [one.claim for one in claims]
    vectors = embed(texts) if embed and texts else None
    rank = ranking_of(texts, embed, relevance, vectors)

    def nearest(claim: str) -> Sequence[CheckedClaim]:
        if not claims:
            return ()
        least = _LEAST_RELEVANCE if relevance() else _LEAST_COSINE
        return [claims[n] for n, score in rank(plain_claim(claim))[:MOST] if score >= least]

    def recognise(sentences: Sequence[str]) -> Sequence[CheckedClaim | None]:
        found: list[CheckedClaim | None] = []
        if vectors is None or not embed:
            return [None] * len(sentences)
        for start in range(0, len(sentences), _AT_ONCE):
            rows = embed([plain_claim(text) for text in sentences[start : start + _AT_ONCE]])
            cosines = rows @ vectors.T
            best = zip(cosines.argmax(axis=1).tolist(), cosines.max(axis=1).tolist(), strict=True)
            found += [claims[n] if cosine >= _LEAST_COSINE else None for n, cosine in best]
        return found

    return CheckedBefore(nearest, recognise)


def ranking_of(
    texts: Sequence[str],
    embed: Embedder | None,
    relevance: Callable[[], Relevance | None],
    vectors: NDArray[np.float32] | None = None,
) -> Callable[[str], list[tuple[int, float]]]:
    """A query → the nearest indices, best first, with logit or else cosine."""
    counted = postings(map(search_words, texts))
    if vectors is None and embed and texts:
        vectors = embed(texts)

    def rank(query: str) -> list[tuple[int, float]]:
        rankings = [bm25.best(bm25.okapi_of(search_words(query), counted), _DEPTH)]
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
