"""Workers that index on one machine share the vectors that they have made."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.paths import SAMPLE
from uhhrag import Loaded
from uhhrag.backends import vector_cache
from uhhrag.backends.fakes import hashing_embedder
from uhhrag.errors import ModelError
from uhhrag.formats.gold import read_claims
from uhhrag.indexing.index_folder import IndexSettings
from uhhrag.system.ray_cluster import read_cluster_address
from uhhrag.wiring import embedders, ray_tasks
from uhhrag.wiring.run_header import kind_of_machine


class Counting:
    """An embedder that notes what it was asked for."""

    def __init__(self) -> None:
        self.embed, self.asked = hashing_embedder(16), []

    def __call__(self, texts, /):
        self.asked.extend(texts)
        return self.embed(texts)


def worker(embed: Counting, shared: Path):
    given = Loaded(embed, "e" * 64)
    recipe = IndexSettings(embedders.load_embedder(given)[1])
    store = SAMPLE / "knowledge_store"
    prepare = ray_tasks.IndexingWorkers(store, recipe, given, "cpu", kind_of_machine(), shared)
    work = prepare(0, 1)
    embed.asked.clear()
    return work


def test_a_sentence_is_embedded_by_one_worker_alone(tmp_path, nltk_loaded):
    first, second = Counting(), Counting()
    claim = ray_tasks.ClaimToIndex(read_claims(SAMPLE / "claims.json")[0])
    by_first = worker(first, tmp_path / "vectors.sqlite")(claim)
    by_second = worker(second, tmp_path / "vectors.sqlite")(claim)
    assert first.asked
    assert not second.asked
    assert by_first.files == by_second.files


def test_a_worker_stores_a_bounded_number_of_vectors(tmp_path, nltk_loaded, monkeypatch):
    monkeypatch.setattr(vector_cache, "LIMIT", 0)
    first, second = Counting(), Counting()
    claim = ray_tasks.ClaimToIndex(read_claims(SAMPLE / "claims.json")[0])
    worker(first, tmp_path / "vectors.sqlite")(claim)
    worker(second, tmp_path / "vectors.sqlite")(claim)
    assert first.asked == second.asked


def test_a_worker_with_other_static_vectors_is_refused():
    given = Loaded(hashing_embedder(16), "e" * 64)
    recipe = IndexSettings(embedders.load_embedder(given)[1])
    assert ray_tasks.same_static(given, recipe) is None
    with pytest.raises(ModelError, match="it orders pools by nothing, but the driver by static"):
        ray_tasks.same_static(given, replace(recipe, patience=500, order="static vectors 1a2b3c4d"))


def test_the_file_is_gone_at_the_end():
    with ray_tasks._shared_vectors(read_cluster_address(2)) as file:
        assert file.is_file()
    assert not file.parent.exists()


def test_workers_on_several_machines_share_none():
    with ray_tasks._shared_vectors(read_cluster_address("auto")) as file:
        assert file is None
