"""The vectors of a corpus made by the workers of a Ray cluster: the same bytes, and a kill loses no
committed part."""

from __future__ import annotations

import random
import threading
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support.corpora import follow
from tests.support.documents import write_rows
from tests.support.doubles import bytes_of
from tests.support.ray_cluster import Waiting, kill_one_worker
from uhhrag.archive import embedding, manifest
from uhhrag.backends.fakes import hashing_embedder
from uhhrag.errors import RunError, UsageError
from uhhrag.wiring.machine import Loaded
from uhhrag.workflows import archives as workflow
from uhhrag.workflows.observer import Observer

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.skipif(find_spec("ray") is None, reason="the extra ray is not installed"),
]
DOCUMENTS = 60


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(embedding, "PART", 16)
    monkeypatch.setattr(embedding, "BATCH_SIZE", 4)


@pytest.fixture
def docs(tmp_path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    rows = [
        {"_id": str(number), "text": [f"Sentence {number}."], "url": f"https://a.example/{number}"}
        for number in range(DOCUMENTS)
    ]
    write_rows(folder / "part.jsonl", *rows)
    return folder


def embedder(seconds: float = 0.0) -> Loaded:
    return Loaded(Waiting(hashing_embedder(16), seconds), "e" * 64)


def vectors_in(corpus: Path) -> list[bytes]:
    return [content for name, content in bytes_of(corpus).items() if name.endswith(".f16")]


def embedded(corpus: Path, ray: str | None, seconds: float = 0.0) -> int:
    return workflow.embed(corpus, embedder(seconds), "cpu", Observer(), ray)


def test_the_vectors_are_the_same_bytes_though_workers_are_killed(cluster, docs, tmp_path):
    for name in ("plain", "spread"):
        follow(tmp_path / name, docs)
    assert embedded(tmp_path / "plain", None) == DOCUMENTS
    over, chance, killed = threading.Event(), random.Random(3), []  # noqa: S311

    def kill() -> None:
        while not over.wait(0.4) and len(killed) < 3:
            if kill_one_worker(chance):
                killed.append(time.monotonic())

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        assert embedded(tmp_path / "spread", "auto", seconds=0.4) == DOCUMENTS
    finally:
        over.set()
        killer.join()
    assert killed
    assert embedded(tmp_path / "spread", "auto") == 0
    assert vectors_in(tmp_path / "spread") == vectors_in(tmp_path / "plain")
    assert len(vectors_in(tmp_path / "plain")) == 4


def test_a_batch_that_nobody_can_embed_keeps_what_is_committed(cluster, docs, tmp_path):
    follow(tmp_path / "corpus", docs)
    broken = Loaded(FailsAt(hashing_embedder(16), f"Sentence {DOCUMENTS - 1}."), "e" * 64)
    with pytest.raises(RunError, match=r"given up after 3 workers.*run the same command again"):
        workflow.embed(tmp_path / "corpus", broken, "cpu", Observer(), "auto")
    state, _ = manifest.read(tmp_path / "corpus")
    assert state.vectors is not None
    assert state.vectors.passages == 56
    assert embedded(tmp_path / "corpus", None) == DOCUMENTS - 56


def test_a_place_that_makes_no_sense_is_refused(docs, tmp_path):
    follow(tmp_path / "corpus", docs)
    with pytest.raises(UsageError, match="no place for workers"):
        embedded(tmp_path / "corpus", "http://x")


class FailsAt:
    """An embedder that raises at one text."""

    def __init__(self, embed, text: str) -> None:
        self.embed, self.text = embed, text

    def __call__(self, texts):
        if any(self.text in text for text in texts):
            raise ValueError("a defect")
        return self.embed(texts)
