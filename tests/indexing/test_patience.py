"""A pool embedded best first, and left where nothing near the claim comes any more."""

from __future__ import annotations

import numpy as np
import pytest

from uhhrag.indexing.built_claim import STEP, build_claim
from uhhrag.indexing.candidates import Candidates
from uhhrag.indexing.choices import Precision
from uhhrag.indexing.index_folder import Counts, IndexSettings
from uhhrag.indexing.vectors import EmbedderId
from uhhrag.records import Claim, Hit, Passage

POOL = 20 * STEP
IDENTITY = EmbedderId("fake", 2, "0" * 64, Precision.FP32)


def candidates(count: int = POOL) -> Candidates:
    hits = tuple(Hit(Passage(f"{place}", ("u",)), float(-place)) for place in range(count))
    counts = Counts(pages=1, lines=count, unique=count, kept=count, mended=0, skipped=0)
    return Candidates(Claim(0, "claim"), hits, (), counts, "", {})


def embedder(near: set[int]):
    """A stand-in: the passages of `near` lie at the claim, the later the nearer, others far off."""
    asked: list[int] = []

    def embed(texts):
        rows = []
        for text in texts:
            if text == "claim":
                rows.append((1.0, 0.0))
                continue
            place = int(text)
            asked.append(place)
            cosine = 0.5 + place / (3 * POOL) if place in near else -0.5
            rows.append((cosine, (1 - cosine**2) ** 0.5))
        return np.array(rows, np.float32)

    return embed, asked


def built(patience: int, near: set[int], count: int = POOL):
    embed, asked = embedder(near)
    return build_claim(candidates(count), IndexSettings(IDENTITY, patience=patience), embed), asked


def test_without_patience_all_are_embedded():
    result, asked = built(0, {0})
    assert result.counts.kept == len(asked) == POOL


def test_the_rest_is_left_after_so_many_passages_none_of_which_is_near():
    result, asked = built(2 * STEP, set(range(10)))
    assert result.counts.kept == len(asked) == 3 * STEP
    assert asked == list(range(3 * STEP))


def test_a_near_passage_renews_the_patience():
    late = 3 * STEP + 7
    result, _ = built(4 * STEP, {*range(10), late})
    assert result.counts.kept == 8 * STEP


@pytest.mark.parametrize("count", [0, 1, STEP, STEP + 1])
def test_a_small_pool_is_embedded_whole(count):
    result, asked = built(10 * STEP, set(), count)
    assert result.counts.kept == len(asked) == count


def test_what_is_embedded_is_what_would_have_been():
    whole, _ = built(0, {1, 400})
    early, _ = built(2 * STEP, {1, 400})
    assert early.files.keys() == whole.files.keys()
    assert len(early.files["passages.parquet"]) < len(whole.files["passages.parquet"])
