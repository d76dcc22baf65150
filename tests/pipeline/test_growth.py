"""A desk that checks claims for days must not grow: nothing that was made for a claim stays."""

from __future__ import annotations

import gc
import tracemalloc

import pytest

from tests.support.doubles import load_nltk_data
from tests.support.golden_runs import EMBEDDER, VERIFIER
from uhhrag.indexing.document_index import index_documents
from uhhrag.pipeline import decide
from uhhrag.records import Claim, Page
from uhhrag.wiring import documents as wiring
from uhhrag.wiring import verifiers
from uhhrag.workflows.method import choose

SENTENCES, CLAIMS = 3000, 20


@pytest.mark.slow
def test_claims_one_after_another_do_not_grow(monkeypatch):
    """Bytes a claim; with views of its own, a claim of these had kept 1,200,000."""
    load_nltk_data()
    monkeypatch.setattr(verifiers, "load_verifier", lambda *_, **__: VERIFIER)
    chosen = choose({"embedder": EMBEDDER}).for_documents()
    lines = tuple(f"The ferry of line {n} sails to port {n % 7} in May." for n in range(SENTENCES))
    documents = index_documents({0: Page("https://a.example", lines)}, "0" * 64)
    settings, machine = chosen.settings, chosen.machine
    wired, _ = wiring.wire_documents(settings, machine, documents, (), SENTENCES, None)

    def check(number: int) -> None:
        claim = Claim(number, f"The ferry of line {number} sails to port {number % 5} in May.")
        assert decide(claim, wired.corpus_for(claim), wired.method).evidence

    wired.method.tools.embed([documents.embedded(passage) for passage in documents.passages])
    check(0)
    check(1)
    tracemalloc.start()
    check(2)
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    for number in range(3, 3 + CLAIMS):
        check(number)
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < CLAIMS * 15_000
