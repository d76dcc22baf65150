"""A pool embedded best first, and left where nothing near the claim comes any more."""

from __future__ import annotations

import io
from types import SimpleNamespace

import numpy as np
import pyarrow.parquet as pq
import pytest

from uhhrag import defaults
from uhhrag.indexing.candidates import STATIC, STEP, Candidates, build_claim, rank_order
from uhhrag.indexing.choices import Precision
from uhhrag.indexing.index_folder import Counts, IndexSettings
from uhhrag.indexing.vectors import EmbedderId, from_bytes
from uhhrag.records import Claim, Hit, Passage
from uhhrag.wiring import embedders
from uhhrag.workflows.index import _patience

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


def built(patience: int, near: set[int], count: int = POOL, static=None):
    embed, asked = embedder(near)
    recipe = IndexSettings(IDENTITY, patience=patience, order=STATIC if static else "")
    return build_claim(candidates(count), recipe, embed, static), asked


def texts_of(result):
    table = pq.read_table(io.BytesIO(result.files["passages.parquet"]))
    return table.column("text").to_pylist()


def vectors_of(result):
    count = len(texts_of(result))
    return from_bytes(result.files["vectors.faiss"], (2, count), "here").reconstruct_n(0, count)


def last_first(texts):
    """Static vectors by which the last passages of a pool are the nearest to the claim."""
    angles = [0.0 if text == "claim" else 1.5 * (1 - int(text) / POOL) for text in texts]
    return np.array([(np.cos(angle), np.sin(angle)) for angle in angles], np.float32)


def test_without_patience_all_are_embedded():
    result, asked = built(0, {0})
    assert result.manifest.counts.kept == len(asked) == POOL


def test_the_rest_is_left_after_so_many_passages_none_of_which_is_near():
    result, asked = built(2 * STEP, set(range(10)))
    assert result.manifest.counts.kept == len(asked) == 3 * STEP
    assert asked == list(range(3 * STEP))


def test_a_near_passage_renews_the_patience():
    late = 3 * STEP + 7
    result, _ = built(4 * STEP, {*range(10), late})
    assert result.manifest.counts.kept == 8 * STEP


@pytest.mark.parametrize("count", [0, 1, STEP, STEP + 1])
def test_a_small_pool_is_embedded_whole(count):
    result, asked = built(10 * STEP, set(), count)
    assert result.manifest.counts.kept == len(asked) == count


def test_what_is_embedded_is_what_would_have_been():
    whole, _ = built(0, {1, 400})
    early, _ = built(2 * STEP, {1, 400})
    assert early.files.keys() == whole.files.keys()
    assert len(early.files["passages.parquet"]) < len(whole.files["passages.parquet"])


def test_both_rankings_say_what_comes_first():
    texts = ["0", "1", "2", "3"]
    assert rank_order("claim", texts, None).tolist() == [0, 1, 2, 3]
    # 3 is the nearest by static vectors and the last by BM25, 0 the other way round: a tie.
    assert rank_order("claim", texts, last_first).tolist() == [0, 3, 1, 2]
    assert rank_order("claim", [], last_first).tolist() == []


def test_what_static_vectors_find_at_the_end_of_a_pool_is_embedded():
    near = set(range(POOL - 10, POOL))
    missed, _ = built(2 * STEP, near)
    result, asked = built(2 * STEP, near, static=last_first)
    assert not set(map(str, near)) & set(texts_of(missed))
    assert set(map(str, near)) <= set(texts_of(result))
    assert len(asked) == len(set(asked)) == result.manifest.counts.kept < POOL


def test_an_index_keeps_the_order_of_the_pool_and_the_bytes_of_the_vectors():
    whole, _ = built(0, {1, 400})
    result, _ = built(2 * STEP, {1, 400}, static=last_first)
    places = [int(text) for text in texts_of(result)]
    assert places == sorted(places)
    np.testing.assert_array_equal(vectors_of(result), vectors_of(whole)[places])


def test_static_vectors_have_no_part_where_the_recipe_does_not_name_them():
    embed, asked = embedder(set(range(10)))
    recipe = IndexSettings(IDENTITY, patience=2 * STEP)
    build_claim(candidates(), recipe, embed, last_first)
    assert asked == list(range(3 * STEP))


def test_by_default_a_pool_with_a_good_order_has_a_patience(monkeypatch):
    def patience(given=None):
        return _patience(SimpleNamespace(patience=given), None, IDENTITY)

    assert patience() == 0
    assert patience(7) == 7
    monkeypatch.setattr(embedders, "trained_table", lambda identity: identity == IDENTITY)
    assert patience() == defaults.PATIENCE > 0
    assert patience(0) == 0
