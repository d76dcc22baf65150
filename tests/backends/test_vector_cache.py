"""Vectors kept on disk: exact, by embedder, mended where damaged."""

from __future__ import annotations

import sqlite3

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.doubles import fake_embed
from uhhrag.backends import vector_cache
from uhhrag.backends.sqlite_cache import VECTORS, SqliteCache
from uhhrag.backends.vector_cache import cached
from uhhrag.errors import RunError


class Counting:
    """An embedder that keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, texts, /):
        self.asked += texts
        return fake_embed(texts)


@pytest.fixture
def counting() -> Counting:
    return Counting()


def test_a_text_is_embedded_once_for_all_processes(tmp_path, counting):
    file = tmp_path / "vectors.sqlite"
    first = cached(counting, "made by", file)(["a", "b", "a"])
    again = cached(counting, "made by", file)(["b", "c", "a"])
    assert counting.asked == ["a", "b", "c"]
    assert np.array_equal(first, fake_embed(["a", "b", "a"]))
    assert np.array_equal(again, fake_embed(["b", "c", "a"]))


def test_vectors_of_another_embedder_are_not_taken(tmp_path, counting):
    file = tmp_path / "vectors.sqlite"
    cached(counting, "one", file)(["a"])
    cached(counting, "another", file)(["a"])
    assert counting.asked == ["a", "a"]


def test_what_was_embedded_before_a_stop_is_kept(tmp_path, counting, monkeypatch):
    monkeypatch.setattr(vector_cache, "_BATCH_SIZE", 2)

    def stops(texts, /):
        if "e" in texts:
            raise KeyboardInterrupt
        return counting(texts)

    file = tmp_path / "vectors.sqlite"
    with pytest.raises(KeyboardInterrupt):
        cached(stops, "made by", file)(list("abcde"))
    counting.asked.clear()
    cached(counting, "made by", file)(list("abcde"))
    assert counting.asked == ["e"]


def test_a_damaged_vector_is_made_again(tmp_path, counting):
    file = tmp_path / "vectors.sqlite"
    cached(counting, "made by", file)(["a", "b"])
    memory = sqlite3.connect(file)
    memory.execute("UPDATE vectors SET row = zeroblob(length(row))")
    memory.commit()
    memory.close()
    assert np.array_equal(cached(counting, "made by", file)(["a"]), fake_embed(["a"]))
    assert counting.asked == ["a", "b", "a"]


def test_a_file_that_is_no_memory_is_named(tmp_path):
    (tmp_path / "vectors.sqlite").write_text("notes of mine, and quite long ones at that " * 30)
    with pytest.raises(RunError, match=r"vectors\.sqlite cannot be used .*--no-cache"):
        cached(fake_embed, "made by", tmp_path / "vectors.sqlite")(["a"])


def test_no_text_stands_in_the_memory(tmp_path):
    cached(fake_embed, "made by", tmp_path / "v.sqlite")(["the confidential sentence"])
    held = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"confidential" not in held


@given(st.lists(st.text(max_size=5), max_size=30))
def test_the_vectors_are_those_of_the_embedder_whatever_is_asked(tmp_path_factory, texts):
    file = tmp_path_factory.getbasetemp() / "shared.sqlite"
    rows = cached(fake_embed, "made by", file)(texts) if texts else []
    assert np.array_equal(rows, fake_embed(texts) if texts else [])


def test_what_is_forgotten_leaves_the_disk_and_is_not_kept_after_all(tmp_path, counting):
    file = tmp_path / "vectors.sqlite"
    held = fake_embed(["a"])[0].tobytes()

    def on_disk() -> bool:
        return any(held in one.read_bytes() for one in tmp_path.iterdir())

    def forgotten_meanwhile(texts, /):
        SqliteCache(file, VECTORS).forget()
        return counting(texts)

    slow = cached(forgotten_meanwhile, "made by", file)
    embed = cached(counting, "made by", file)  # stays open, as the desk's does
    embed(["a"])
    assert on_disk()
    SqliteCache(file, VECTORS).forget()
    assert not on_disk()
    assert np.array_equal(slow(["a"]), fake_embed(["a"]))
    assert not on_disk()
    embed(["a"])
    assert on_disk()
    assert counting.asked == ["a", "a", "a"]
