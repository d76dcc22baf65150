"""Vectors of a corpus: the nearest are those of brute force, exactly or by inverted lists."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.support.corpora import follow, with_vectors, write_dated
from tests.support.doubles import FAKE, fake_embed
from uhhrag.archive import embedding, vector_index
from uhhrag.archive.embedding import embed_passages, waiting
from uhhrag.archive.filters import NO_FILTER, ArchiveLimits
from uhhrag.archive.snapshot import Snapshot, open_snapshot
from uhhrag.archive.vector_index import ArchiveVectors
from uhhrag.archive.verify import compact
from uhhrag.errors import IndexFault
from uhhrag.records import Claim
from uhhrag.store.filters import Limits, read_limits

DOCUMENTS = 300


@pytest.fixture(autouse=True)
def small_steps(monkeypatch) -> None:
    monkeypatch.setattr(embedding, "PART", 64)
    monkeypatch.setattr(embedding, "BATCH_SIZE", 16)


@pytest.fixture
def docs(tmp_path) -> Path:
    def content(part: int, number: int) -> dict[str, list[str]]:
        return {"text": [f"Sentence {number} of part {part}."]}

    return write_dated(tmp_path / "docs", DOCUMENTS, content)


@pytest.fixture
def corpus(tmp_path, docs) -> Path:
    return with_vectors(tmp_path / "corpus", docs)


def vectors_of(snapshot: Snapshot) -> ArchiveVectors:
    assert snapshot.manifest.vectors
    return ArchiveVectors(snapshot, snapshot.manifest.vectors)


def brute_force(snapshot: Snapshot, query: np.ndarray, allowed: np.ndarray) -> list[int]:
    """The ten nearest, by float16 rows as they are stored."""
    numbers = np.flatnonzero(allowed)
    texts = [snapshot.passage_text(int(number)) for number in numbers]
    rows = fake_embed(texts).astype(np.float16).astype(np.float32)
    return numbers[np.lexsort((numbers, -(rows @ query)))][:10].tolist()


def alive(snapshot: Snapshot) -> np.ndarray:
    return snapshot.live[snapshot.document]


@pytest.mark.parametrize("lists", [False, True])
def test_the_nearest_are_those_of_brute_force(corpus, docs, monkeypatch, lists):
    if lists:
        monkeypatch.setattr(embedding, "EXACT", 50)
        monkeypatch.setattr(vector_index, "_FEW", 0)
        list(embed_passages(corpus, fake_embed, FAKE))
    (docs / "part1.jsonl").unlink()
    (docs / "new.txt").write_text("A new sentence. And another one.")
    follow(corpus, docs)
    snapshot = open_snapshot(corpus)
    found = snapshot.manifest.vectors
    assert found and bool(found.approximate) is lists
    list(embed_passages(corpus, fake_embed, FAKE))
    snapshot = open_snapshot(corpus)
    for query in fake_embed(["one", "two", "three"]):
        wanted = brute_force(snapshot, query, alive(snapshot))
        assert vectors_of(snapshot).nearest(query, 10, NO_FILTER).tolist() == wanted


@pytest.mark.parametrize(
    "limits",
    [
        Limits(before="2014-12-31"),
        Limits(before="2014-12-31", undated=False),
        Limits(sites=("a.example", "*/2/*")),
        Limits(before="claim-date", sites=("b.example",), undated=False),
    ],
)
def test_both_engines_leave_out_what_a_filter_says(corpus, limits):
    snapshot = open_snapshot(corpus)
    leaving_out = ArchiveLimits(snapshot, limits).for_claim(Claim(0, "?", "2016-01-01"))
    assert snapshot.text
    assert leaving_out.staying is not None
    staying = set(np.flatnonzero(leaving_out.staying[snapshot.document]).tolist())
    assert 0 < len(staying) < DOCUMENTS
    by_text = snapshot.text.search("sentence part", DOCUMENTS, leaving_out.text)
    by_vector = vectors_of(snapshot).nearest(fake_embed(["?"])[0], DOCUMENTS, leaving_out)
    assert set(by_text.tolist()) == set(by_vector.tolist()) == staying
    assert sum(leaving_out.removed.values()) == DOCUMENTS - len(staying)


def test_a_search_can_be_limited_to_files(corpus):
    snapshot = open_snapshot(corpus)
    limits = read_limits(None, None, undated=True)
    leaving_out = ArchiveLimits(snapshot, limits, ["part1.jsonl"]).for_claim(Claim(0, "?"))
    by_vector = vectors_of(snapshot).nearest(fake_embed(["?"])[0], DOCUMENTS, leaving_out)
    assert {snapshot.page(int(snapshot.document[n])).file for n in by_vector} == {"part1.jsonl"}


def test_a_stopped_embedding_goes_on_where_it_stopped(tmp_path, docs):
    corpus = tmp_path / "corpus"
    follow(corpus, docs)
    running = embed_passages(corpus, fake_embed, FAKE)
    for _ in range(100):
        next(running)
    running.close()
    assert waiting(open_snapshot(corpus).manifest, FAKE) == DOCUMENTS - 112
    asked: list[str] = []

    def embed(texts, /):
        asked.extend(texts)
        return fake_embed(texts)

    list(embed_passages(corpus, embed, FAKE))
    assert len(asked) == DOCUMENTS - 112
    assert waiting(open_snapshot(corpus).manifest, FAKE) == 0


def test_compacting_keeps_every_document_and_vector_and_drops_what_is_deleted(corpus, docs):
    (docs / "part0.jsonl").unlink()
    follow(corpus, docs)
    old = open_snapshot(corpus)
    query = fake_embed(["one"])[0]
    before = [old.passage_text(int(n)) for n in vectors_of(old).nearest(query, 10, NO_FILTER)]
    list(compact(corpus))
    new = open_snapshot(corpus)
    assert new.manifest.passages == new.manifest.counts.passages == 200
    assert waiting(new.manifest, FAKE) == 0
    after = [new.passage_text(int(n)) for n in vectors_of(new).nearest(query, 10, NO_FILTER)]
    assert after == before
    assert new.text and len(new.text.search("sentence", 500, NO_FILTER.text)) == 200


def test_damaged_lists_are_never_given_to_faiss(corpus, monkeypatch):
    monkeypatch.setattr(embedding, "EXACT", 50)
    list(embed_passages(corpus, fake_embed, FAKE))
    (file,) = corpus.glob("vectors/*.faiss")
    content = bytearray(file.read_bytes())
    content[40] ^= 1
    file.write_bytes(bytes(content))
    with pytest.raises(IndexFault, match="missing or damaged; run: uhhrag archive repair"):
        vectors_of(open_snapshot(corpus)).nearest(fake_embed(["?"])[0], 5, NO_FILTER)
