from __future__ import annotations

import faiss
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from uhhrag.errors import IndexFault, ModelError
from uhhrag.indexing import vectors
from uhhrag.indexing.choices import Precision
from uhhrag.indexing.vectors import EmbedderId
from uhhrag.records import Passage

pytestmark = pytest.mark.slow

MINILM = EmbedderId("all-MiniLM-L6-v2", 384, "a" * 64)


def unit(rows: int, dimension: int = 24, seed: int = 0) -> np.ndarray:
    drawn = np.random.default_rng(seed).normal(size=(rows, dimension)).astype(np.float32)
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


def passages(count: int) -> tuple[Passage, ...]:
    return tuple(Passage(f"passage {i}") for i in range(count))


def rows_of(of: tuple[Passage, ...]) -> dict[int, Passage]:
    return dict(enumerate(of))


@pytest.mark.parametrize(("count", "top"), [(1, 1), (50, 10), (3000, 10), (3000, 3000), (5, 9)])
def test_search_equals_brute_force(count, top):
    rows, of = unit(count).astype(np.float16).astype(np.float32), passages(count)
    index = vectors.build(rows)
    for query in unit(5, seed=1):
        cosines = rows.astype(np.float64) @ query
        expected = np.argsort(-cosines, kind="stable")[:top]
        hits = vectors.search(index, rows_of(of), query, top)
        # Of sums taken in another order, neighbours a millionth apart may change places.
        found = [of.index(hit.passage) for hit in hits]
        assert len(set(found)) == len(found) == len(expected)
        assert np.allclose([hit.score for hit in hits], cosines[found], atol=1e-6)
        assert np.allclose(cosines[found], cosines[expected], atol=1e-6)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=300), st.integers(1, 300))
def test_ties_keep_passage_order_also_where_the_top_ends(kinds, top):
    rows = unit(4)[kinds]
    of = passages(len(kinds))
    hits = vectors.search(vectors.build(rows), rows_of(of), rows[0], top)
    cosines = unit(4) @ rows[0]
    expected = sorted(range(len(kinds)), key=lambda i: (-cosines[kinds[i]], i))[:top]
    assert [hit.passage for hit in hits] == [of[i] for i in expected]


def test_a_score_is_the_cosine_but_for_the_rounding_to_float16():
    rows = unit(2000, 384)
    hits = vectors.search(vectors.build(rows), rows_of(passages(2000)), unit(1, 384, 1)[0], 2000)
    cosines = np.sort(rows @ unit(1, 384, 1)[0])[::-1]
    assert np.abs([hit.score for hit in hits] - cosines).max() < 1e-4


def test_an_index_of_nothing_finds_nothing():
    empty = vectors.build(np.empty((0, 24), np.float32))
    assert vectors.search(empty, {}, unit(1)[0], 10) == []


def test_no_passages_are_found_where_none_are_asked_for():
    assert vectors.search(vectors.build(unit(3)), rows_of(passages(3)), unit(1)[0], 0) == []


@pytest.mark.parametrize("bad", [unit(3) * 2, unit(3) * np.nan, np.zeros((3, 24), np.float32)])
def test_vectors_that_are_not_unit_vectors_are_refused(bad):
    with pytest.raises(ModelError, match="unit length"):
        vectors.build(bad)


def test_an_index_survives_its_bytes_and_gives_the_same_bytes_again():
    index = vectors.build(unit(20))
    content = vectors.to_bytes(index)
    again = vectors.from_bytes(content, (24, 20), "x")
    query = unit(1, seed=3)[0]
    expected = vectors.search(index, rows_of(passages(20)), query, 20)
    assert vectors.search(again, rows_of(passages(20)), query, 20) == expected
    assert vectors.to_bytes(again) == content


def test_a_vector_takes_two_bytes_a_dimension():
    sizes = [len(vectors.to_bytes(vectors.build(unit(rows)))) for rows in (10, 30)]
    assert sizes[1] - sizes[0] == 20 * 24 * 2


@pytest.mark.parametrize("rows", [0, 1, 20])
def test_vectors_that_an_earlier_version_stored_as_float32_are_read(rows):
    old = faiss.IndexFlatIP(24)
    old.add(unit(rows))
    content = vectors.to_bytes(old)
    again = vectors.from_bytes(content, (24, rows), "x")
    assert vectors.to_bytes(again) == content
    hits = vectors.search(again, rows_of(passages(rows)), unit(1)[0], 1)
    assert [hit.passage for hit in hits] == list(passages(rows)[:1])


@given(st.binary(max_size=400), st.integers(0, 9), st.integers(0, 9))
def test_no_bytes_but_those_of_an_index_are_read(content, dimension, rows):
    with pytest.raises(IndexFault):
        vectors.from_bytes(content, (dimension, rows), "x")


@pytest.mark.parametrize("shape", [(24, 19), (23, 20)])
def test_an_index_of_another_shape_is_refused(shape):
    with pytest.raises(IndexFault, match="does not fit"):
        vectors.from_bytes(vectors.to_bytes(vectors.build(unit(20))), shape, "x")


@pytest.mark.parametrize("content", [b"", b"IxFI", b"not an index at all"])
def test_bytes_that_are_no_index_are_refused(content):
    with pytest.raises(IndexFault, match="not a FAISS index"):
        vectors.from_bytes(content, (24, 20), "x")


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (EmbedderId("gte-base-en-v1.5", 768, "b" * 64), r"gte-base-en-v1\.5 \(768 d\) was asked"),
        (EmbedderId("all-MiniLM-L6-v2", 384, "b" * 64), r"\(384 d\) of other files was asked"),
        (
            EmbedderId("all-MiniLM-L6-v2", 384, "a" * 64, Precision.BF16),
            r"\(384 d, bf16\) was asked",
        ),
    ],
)
def test_an_index_of_another_embedder_is_refused_with_what_to_do(other, said):
    with pytest.raises(IndexFault, match=said) as caught:
        vectors.same_embedder(MINILM, other, "index/dev")
    message = str(caught.value)
    assert message.startswith("index/dev was built with all-MiniLM-L6-v2 (384 d) but")
    assert f"run: uhhrag index DATA --embedder {other.name}" in message


def test_the_same_files_under_another_name_are_the_same_embedder():
    vectors.same_embedder(MINILM, EmbedderId("my-copy", 384, "a" * 64), "index")
