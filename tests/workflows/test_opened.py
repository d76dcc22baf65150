"""What a check opens, it opens once."""

from __future__ import annotations

import pytest

from tests.support.chat_server import FakeServer, running
from tests.support.corpora import read_here, write_documents
from tests.support.doubles import load_nltk_data
from tests.support.golden_runs import EMBEDDER
from uhhrag.errors import InputError, ModelError
from uhhrag.records import Claim
from uhhrag.wiring.machine import Loaded
from uhhrag.workflows.method import choose
from uhhrag.workflows.observer import SILENT
from uhhrag.workflows.opened import open_documents
from uhhrag.workflows.tasks import DocumentsTask

BY_LLM = {"llm": Loaded(lambda prompts, answer: [], "none"), "voter": "llm", "rule": "majority"}


@pytest.mark.parametrize("cache", [False, True])
def test_a_server_is_asked_once_who_it_is(tmp_path, monkeypatch, cache):
    load_nltk_data()
    read_here(monkeypatch)
    docs, claim = write_documents(tmp_path / "docs"), Claim(0, "The harbour was dredged in 2019.")
    with running(FakeServer()) as one, running(FakeServer()) as two:
        options = {"embedder": EMBEDDER, "llm": [one.url, two.url], "cache": cache}
        chosen = choose({**options, "voter": "llm", "rule": "majority"})
        task = DocumentsTask(claims=[claim])
        opened = open_documents(docs, tmp_path / "work", task, chosen.for_documents(), SILENT)
    assert "|llm:openai:tiny@" in opened.wired.header["signature"]
    assert len(opened.wired.deciders) == 2
    for server in (one, two):
        assert (len(server.asked), len(server.keys)) == (1, 2)  # a probe; it and the list of models


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"verifier": "nowhere"}, "nowhere: no verifier here"),
        ({"embedder": "nowhere"}, "model 'nowhere' is not in the table"),
        ({"device": "cuda"}, "no usable GPU"),
        ({"approach": "entailed-qa", "reranker": "nowhere", **BY_LLM}, "model 'nowhere' is not in"),
        ({"approach": "entailed-qa", "nli": "nowhere", **BY_LLM}, "model '(reranker|nowhere)' is"),
        ({"learned": "nowhere"}, "nowhere: cannot be read"),
        ({"calibration": "nowhere", **BY_LLM}, "nowhere: cannot be read"),
    ],
)
def test_what_is_not_here_is_told_before_all_documents_are_read(
    tmp_path, monkeypatch, options, why
):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    load_nltk_data()
    docs, work = write_documents(tmp_path / "docs"), tmp_path / "work"
    with pytest.raises((ModelError, InputError), match=why):
        chosen = choose({"embedder": EMBEDDER, **options}).for_documents()
        open_documents(docs, work, DocumentsTask(), chosen, SILENT)
    assert not work.exists()
