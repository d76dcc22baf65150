"""A collection of the pages is checked as `check` checks its documents, small or large."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import pytest

from tests.support.corpora import follow, read_here, write_documents
from tests.support.doubles import load_nltk_data
from tests.support.golden_runs import EMBEDDER, VERIFIER
from uhhrag.archive.search import indexed_archive
from uhhrag.archive.snapshot import open_snapshot
from uhhrag.indexing.document_index import index_documents
from uhhrag.pipeline import decide
from uhhrag.records import Claim
from uhhrag.wiring import documents as wiring
from uhhrag.wiring import nltk_data, verifiers
from uhhrag.workflows import archives
from uhhrag.workflows.method import choose
from uhhrag.workflows.observer import SILENT
from uhhrag.workflows.opened import open_documents
from uhhrag.workflows.serve import CollectionModels
from uhhrag.workflows.tasks import DocumentsTask

CLAIM = Claim(0, "The harbour was dredged in 2019.")


@pytest.mark.parametrize("pool", [1, 10_000])
def test_a_collection_gives_the_verdict_of_check(tmp_path, monkeypatch, pool):
    load_nltk_data()
    read_here(monkeypatch)
    loaded: list[object] = []
    monkeypatch.setattr(verifiers, "load_verifier", lambda *a, **_: loaded.append(a) or VERIFIER)
    monkeypatch.setattr(wiring, "reranked_here", lambda *_: 0)
    docs = write_documents(tmp_path / "docs")
    follow(tmp_path / "archive", docs)
    snapshot = open_snapshot(tmp_path / "archive")
    chosen = choose({"embedder": EMBEDDER}).for_documents()
    task = DocumentsTask(pool=pool, claims=[CLAIM])
    checked = open_documents(docs, tmp_path / "work", task, chosen, SILENT).wired
    wanted = decide(CLAIM, checked.corpus_for(CLAIM), checked.method)
    assert wanted.evidence
    models = CollectionModels(chosen, pool, None)
    models.ahead()
    loaded.clear()
    assert models.header(snapshot) == {}
    said: list[str] = []
    for _ in range(2):  # the second opens what the first has prepared
        corpus_for, method = models.load(snapshot, lambda: indexed_archive(snapshot), said.append)
        assert decide(CLAIM, corpus_for(CLAIM), method) == wanted
        assert models.header(snapshot)["signature"] == checked.header["signature"]
    assert [line.partition(" of ")[0] for line in said] == ["Making vectors"] * (pool == 1)
    assert bool(loaded) == (pool == 1)  # those of a small collection were loaded before


def test_a_large_collection_waits_until_a_small_ones_models_are_loaded_and_drops_them(
    tmp_path, monkeypatch
):
    begun, goes_on, seen = threading.Event(), threading.Event(), []
    follow(tmp_path / "archive", write_documents(tmp_path / "docs"))
    snapshot = open_snapshot(tmp_path / "archive")
    models = CollectionModels(choose({}).for_documents(), 1, None)
    wired = SimpleNamespace(header={}, method=None, corpus_for=None)

    def slowly(*_):
        begun.set()
        goes_on.wait(9)
        return wired, None

    monkeypatch.setattr(nltk_data, "load_nltk_data", lambda: None)
    monkeypatch.setattr(wiring, "wire_documents", slowly)
    monkeypatch.setattr(wiring, "over_other_documents", lambda *_: None)
    monkeypatch.setattr(archives, "embed_for", lambda *_: seen.append(models._whole))
    monkeypatch.setattr(archives, "open_for_claims", lambda *_: (wired, snapshot))
    empty = index_documents({}, "")
    small = threading.Thread(target=models._searching_whole, args=[empty])
    large = threading.Thread(target=models.load, args=[snapshot, lambda: empty, seen.append])
    small.start()
    assert begun.wait(9)
    large.start()
    large.join(0.2)
    goes_on.set()
    small.join()
    large.join()
    assert seen == [None]
    assert models._whole is None
